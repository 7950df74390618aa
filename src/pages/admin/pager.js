import { h } from '../shared/dom.ts';

/**
 * The way from page to page. The buttons stay where they are and keep the focus; at an end one does nothing.
 *
 * @param {object} options
 * @param {number} options.page from 1
 * @param {number} options.pages
 * @param {(page: number) => void} options.go
 */
export function pager({ page, pages, go }) {
  /** @type {HTMLSelectElement} */
  const select = h(
    'select',
    { class: 'input', id: 'page', 'data-page': 'choice', onchange: () => go(Number(select.value)) },
    Array.from({ length: pages }, (_, index) =>
      h('option', { value: String(index + 1), selected: index + 1 === page, text: `${index + 1}` }),
    ),
  );
  /** @param {{ label: string, name: string, to: number }} button */
  const step = ({ label, name, to }) => {
    const isEnd = to < 1 || to > pages;
    return h('button', {
      class: 'button',
      type: 'button',
      'data-page': name,
      'aria-disabled': isEnd ? 'true' : null,
      onclick: () => (isEnd ? undefined : go(to)),
      text: label,
    });
  };
  return h(
    'nav',
    { class: 'pager', 'aria-label': 'Pages' },
    step({ label: 'Previous', name: 'previous', to: page - 1 }),
    h('label', { for: 'page', text: 'Page' }),
    select,
    h('span', { text: `of ${pages}` }),
    step({ label: 'Next', name: 'next', to: page + 1 }),
  );
}
