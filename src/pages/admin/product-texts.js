import { h, icon, notice } from '../shared/dom.ts';

/**
 * The title, and what adds products.
 *
 * @param {() => unknown} openCsv
 */
export function listHead(openCsv) {
  return h(
    'div',
    { class: 'view-head' },
    h('h1', { tabindex: '-1', text: 'Products' }),
    h(
      'div',
      { class: 'head-actions' },
      h('button', { class: 'button', type: 'button', onclick: openCsv, text: 'Import and export' }),
      h('a', { class: 'button primary', href: '#products/new' }, icon('plus'), 'Add a product'),
    ),
  );
}

/** @param {number | null} left */
export function changedText(left) {
  const now = left === null ? 'is not counted now' : `is ${left} now`;
  return `It has changed meanwhile and ${now}. Enter stores yours all the same.`;
}

/**
 * @param {number} found
 * @param {number} all
 */
export function foundText(found, all) {
  return found === 1 ? `One of ${all} products.` : `${found} of ${all} products.`;
}

export function noProducts() {
  return notice({
    title: 'No products yet',
    text: 'Add the first one with “Add a product”: a name is enough to begin with.',
    level: 'h2',
  });
}

/**
 * @param {string} text
 * @param {() => void} clear
 */
export function noMatches(text, clear) {
  return notice({
    title: text.trim() ? `No product found for “${text.trim()}”` : 'No product is like that',
    text: 'The search goes through names, taglines and categories.',
    level: 'h2',
    action: { label: 'Show all products', run: clear },
  });
}
