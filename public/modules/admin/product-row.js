import { h, icon } from '../dom.js';
import { formatPrice } from '../format.js';
import { picture } from '../picture.js';
import { iconButton } from './parts.js';

/** @typedef {import('#validators/site').Product} Product */
/** @typedef {(id: number, step: number, direction?: 'up' | 'down') => void} Move */

/**
 * One product of the list. `move(id, step, direction)` and `remove(product)` are called for what the
 * reader asks; `isFixed` takes the means of moving away, as in a list that shows only some products.
 *
 * @param {Product} product
 * @param {object} options
 * @param {number} options.index
 * @param {number} options.count
 * @param {boolean} options.isFixed
 * @param {Move} options.move
 * @param {(product: Product) => unknown} options.remove
 */
export function productRow(product, { index, count, isFixed, move, remove }) {
  const { id, name, category, price, image } = product;
  const element = h(
    'li',
    { class: 'row', 'data-id': id },
    h(
      'span',
      { class: 'grip', draggable: isFixed ? null : 'true', hidden: isFixed, 'aria-hidden': 'true' },
      icon('grip'),
    ),
    picture({ image, name, className: 'thumb' }),
    h(
      'div',
      { class: 'row-text' },
      h('a', {
        class: 'row-name',
        href: `#products/${id}`,
        text: name,
        'aria-keyshortcuts': isFixed ? null : 'Alt+ArrowUp Alt+ArrowDown',
        onkeydown: isFixed ? null : (event) => moveByKey(event, id, move),
      }),
      category && h('p', { class: 'row-note', text: category }),
    ),
    h('p', { class: 'price', text: formatPrice(price) }),
    h(
      'div',
      { class: 'row-actions' },
      !isFixed && moveButton('up', product, index === 0, move),
      !isFixed && moveButton('down', product, index === count - 1, move),
      iconButton('trash', `Delete ${name}`, () => remove(product)),
    ),
  );
  if (!isFixed) makeDraggable(element, move);
  return element;
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
