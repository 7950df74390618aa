import { failureNotice, h } from '../dom.js';
import { formatDate } from '../format.js';
import { longTextField, switchField, textField } from './fields.js';
import { createForm } from './form.js';
import { backLink, gone } from './parts.js';

/** @typedef {import('#validators/site').Announcement} Announcement */

/**
 * The editor of one announcement, or of a new one where `id` is undefined.
 *
 * @param {import('./parts.js').ViewOptions} options
 */
export function showAnnouncementForm({ place, api, toast, id, leave }) {
  const isNew = id === undefined;
  const heading = h('h1', {
    tabindex: '-1',
    text: isNew ? 'New announcement' : 'Edit announcement',
  });
  const body = h('div', { 'aria-busy': 'true' });
  /** @type {ReturnType<typeof createForm> | undefined} */
  let form;
  place.replaceChildren(backLink('#announcements', 'All announcements'), heading, body);

  const load = async () => {
    try {
      const { data } = await api('/api/admin/announcements');
      const announcement = data.find(
        (/** @type {Announcement} */ candidate) => candidate.id === id,
      );
      if (!isNew && !announcement) body.replaceChildren(gone('announcement'));
      else open(announcement ?? { title: '', date: today(), content: '', active: true });
    } catch (error) {
      body.replaceChildren(
        failureNotice('The announcement could not be loaded', error, load, 'h2'),
      );
    }
    body.setAttribute('aria-busy', 'false');
  };

  /** @param {Omit<Announcement, 'id'>} announcement */
  const open = (announcement) => {
    const preview = createPreview();
    form = createForm({
      fields: announcementFields(),
      // A date-time is shown as its day; it stays as it is unless the day is changed.
      values: { ...announcement, date: announcement.date.slice(0, 10) },
      whole: isNew,
      saveLabel: isNew ? 'Add announcement' : 'Save changes',
      cancel: h('a', { class: 'button', href: '#announcements', text: 'Cancel' }),
      changed: preview.show,
      preview: preview.element,
      save: async (values, saved) => {
        const { data } = await save(values);
        saved();
        toast.show(
          data.active ? `“${data.title}” is on the site.` : `“${data.title}” is saved, hidden.`,
        );
        leave('#announcements', data.id);
      },
    });
    body.replaceChildren(form.element);
  };

  /** @param {unknown} values */
  const save = (values) =>
    isNew
      ? api('/api/admin/announcements', { method: 'POST', body: values })
      : api(`/api/admin/announcements/${id}`, { method: 'PUT', body: values });

  return {
    title: heading.textContent ?? '',
    isDirty: () => form?.isDirty() ?? false,
    ready: load(),
  };
}

function announcementFields() {
  return [
    textField('title', 'Title', { required: true, hint: 'The only field that is required.' }),
    textField('date', 'Date', {
      type: 'date',
      class: 'input short',
      hint: 'The newest date stands first.',
    }),
    longTextField('content', 'Text', { rows: 6 }),
    switchField(
      'active',
      'Show on the site',
      'Switched off, it is kept here and hidden from visitors.',
    ),
  ];
}

function createPreview() {
  const item = h('div', { class: 'preview-news' });
  /** @param {Omit<Announcement, 'id'>} values */
  const show = ({ title, date, content, active }) => {
    item.replaceChildren(
      h('p', { class: 'detail-category', text: date ? formatDate(date) : 'Today' }),
      h('p', { class: 'preview-name', text: title.trim() || 'Title' }),
      h('p', { class: 'preview-content', text: content }),
      ...(active ? [] : [h('p', { class: 'badge', text: 'Hidden from visitors' })]),
    );
  };
  const element = h(
    'aside',
    { class: 'preview', 'aria-label': 'Preview' },
    h('p', { class: 'preview-label', text: 'Preview' }),
    item,
  );
  return { element, show };
}

/** Today here, as an ISO date (the Swedish way of writing one). */
function today() {
  return new Intl.DateTimeFormat('sv-SE').format(new Date());
}
