import { h } from '../../shared/dom.ts';
import { createAvatar } from './avatar.js';
import { explain } from './problems.js';

/** @typedef {import('./app.js').App} App */
/** @typedef {import('../types.js').Person} Person */

/** Number of items that are added to the list in one step. */
const stepSize = 50;
/** The page size of the service. A shorter page is the last one. */
const pageSize = 1000;
/** Delay between the last keystroke and the search, in milliseconds. */
const typingPause = 250;

/**
 * @template Item
 * @typedef {{ items: readonly Item[], next?: number | undefined }} Page `next` is the `after` of the next page
 */

/**
 * Returns a page of the service without the items that `isWanted` rejects.
 *
 * @template {{ id: number }} Item
 * @param {readonly Item[]} all
 * @param {(item: Item) => boolean} [isWanted]
 * @returns {Page<Item>}
 */
export function pageOf(all, isWanted = () => true) {
  const next = all.length < pageSize ? undefined : all.at(-1)?.id;
  return { items: all.filter(isWanted), next };
}

/**
 * Creates a list that loads pages and shows them in smaller steps. `show` starts again with a different source of
 * pages. Responses from an earlier source are ignored.
 *
 * @template {{ id: number }} Item
 * @param {App} app
 * @param {object} options
 * @param {(item: Item) => HTMLElement} options.row
 * @param {string} options.label
 * @param {() => string} options.none returns the text for an empty list
 */
export function createPagedList({ words, say }, { row, label, none }) {
  const { t } = words;
  let generation = 0;
  /** @type {Item[]} */
  let items = [];
  let shown = 0;
  /** @type {number | undefined} */
  let next;
  /** @type {(after?: number) => Promise<Page<Item>>} */
  let load = async () => ({ items: [] });

  const list = h('ul', { class: 'people', role: 'list', 'aria-label': label });
  const said = h('p', { class: 'hint', hidden: true });
  const more = h('button', {
    class: 'button',
    type: 'button',
    hidden: true,
    onclick: () => grow(),
    text: t('more'),
  });

  /** @param {string} text */
  const setHint = (text) => {
    said.textContent = text;
    said.hidden = text === '';
  };

  const showSome = () => {
    const added = items.slice(shown, shown + stepSize);
    const first = list.children.length;
    list.append(...added.map((item) => h('li', {}, row(item))));
    shown += added.length;
    more.hidden = shown >= items.length && next === undefined;
    return list.children[first]?.querySelector('button');
  };

  /** @returns {Promise<boolean>} */
  const loadMore = async () => {
    const current = generation;
    const page = await load(next);
    if (current !== generation) return false;
    items.push(...page.items);
    next = page.next;
    // If the filter removed all items of a page, the next page may contain matches.
    return page.items.length > 0 || next === undefined ? true : loadMore();
  };

  /** @param {() => Promise<unknown>} work */
  const guard = async (work) => {
    const current = generation;
    try {
      await work();
    } catch (error) {
      if (current === generation) setHint(explain(error, words));
    }
  };

  const grow = () =>
    guard(async () => {
      if (shown >= items.length && !(await loadMore())) return;
      showSome()?.focus();
    });

  /** @param {(after?: number) => Promise<Page<Item>>} from */
  const show = (from) => {
    generation += 1;
    load = from;
    items = [];
    shown = 0;
    next = undefined;
    if (list.children.length === 0) setHint(t('searching'));
    return guard(async () => {
      if (!(await loadMore())) return;
      list.replaceChildren();
      showSome();
      const text = items.length === 0 ? none() : '';
      setHint(text);
      say(text || t('results', { count: items.length }));
    });
  };

  return { element: h('div', { class: 'people-frame' }, said, list, more), show };
}

/**
 * Calls `run` when the user pauses typing.
 *
 * @param {HTMLInputElement | HTMLTextAreaElement} input
 * @param {(text: string) => unknown} run
 */
export function whenTypingPauses(input, run) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => run(input.value.trim()), typingPause);
  });
}

/**
 * Returns the line of a person or chat: the picture, the name and further children.
 *
 * @param {App} app
 * @param {{ kind: 'user' | 'chat', id: number, name: string, avatar: string }} who
 * @param {...import('../../shared/dom.ts').Child} children
 */
export function lineOf({ words }, who, ...children) {
  return [
    createAvatar(who).element,
    h('span', { class: 'person-name' }, h('bdi', { text: words.name(who.name, who.id) })),
    ...children,
  ];
}

/** @param {Person} person */
export function asPortrayed({ id, username, avatar }) {
  return { kind: /** @type {const} */ ('user'), id, name: username, avatar };
}
