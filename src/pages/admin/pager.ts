import { h } from '../shared/dom.ts';
import type { Words } from './words/en.ts';

/** The buttons from page to page. They stay where they are and keep the focus; at an end, one does nothing. */
export function pager({
  words,
  page,
  pages,
  go,
}: {
  words: Words;
  /** from 1 */
  page: number;
  pages: number;
  go: (page: number) => void;
}) {
  const select: HTMLSelectElement = h(
    'select',
    { class: 'input', id: 'page', 'data-page': 'choice', onchange: () => go(Number(select.value)) },
    Array.from({ length: pages }, (_, index) =>
      h('option', { value: String(index + 1), selected: index + 1 === page, text: `${index + 1}` }),
    ),
  );
  const step = ({ label, name, to }: { label: string; name: string; to: number }) => {
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
    { class: 'pager', 'aria-label': words.pages },
    step({ label: words.previous, name: 'previous', to: page - 1 }),
    h('label', { for: 'page', text: words.page }),
    select,
    h('span', { text: words.ofPages(pages) }),
    step({ label: words.next, name: 'next', to: page + 1 }),
  );
}
