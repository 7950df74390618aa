import { h, icon } from '../shared/dom.ts';
import { formatPrice } from '../shared/format.ts';
import { picture } from '../shared/picture.ts';
import { iconButton } from './parts.js';
import { stockCell } from './stock-cell.js';

/** @typedef {import('#validators/site').Product} Product */
/** @typedef {(id: number, step: number, button?: string) => void} Move */
/**
 * What a row does when it is asked to.
 *
 * @typedef {object} RowActs
 * @property {Move} move
 * @property {(product: Product) => unknown} moveTo asks where to
 * @property {(product: Product) => unknown} remove
 * @property {(product: Product, left: number | null) => Promise<string | undefined>} storeLeft
 * @property {(id: number, isSelected: boolean, withRange: boolean) => void} select
 */
/**
 * @typedef {object} RowOptions
 * @property {number} index in the catalogue
 * @property {number} count of the catalogue
 * @property {boolean} isFixed takes the means of moving away, as in a list that shows only some products
 * @property {number | null | undefined} left undefined where the service did not say
 * @property {RowActs} acts
 */

/**
 * One product of the list.
 *
 * @param {Product} product
 * @param {RowOptions} options
 */
export function productRow(product, options) {
  const { isFixed, left, acts } = options;
  const { id, name, category, price, image } = product;
  const row = h(
    'tr',
    { class: 'row', 'data-id': id },
    h('td', { class: 'cell-select' }, selectBox(product, acts.select)),
    h('td', { class: 'cell-place' }, place(product, options)),
    h(
      'th',
      { class: 'cell-name', scope: 'row' },
      picture({ image, name, className: 'thumb' }),
      h('a', {
        class: 'row-name',
        href: `#products/${id}`,
        text: name,
        'aria-keyshortcuts': isFixed ? null : 'Alt+ArrowUp Alt+ArrowDown',
        onkeydown: isFixed ? null : (event) => moveByKey(event, id, acts.move),
      }),
    ),
    h('td', { class: 'cell-category', text: category }),
    h('td', { class: 'cell-price price', text: formatPrice(price) }),
    h(
      'td',
      { class: 'cell-stock' },
      left !== undefined && stockCell(product, left, acts.storeLeft),
    ),
    h('td', { class: 'cell-actions' }, actions(product, options)),
  );
  if (!isFixed) makeDraggable(row, acts.move);
  return row;
}

/**
 * @param {HTMLElement} row
 * @param {boolean} isSelected
 */
export function markSelected(row, isSelected) {
  row.classList.toggle('selected', isSelected);
  const box = row.querySelector('input');
  if (box) box.checked = isSelected;
}

/**
 * @param {Product} product
 * @param {RowActs['select']} select
 */
function selectBox({ id, name }, select) {
  return h(
    'label',
    { class: 'check' },
    h('input', {
      type: 'checkbox',
      'data-select': id,
      'aria-label': `Select ${name}`,
      onclick: (event) => {
        const box = /** @type {HTMLInputElement} */ (event.currentTarget);
        select(id, box.checked, event.shiftKey);
      },
    }),
  );
}

/**
 * @param {Product} product
 * @param {RowOptions} options
 */
function place(product, { index, count, isFixed, acts }) {
  const number = String(index + 1);
  if (isFixed) return h('span', { class: 'place', text: number });
  return [
    h('span', { class: 'grip', draggable: 'true', 'aria-hidden': 'true' }, icon('grip')),
    h('button', {
      class: 'place',
      type: 'button',
      'data-move': 'to',
      'aria-label': `${number} of ${count}: move ${product.name} elsewhere`,
      onclick: () => acts.moveTo(product),
      text: number,
    }),
  ];
}

/**
 * @param {Product} product
 * @param {RowOptions} options
 */
function actions(product, { index, count, isFixed, acts }) {
  return h(
    'div',
    { class: 'row-actions' },
    !isFixed && moveButton('up', product, index === 0, acts.move),
    !isFixed && moveButton('down', product, index === count - 1, acts.move),
    iconButton('trash', `Delete ${product.name}`, () => acts.remove(product)),
  );
}

/**
 * @param {'up' | 'down'} direction
 * @param {Product} product
 * @param {boolean} isEdge
 * @param {Move} move
 */
function moveButton(direction, { id, name }, isEdge, move) {
  const button = iconButton(direction, `Move ${name} ${direction}`, () => {
    if (!isEdge) move(id, direction === 'up' ? -1 : 1, direction);
  });
  button.dataset.move = direction;
  if (isEdge) button.setAttribute('aria-disabled', 'true');
  return button;
}

/**
 * @param {KeyboardEvent} event
 * @param {number} id
 * @param {Move} move
 */
function moveByKey(event, id, move) {
  if (!event.altKey || !['ArrowUp', 'ArrowDown'].includes(event.key)) return;
  event.preventDefault();
  move(id, event.key === 'ArrowUp' ? -1 : 1);
}

/**
 * Dragging by the grip, for those who like it; the buttons do the same.
 *
 * @param {HTMLElement} row
 * @param {Move} move
 */
function makeDraggable(row, move) {
  row.addEventListener('dragstart', (event) => {
    event.dataTransfer?.setData('text/plain', row.dataset.id ?? '');
    event.dataTransfer?.setDragImage(row, 0, 0);
    row.classList.add('dragged');
  });
  row.addEventListener('dragend', () => row.classList.remove('dragged'));
  row.addEventListener('dragover', (event) => event.preventDefault());
  row.addEventListener('drop', (event) => {
    event.preventDefault();
    const dragged = event.dataTransfer?.getData('text/plain');
    const rows = [...(row.parentElement?.children ?? [])];
    const from = rows.findIndex((other) => other.getAttribute('data-id') === dragged);
    if (from >= 0) move(Number(dragged), rows.indexOf(row) - from);
  });
}
