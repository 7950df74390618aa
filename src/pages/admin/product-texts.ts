import { h, icon, notice } from '../shared/dom.ts';
import { textButton } from './parts.ts';
import { stockText } from './stock.ts';
import type { Words } from './words/en.ts';

/** The title, and the buttons that add products. */
export function listHead({ frame, products }: Words, openCsv: () => unknown) {
  return h(
    'div',
    { class: 'view-head' },
    h('h1', { tabindex: '-1', text: frame.products }),
    h(
      'div',
      { class: 'head-actions' },
      textButton(products.table, openCsv),
      h('a', { class: 'button primary', href: '#products/new' }, icon('plus'), products.add),
    ),
  );
}

/** The title for people who may change the stock only. */
export function plainHead({ frame }: Words) {
  return h('div', { class: 'view-head' }, h('h1', { tabindex: '-1', text: frame.products }));
}

export function changedText(left: number | null, words: Words) {
  return words.stock.changed(stockText(left, words));
}

export function noProducts({ products }: Words) {
  return notice({ title: products.none, text: products.noneText, level: 'h2' });
}

export function noMatches(text: string, { products }: Words, clear: () => void) {
  const query = text.trim();
  return notice({
    title: query ? products.noneFor(query) : products.noneLike,
    text: products.searched,
    level: 'h2',
    action: { label: products.showAll, run: clear },
  });
}
