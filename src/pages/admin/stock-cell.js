import { h } from '../shared/dom.ts';
import { iconButton } from './parts.js';
import { few } from './product-list.js';
import { leftHint, parseLeft, stockText } from './stock.js';

/** @typedef {import('#validators/site').Product} Product */

/**
 * How many pieces are left; a press turns it into a field, Enter stores, Escape leaves it as it was.
 *
 * @param {Product} product
 * @param {number | null} left
 * @param {(product: Product, left: number | null) => Promise<string | undefined>} store gives what went wrong
 */
export function stockCell(product, left, store) {
  const cell = h('div', { class: 'stock' });
  const show = (/** @type {number | null} */ count) => {
    const button = h('button', {
      class: `stock-button ${kindOf(count)}`,
      type: 'button',
      'aria-label': `${stockText(count)}: change the stock of ${product.name}`,
      onclick: () => edit(count),
      text: stockText(count),
    });
    cell.replaceChildren(button);
    return button;
  };

  const edit = (/** @type {number | null} */ count) => {
    const form = stockForm(product, count, {
      leave: () => show(count).focus(),
      store: async (wanted) => {
        const problem = wanted === count ? undefined : await store(product, wanted);
        if (problem === undefined && cell.isConnected) show(wanted).focus();
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

/** @param {number | null} left */
function kindOf(left) {
  if (left === 0) return 'sold-out';
  return left !== null && left <= few ? 'few' : '';
}

/**
 * @param {Product} product
 * @param {number | null} left
 * @param {object} options
 * @param {() => void} options.leave
 * @param {(left: number | null) => Promise<string | undefined>} options.store
 */
function stockForm({ id, name }, left, { leave, store }) {
  const error = h('p', { class: 'error', id: `left-${id}-error`, role: 'alert', hidden: true });
  const input = h('input', {
    class: 'input',
    inputmode: 'numeric',
    autocomplete: 'off',
    value: left === null ? '' : String(left),
    placeholder: 'not counted',
    'aria-label': `Left of ${name}; empty if not counted`,
    'aria-describedby': error.id,
  });
  let storing = false;
  /** @param {Event} event */
  const submit = async (event) => {
    event.preventDefault();
    if (storing) return;
    const wanted = parseLeft(input.value);
    storing = true;
    const problem = Number.isNaN(wanted) ? leftHint : await store(wanted);
    storing = false;
    error.hidden = problem === undefined;
    error.textContent = problem ?? '';
    if (problem === undefined) return;
    input.setAttribute('aria-invalid', 'true');
    input.focus();
  };
  /** @param {KeyboardEvent} event */
  const onkeydown = (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    leave();
  };
  const save = iconButton('check', `Store the stock of ${name}`, () => undefined);
  save.type = 'submit';
  return h(
    'form',
    { class: 'stock-form', novalidate: true, onsubmit: submit, onkeydown },
    input,
    save,
    error,
  );
}
