import { h } from '../shared/dom.ts';
import { openDialog } from './dialog.js';
import { planMove } from './order.js';

/** @typedef {import('#validators/site').Product} Product */

/**
 * Moves products in the catalogue: at once on the page, then stored; the moves of quick fingers are stored one after
 * another.
 *
 * @param {object} options
 * @param {import('./records.js').Records} options.records
 * @param {(error: { message: string, status?: number }) => unknown} options.failed
 */
export function createReorder({ records, failed }) {
  let moving = Promise.resolve();

  /** @param {readonly { id: number, order: number, was: number }[]} changes */
  const storeOrder = async (changes) => {
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

  /**
   * The products in their new order.
   *
   * @param {readonly Product[]} products
   * @param {number} from
   * @param {number} to
   */
  const move = (products, from, to) => {
    const { list, changes } = planMove(products, from, to);
    const before = new Map(products.map(({ id, order }) => [id, order]));
    const known = changes.map((change) => ({ ...change, was: before.get(change.id) ?? 0 }));
    moving = moving.then(() => storeOrder(known));
    return list;
  };

  return { move, /** When everything is stored. */ settled: () => moving };
}

/**
 * Asks for a product's position; undefined where the reader would rather not. In a long catalogue this is quicker
 * than moving step by step.
 *
 * @param {string} name
 * @param {number} position from 1
 * @param {number} count
 * @returns {Promise<number | undefined>}
 */
export function askPosition(name, position, count) {
  /** @type {number | undefined} */
  let wanted;
  const error = h('p', { class: 'error', id: 'position-error', role: 'alert', hidden: true });
  /** @type {HTMLInputElement} */
  const input = h('input', {
    class: 'input short',
    id: 'position',
    inputmode: 'numeric',
    autocomplete: 'off',
    autofocus: true,
    value: String(position),
    'aria-describedby': error.id,
    onfocus: () => input.select(),
  });
  const dialog = openDialog(`Move “${name}”`, (close) => {
    /** @param {Event} event */
    const submit = (event) => {
      event.preventDefault();
      const number = Number(input.value.trim() || Number.NaN);
      const isFine = Number.isInteger(number) && number >= 1 && number <= count;
      error.hidden = isFine;
      error.textContent = isFine ? '' : `Enter a number from 1 to ${count}.`;
      input.setAttribute('aria-invalid', String(!isFine));
      if (!isFine) return input.focus();
      wanted = number;
      close();
    };
    return h(
      'form',
      { class: 'token-form', novalidate: true, onsubmit: submit },
      h('label', { class: 'label', for: 'position', text: `Position, 1 to ${count}` }),
      input,
      error,
      h(
        'div',
        { class: 'ask-actions' },
        h('button', { class: 'button', type: 'button', onclick: close, text: 'Cancel' }),
        h('button', { class: 'button primary', type: 'submit', text: 'Move' }),
      ),
    );
  });
  return dialog.closed.then(() => wanted);
}
