import type { Product } from '#validators/site';
import { h } from '../shared/dom.ts';
import type { ApiError } from './api.ts';
import { openDialog } from './dialog.ts';
import { planMove } from './order.ts';
import { textButton } from './parts.ts';
import type { Records } from './records.ts';
import type { Words } from './words/en.ts';

/** Moves products in the catalogue: at once on the page, then in the service, one move at a time. */
export function createReorder({
  records,
  failed,
}: {
  records: Records;
  failed: (error: ApiError) => unknown;
}) {
  let moving = Promise.resolve();

  const storeOrder = async (changes: readonly { id: number; order: number; was: number }[]) => {
    try {
      for (const { id, order, was } of changes) {
        await records.change({
          readFrom: `/api/products/${id}`,
          path: `/api/admin/products/${id}`,
          known: { order: was },
          body: { order },
        });
      }
    } catch (error) {
      await failed(error);
    }
  };

  /** Returns the products in their new order, and starts to store it. */
  const move = (products: readonly Product[], from: number, to: number) => {
    const { list, changes } = planMove(products, from, to);
    const before = new Map(products.map(({ id, order }) => [id, order]));
    const known = changes.map((change) => ({ ...change, was: before.get(change.id) ?? 0 }));
    moving = moving.then(() => storeOrder(known));
    return list;
  };

  return { move, /** Resolves when everything is stored. */ settled: () => moving };
}

/**
 * Asks for a product's position; undefined if the user cancels. In a long catalogue, this is faster than moving step by
 * step.
 * @param position from 1
 */
export function askPosition(
  name: string,
  position: number,
  count: number,
  { products, cancel }: Words,
): Promise<number | undefined> {
  let chosen: number | undefined;
  const error = h('p', { class: 'error', id: 'position-error', role: 'alert', hidden: true });
  const input: HTMLInputElement = h('input', {
    class: 'input short',
    id: 'position',
    inputmode: 'numeric',
    autocomplete: 'off',
    autofocus: true,
    value: String(position),
    'aria-describedby': error.id,
    onfocus: () => input.select(),
  });
  const dialog = openDialog(products.moveTitle(name), (close) => {
    const submit = (event: Event) => {
      event.preventDefault();
      const number = Number(input.value.trim() || Number.NaN);
      const isFine = Number.isInteger(number) && number >= 1 && number <= count;
      error.hidden = isFine;
      error.textContent = isFine ? '' : products.wrongPosition(count);
      input.setAttribute('aria-invalid', String(!isFine));
      if (!isFine) return input.focus();
      chosen = number;
      close();
    };
    return h(
      'form',
      { class: 'token-form', novalidate: true, onsubmit: submit },
      h('label', { class: 'label', for: 'position', text: products.position(count) }),
      input,
      error,
      h(
        'div',
        { class: 'ask-actions' },
        textButton(cancel, close),
        h('button', { class: 'button primary', type: 'submit', text: products.move }),
      ),
    );
  });
  return dialog.closed.then(() => chosen);
}
