import type { Product } from '#validators/site';
import { h } from '../shared/dom.ts';
import { iconButton } from './parts.ts';
import { few } from './product-list.ts';
import { parseLeft, stockText } from './stock.ts';
import type { Words } from './words/en.ts';

/**
 * The pieces left, as a button that turns into a field. Enter saves it, Escape cancels.
 * @param store returns what went wrong
 */
export function stockCell(
  product: Product,
  left: number | null,
  words: Words,
  store: (product: Product, left: number | null) => Promise<string | undefined>,
) {
  const cell = h('div', { class: 'stock' });
  const show = (count: number | null) => {
    const button = h('button', {
      class: `stock-button ${kindOf(count)}`,
      type: 'button',
      'aria-label': words.stock.change(stockText(count, words), product.name),
      onclick: () => edit(count),
      text: stockText(count, words),
    });
    cell.replaceChildren(button);
    return button;
  };

  const edit = (count: number | null) => {
    const form = stockForm(product, count, words, {
      leave: () => show(count).focus(),
      store: async (typed) => {
        const problem = typed === count ? undefined : await store(product, typed);
        if (problem === undefined && cell.isConnected) show(typed).focus();
        return problem;
      },
    });
    cell.replaceChildren(form);
    const input = form.querySelector('input');
    input?.focus();
    input?.select();
  };

  show(left);
  return cell;
}

function kindOf(left: number | null) {
  if (left === 0) return 'sold-out';
  return left !== null && left <= few ? 'few' : '';
}

function stockForm(
  { id, name }: Product,
  left: number | null,
  { stock }: Words,
  {
    leave,
    store,
  }: {
    leave: () => void;
    store: (left: number | null) => Promise<string | undefined>;
  },
) {
  const error = h('p', { class: 'error', id: `left-${id}-error`, role: 'alert', hidden: true });
  const input = h('input', {
    class: 'input',
    inputmode: 'numeric',
    autocomplete: 'off',
    value: left === null ? '' : String(left),
    'aria-label': stock.field(name),
    'aria-describedby': error.id,
  });
  let storing = false;
  const submit = async (event: Event) => {
    event.preventDefault();
    if (storing) return;
    const typed = parseLeft(input.value);
    storing = true;
    const problem = Number.isNaN(typed) ? stock.wrong : await store(typed);
    storing = false;
    error.hidden = problem === undefined;
    error.textContent = problem ?? '';
    if (problem === undefined) return;
    input.setAttribute('aria-invalid', 'true');
    input.focus();
  };
  const onkeydown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    leave();
  };
  const save = iconButton('check', stock.store(name), () => undefined);
  save.type = 'submit';
  return h(
    'form',
    { class: 'stock-form', novalidate: true, onsubmit: submit, onkeydown },
    input,
    save,
    error,
  );
}
