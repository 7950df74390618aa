import { h, icon } from '../dom.js';
import { formatPrice } from '../format.js';
import { picture } from '../picture.js';
import { iconButton } from './parts.js';

/**
 * One product of the list. `move(id, step, direction)` and `remove(product)` are called for what the
 * reader asks; `isFixed` takes the means of moving away, as in a list that shows only some products.
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

function moveButton(direction, { id, name }, isEdge, move) {
  const button = iconButton(direction, `Move ${name} ${direction}`, () => {
    if (!isEdge) move(id, direction === 'up' ? -1 : 1, direction);
  });
  button.dataset.move = direction;
  if (isEdge) button.setAttribute('aria-disabled', 'true');
  return button;
}

function moveByKey(event, id, move) {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!event.altKey || !step) return;
  event.preventDefault();
  move(id, step);
}

/** Dragging by the grip, for those who like it; the buttons do the same. */
function makeDraggable(row, move) {
  row.addEventListener('dragstart', (event) => {
    event.dataTransfer.setData('text/plain', row.dataset.id);
    event.dataTransfer.setDragImage(row, 0, 0);
    row.classList.add('dragged');
  });
  row.addEventListener('dragend', () => row.classList.remove('dragged'));
  row.addEventListener('dragover', (event) => event.preventDefault());
  row.addEventListener('drop', (event) => {
    event.preventDefault();
    const dragged = event.dataTransfer.getData('text/plain');
    const rows = [...row.parentElement.children];
    const from = rows.findIndex((other) => other.dataset.id === dragged);
    if (from >= 0) move(Number(dragged), rows.indexOf(row) - from);
  });
}
