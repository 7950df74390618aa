import { failureNotice, h } from '../shared/dom.ts';
import { formatDate } from '../shared/format.ts';
import { atMost, required } from './checks.js';
import { longTextField, switchField, textField } from './fields.js';
import { createForm } from './form.js';
import { backLink, gone, skeleton } from './parts.js';

/** @typedef {import('#validators/site').Announcement} Announcement */

/**
 * The editor of one announcement, or of a new one where `id` is undefined.
 *
 * @param {import('./parts.js').ViewOptions} options
 */
export function showAnnouncementForm({ place, api, records, toast, id, leave }) {
  const isNew = id === undefined;
  const heading = h('h1', {
    tabindex: '-1',
    text: isNew ? 'New announcement' : 'Edit announcement',
  });
  const body = h('div', { 'aria-busy': 'true' }, skeleton());
  const path = `/api/admin/announcements/${id}`;
  /** @type {ReturnType<typeof createForm> | undefined} */
  let form;
  /** @type {string | undefined} the version that is edited */
  let etag;
  place.replaceChildren(backLink('#announcements', 'All announcements'), heading, body);

  /** @returns {Promise<Omit<Announcement, 'id'>>} */
  const read = async () => {
    if (isNew) return { title: '', date: today(), content: '', active: true };
    const version = await records.read(path);
    etag = version.etag;
    // A date-time is shown as its day; it stays as it is unless the day is changed.
    return { ...version.value, date: version.value.date.slice(0, 10) };
  };

  const load = async () => {
    try {
      open(await read());
    } catch (error) {
      body.replaceChildren(
        error.status === 404
          ? gone('announcement')
          : failureNotice('The announcement could not be loaded', error, load, 'h2'),
      );
    }
    body.setAttribute('aria-busy', 'false');
  };

  /** @param {Omit<Announcement, 'id'>} announcement */
  const open = (announcement) => {
    const preview = createPreview();
    form = createForm({
      fields: announcementFields(),
      values: announcement,
      whole: isNew,
      saveLabel: isNew ? 'Add announcement' : 'Save changes',
      cancel: h('a', { class: 'button', href: '#announcements', text: 'Cancel' }),
      changed: preview.show,
      preview: preview.element,
      reread: read,
      save: async (values, saved) => {
        const data = await save(values);
        saved();
        toast.show(
          data.active ? `“${data.title}” is on the site.` : `“${data.title}” is saved, hidden.`,
        );
        leave('#announcements', data.id);
      },
    });
    body.replaceChildren(form.element);
  };

  /**
   * @param {unknown} values
   * @returns {Promise<Announcement>}
   */
  const save = async (values) => {
    if (!isNew) return (await records.write(path, values, etag)).value;
    return (await api('/api/admin/announcements', { method: 'POST', body: values })).data;
  };

  return {
    title: heading.textContent ?? '',
    isDirty: () => form?.isDirty() ?? false,
    save: () => form?.save(),
    ready: load(),
  };
}

function announcementFields() {
  return [
    textField('title', 'Title', {
      required: true,
      hint: 'The only field that is required.',
      checks: [required('a title'), atMost(200)],
    }),
    textField('date', 'Date', {
      type: 'date',
      class: 'input short',
      hint: 'The newest date stands first.',
      checks: [required('a date')],
    }),
    longTextField('content', 'Text', { rows: 6, checks: [atMost(20_000)] }),
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
