import { failureNotice, h, icon, notice } from '../dom.js';
import { formatDate } from '../format.js';
import { ask } from './dialogs.js';
import { iconButton } from './parts.js';

/** @typedef {import('#validators/site').Announcement} Announcement */

/**
 * The announcement list: open, publish or take down, delete and undo.
 *
 * @param {import('./parts.js').ViewOptions} options
 */
export function showAnnouncements({ place, api, toast, setCount, focusId, refresh }) {
  /** @type {Announcement[]} */
  let announcements = [];
  const list = h('div', { 'aria-busy': 'true' });
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
      const { data } = await api(`/api/admin/announcements/${id}`, {
        method: 'PUT',
        body: { active },
      });
      announcements = announcements.map((other) => (other.id === id ? data : other));
      status.textContent = active ? `“${title}” is on the site.` : `“${title}” is hidden.`;
      draw();
      find(`[data-id="${id}"] .switch`)?.focus();
    } catch (error) {
      toggle.checked = !active;
      toast.show(`“${title}” was not changed. ${error.message}`, { failed: true });
      if (error.status === 404) await load();
    }
  };

  /** @param {Announcement} announcement */
  const remove = async (announcement) => {
    const { id, title } = announcement;
    const sure = await ask({
      title: `Delete “${title}”?`,
      text: 'To take it off the site and keep it here, switch it off instead. A deletion can be undone right afterwards.',
      yes: 'Delete',
    });
    if (!sure) return;
    try {
      await api(`/api/admin/announcements/${id}`, { method: 'DELETE' });
    } catch (error) {
      toast.show(`“${title}” was not deleted. ${error.message}`, { failed: true });
      if (error.status === 404) await load();
      return;
    }
    announcements = announcements.filter((other) => other.id !== id);
    draw();
    toast.show(`“${title}” was deleted.`, {
      focus: true,
      action: { label: 'Undo', run: () => restore(announcement) },
    });
  };

  /**
   * The service has no undelete: the announcement is created again.
   *
   * @param {Partial<Announcement>} announcement
   */
  const restore = async ({ id: _, ...content }) => {
    try {
      const { data } = await api('/api/admin/announcements', { method: 'POST', body: content });
      await load();
      find(`[data-id="${data.id}"] a`)?.focus();
      toast.show(`“${data.title}” is back.`);
      if (!list.isConnected) refresh();
    } catch (error) {
      toast.show(`“${content.title}” could not be restored. ${error.message}`, {
        failed: true,
        action: { label: 'Try again', run: () => restore(content) },
      });
    }
  };

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
