import type { Product } from '#validators/site';
import { h, icon } from '../shared/dom.ts';
import { formatPrice } from '../shared/format.ts';
import { picture } from '../shared/picture.ts';
import { iconButton } from './parts.ts';
import { stockCell } from './stock-cell.ts';
import type { Words } from './words/en.ts';

export type Move = (id: number, step: number, button?: string) => void;
/** The actions of a row. */
export interface RowActs {
  move: Move;
  /** asks for the position */
  moveTo: (product: Product) => unknown;
  remove: (product: Product) => unknown;
  storeLeft: (product: Product, left: number | null) => Promise<string | undefined>;
  select: (id: number, isSelected: boolean, withRange: boolean) => void;
}
interface RowOptions {
  words: Words;
  /** position in the catalogue, from 0 */
  index: number;
  /** length of the catalogue */
  count: number;
  /** true if it cannot be moved, as in a filtered list */
  isFixed: boolean;
  /** whether more than the stock may be changed */
  mayEdit: boolean;
  /** undefined if the stock is not known */
  left: number | null | undefined;
  acts: RowActs;
}

/** One product of the list. */
export function productRow(product: Product, options: RowOptions) {
  const { words, isFixed, mayEdit, left, acts } = options;
  const { id, name, category, price, image } = product;
  const row = h(
    'tr',
    { class: 'row', 'data-id': id },
    h('td', { class: 'cell-select' }, selectBox(product, words, acts.select)),
    h('td', { class: 'cell-place' }, place(product, options)),
    h(
      'th',
      { class: 'cell-name', scope: 'row' },
      picture({ image, name, className: 'thumb' }),
      h('a', {
        class: 'row-name',
        href: mayEdit ? `#products/${id}` : null,
        text: name,
        'aria-keyshortcuts': isFixed ? null : 'Alt+ArrowUp Alt+ArrowDown',
        onkeydown: isFixed ? null : (event) => moveByKey(event, id, acts.move),
      }),
    ),
    h('td', { class: 'cell-category', text: category }),
    h('td', { class: 'cell-price price', text: formatPrice(price, words) }),
    h(
      'td',
      { class: 'cell-stock' },
      left !== undefined && stockCell(product, left, words, acts.storeLeft),
    ),
    h('td', { class: 'cell-actions' }, mayEdit && actions(product, options)),
  );
  if (!isFixed) makeDraggable(row, acts.move);
  return row;
}

export function markSelected(row: HTMLElement, isSelected: boolean) {
  row.classList.toggle('selected', isSelected);
  const box = row.querySelector('input');
  if (box) box.checked = isSelected;
}

function selectBox({ id, name }: Product, { products }: Words, select: RowActs['select']) {
  return h(
    'label',
    { class: 'check' },
    h('input', {
      type: 'checkbox',
      'data-select': id,
      'aria-label': products.select(name),
      onclick: (event) => {
        const box = event.currentTarget as HTMLInputElement;
        select(id, box.checked, event.shiftKey);
      },
    }),
  );
}

function place(product: Product, { words, index, count, isFixed, acts }: RowOptions) {
  const number = String(index + 1);
  if (isFixed) return h('span', { class: 'place', text: number });
  return [
    h('span', { class: 'grip', draggable: 'true', 'aria-hidden': 'true' }, icon('grip')),
    h('button', {
      class: 'place',
      type: 'button',
      'data-move': 'to',
      'aria-label': words.products.place(product.name, index + 1, count),
      onclick: () => acts.moveTo(product),
      text: number,
    }),
  ];
}

function actions(product: Product, { words, index, count, isFixed, acts }: RowOptions) {
  const { products } = words;
  return h(
    'div',
    { class: 'row-actions' },
    !isFixed && moveButton('up', product, products, index === 0, acts.move),
    !isFixed && moveButton('down', product, products, index === count - 1, acts.move),
    iconButton('trash', products.remove(product.name), () => acts.remove(product)),
  );
}

function moveButton(
  direction: 'up' | 'down',
  { id, name }: Product,
  words: Words['products'],
  isEdge: boolean,
  move: Move,
) {
  const button = iconButton(direction, words[direction](name), () => {
    if (!isEdge) move(id, direction === 'up' ? -1 : 1, direction);
  });
  button.dataset.move = direction;
  if (isEdge) button.setAttribute('aria-disabled', 'true');
  return button;
}

function moveByKey(event: KeyboardEvent, id: number, move: Move) {
  if (!event.altKey || !['ArrowUp', 'ArrowDown'].includes(event.key)) return;
  event.preventDefault();
  move(id, event.key === 'ArrowUp' ? -1 : 1);
}

/** Lets the row be dragged by its grip; the buttons do the same. */
function makeDraggable(row: HTMLElement, move: Move) {
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
