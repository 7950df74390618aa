import type { Announcement, AnnouncementList } from '#validators/site';
import { h, icon, notice } from '../shared/dom.ts';
import { formatDate } from '../shared/format.ts';
import { createDeletion } from './deletion.ts';
import { explain } from './errors.ts';
import type { ViewOptions } from './parts.ts';
import { iconButton, loadFailure, skeleton } from './parts.ts';
import { createRecentlyDeleted } from './recently-deleted.ts';
import type { Words } from './words/en.ts';

/** The list of announcements: open, publish or hide, delete and undo. */
export function showAnnouncements({
  place,
  words,
  api,
  records,
  toast,
  setCount,
  focusId,
  refresh,
}: ViewOptions) {
  const { news, frame } = words;
  let announcements: readonly Announcement[] = [];
  const recent = createRecentlyDeleted('announcements', words);
  const list = h('div', { 'aria-busy': 'true' }, skeleton());
  const status = h('p', { class: 'visually-hidden', role: 'status' });
  place.replaceChildren(
    h(
      'div',
      { class: 'view-head' },
      h('h1', { tabindex: '-1', text: frame.announcements }),
      h('a', { class: 'button primary', href: '#announcements/new' }, icon('plus'), news.add),
    ),
    list,
    recent.element,
    status,
  );

  const find = (selector: string): HTMLElement | null => list.querySelector(selector);

  const load = async () => {
    list.setAttribute('aria-busy', 'true');
    try {
      announcements = (await api<AnnouncementList>('/api/admin/announcements')).data;
      draw();
    } catch (error) {
      list.replaceChildren(loadFailure(news.notLoaded, error, words, load));
    }
    list.setAttribute('aria-busy', 'false');
  };

  const draw = () => {
    setCount(announcements.length);
    list.replaceChildren(
      announcements.length === 0
        ? noNews(words)
        : h('ul', { class: 'rows', role: 'list' }, announcements.map(row)),
    );
  };

  const row = (announcement: Announcement) => {
    const { id, title, date, active } = announcement;
    const toggle: HTMLInputElement = h('input', {
      type: 'checkbox',
      role: 'switch',
      class: 'switch',
      checked: active,
      'aria-label': news.showThis(title),
      onchange: () => setActive(announcement, toggle),
    });
    return h(
      'li',
      { class: active ? 'row news-row' : 'row news-row off', 'data-id': id },
      h(
        'div',
        { class: 'row-text' },
        h('a', { class: 'row-name', href: `#announcements/${id}`, text: title }),
        h('p', { class: 'row-note', text: formatDate(date, words) }),
      ),
      h(
        'label',
        { class: 'switch-label' },
        h('span', { 'aria-hidden': 'true', text: active ? news.onSite : news.hiddenNow }),
        toggle,
      ),
      h(
        'div',
        { class: 'row-actions' },
        iconButton('trash', news.remove(title), () => remove(announcement)),
      ),
    );
  };

  const setActive = async ({ id, title }: Announcement, toggle: HTMLInputElement) => {
    const active = toggle.checked;
    try {
      const path = `/api/admin/announcements/${id}`;
      const { value } = await records.change<Announcement>({
        path,
        known: { active: !active },
        body: { active },
      });
      announcements = announcements.map((other) => (other.id === id ? value : other));
      status.textContent = active ? news.shown(title) : news.hidden(title);
      draw();
      find(`[data-id="${id}"] .switch`)?.focus();
    } catch (error) {
      toggle.checked = !active;
      toast.show(`${news.unchanged(title)} ${explain(error, words)}`, { failed: true });
      if (error.status === 404 || error.status === 412) await load();
    }
  };

  const remove = ({ id, title }: Announcement) => deletion.remove({ id, title }, news.deletion);

  const deletion = createDeletion({
    words,
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
  return { title: frame.announcements, isDirty: () => false, ready: load().then(focusStart) };
}

function noNews({ news }: Words) {
  return notice({ title: news.none, text: news.noneText, level: 'h2' });
}
