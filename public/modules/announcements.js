import { byId, failureNotice, h, notice } from './dom.js';
import { formatDate } from './format.js';

/** @typedef {import('#validators/site').Announcement} Announcement */

/** Older announcements wait behind a button, so that a long history does not bury the page's foot. */
const shownAtFirst = 3;

/** The public list of announcements, newest first as the service gives them. */
export function createAnnouncements() {
  const place = byId('announcements');
  /** @param {...Node} children */
  const settle = (...children) => {
    place.setAttribute('aria-busy', 'false');
    place.replaceChildren(...children);
  };
  return {
    showLoading() {
      place.setAttribute('aria-busy', 'true');
      place.replaceChildren(h('div', { class: 'news-list' }, skeletonItem(), skeletonItem()));
    },
    /** @param {readonly Announcement[]} list */
    show(list) {
      if (list.length === 0) settle(noNews());
      else settle(...newsList(list));
    },
    /**
     * @param {Error} error
     * @param {() => unknown} retry
     */
    showFailure(error, retry) {
      settle(failureNotice('The news could not be loaded', error, retry));
    },
  };
}

/** @param {readonly Announcement[]} list */
function newsList(list) {
  const items = h(
    'ul',
    { class: 'news-list', role: 'list' },
    list.slice(0, shownAtFirst).map(newsItem),
  );
  const rest = list.slice(shownAtFirst);
  if (rest.length === 0) return [items];
  const more = h('button', {
    class: 'button news-more',
    type: 'button',
    text: `Show older news (${rest.length})`,
    onclick: () => {
      const added = rest.map(newsItem);
      items.append(...added);
      more.remove();
      const [first] = added;
      if (!first) return;
      first.tabIndex = -1;
      first.focus();
    },
  });
  return [items, more];
}

/** @param {Announcement} announcement */
function newsItem({ title, date, content }) {
  return h(
    'li',
    { class: 'news-item' },
    h('time', { datetime: date, text: formatDate(date) }),
    h('div', {}, h('h3', { text: title }), content && h('p', { text: content })),
  );
}

function skeletonItem() {
  return h(
    'div',
    { class: 'card news-item', 'aria-hidden': 'true' },
    h('div', { class: 'skeleton line short' }),
    h('div', { class: 'skeleton line' }),
  );
}

function noNews() {
  return notice({
    title: 'No news at the moment',
    text: 'When there is something to tell, it stands here.',
  });
}
