import { failureNotice, h, icon, notice } from '../shared/dom.ts';
import { formatDate } from '../shared/format.ts';
import { createDeletion } from './deletion.js';
import { iconButton, skeleton } from './parts.js';
import { createRecentlyDeleted } from './recently-deleted.js';

/** @typedef {import('#validators/site').Announcement} Announcement */

/**
 * The announcement list: open, publish or take down, delete and undo.
 *
 * @param {import('./parts.js').ViewOptions} options
 */
export function showAnnouncements({ place, api, records, toast, setCount, focusId, refresh }) {
  /** @type {Announcement[]} */
  let announcements = [];
  const recent = createRecentlyDeleted('announcements');
  const list = h('div', { 'aria-busy': 'true' }, skeleton());
  const status = h('p', { class: 'visually-hidden', role: 'status' });
  place.replaceChildren(
    h(
      'div',
      { class: 'view-head' },
      h('h1', { tabindex: '-1', text: 'Announcements' }),
      h(
        'a',
        { class: 'button primary', href: '#announcements/new' },
        icon('plus'),
        'Add an announcement',
      ),
    ),
    list,
    recent.element,
    status,
  );

  /**
   * @param {string} selector
   * @returns {HTMLElement | null}
   */
  const find = (selector) => list.querySelector(selector);

  const load = async () => {
    list.setAttribute('aria-busy', 'true');
    try {
      announcements = (await api('/api/admin/announcements')).data;
      draw();
    } catch (error) {
      list.replaceChildren(
        failureNotice('The announcements could not be loaded', error, load, 'h2'),
      );
    }
    list.setAttribute('aria-busy', 'false');
  };

  const draw = () => {
    setCount(announcements.length);
    list.replaceChildren(
      announcements.length === 0
        ? noAnnouncements()
        : h('ul', { class: 'rows', role: 'list' }, announcements.map(row)),
    );
  };

  /** @param {Announcement} announcement */
  const row = (announcement) => {
    const { id, title, date, active } = announcement;
    /** @type {HTMLInputElement} */
    const toggle = h('input', {
      type: 'checkbox',
      role: 'switch',
      class: 'switch',
      checked: active,
      'aria-label': `Show “${title}” on the site`,
      onchange: () => setActive(announcement, toggle),
    });
    return h(
      'li',
      { class: active ? 'row news-row' : 'row news-row off', 'data-id': id },
      h(
        'div',
        { class: 'row-text' },
        h('a', { class: 'row-name', href: `#announcements/${id}`, text: title }),
        h('p', { class: 'row-note', text: formatDate(date) }),
      ),
      h(
        'label',
        { class: 'switch-label' },
        h('span', { 'aria-hidden': 'true', text: active ? 'On the site' : 'Hidden' }),
        toggle,
      ),
      h(
        'div',
        { class: 'row-actions' },
        iconButton('trash', `Delete ${title}`, () => remove(announcement)),
      ),
    );
  };

  /**
   * @param {Announcement} announcement
   * @param {HTMLInputElement} toggle
   */
  const setActive = async ({ id, title }, toggle) => {
    const active = toggle.checked;
    try {
      const path = `/api/admin/announcements/${id}`;
      const { value } = await records.change({
        path,
        known: { active: !active },
        body: { active },
      });
      announcements = announcements.map((other) => (other.id === id ? value : other));
      status.textContent = active ? `“${title}” is on the site.` : `“${title}” is hidden.`;
      draw();
      find(`[data-id="${id}"] .switch`)?.focus();
    } catch (error) {
      toggle.checked = !active;
      toast.show(`“${title}” was not changed. ${error.message}`, { failed: true });
      if (error.status === 404 || error.status === 412) await load();
    }
  };

  /** @param {Announcement} announcement */
  const remove = ({ id, title }) =>
    deletion.remove(
      { id, title },
      'To take it off the site and keep it here, switch it off instead. A deletion can be undone right afterwards.',
    );

  const deletion = createDeletion({
    path: '/api/admin/announcements',
    api,
    toast,
    recent,
    reload: load,
    removed: (id) => {
      announcements = announcements.filter((other) => other.id !== id);
      draw();
    },
    restored: async (id) => {
      if (!list.isConnected) return refresh();
      await load();
      find(`[data-id="${id}"] a`)?.focus();
    },
  });
  recent.onRestore(deletion.restore);

  const focusStart = () => {
    const link = focusId === undefined ? null : find(`[data-id="${focusId}"] a`);
    link?.focus();
    return Boolean(link);
  };
  return { title: 'Announcements', isDirty: () => false, ready: load().then(focusStart) };
}

function noAnnouncements() {
  return notice({
    title: 'No announcements yet',
    text: 'Tell visitors about opening hours, new products or a day off.',
    level: 'h2',
  });
}
