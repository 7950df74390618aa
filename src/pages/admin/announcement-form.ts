import type { Announcement, AnnouncementAnswer } from '#validators/site';
import { h } from '../shared/dom.ts';
import { formatDate } from '../shared/format.ts';
import { createChecks, required } from './checks.ts';
import { longTextField, switchField, textField } from './fields.ts';
import { createForm } from './form.ts';
import type { ViewOptions } from './parts.ts';
import { backLink, gone, loadFailure, previewPane, skeleton } from './parts.ts';
import type { Words } from './words/en.ts';

/** The editor of one announcement, or of a new one where `id` is undefined. */
export function showAnnouncementForm({
  place,
  words,
  api,
  records,
  toast,
  id,
  leave,
}: ViewOptions) {
  const { news } = words;
  const isNew = id === undefined;
  const heading = h('h1', {
    tabindex: '-1',
    text: isNew ? news.add : news.editTitle,
  });
  const body = h('div', { 'aria-busy': 'true' }, skeleton());
  const path = `/api/admin/announcements/${id}`;
  let form: ReturnType<typeof createForm> | undefined;
  /** the version that is edited */
  let etag: string | undefined;
  place.replaceChildren(backLink('#announcements', news.all), heading, body);

  const read = async (): Promise<Omit<Announcement, 'id'>> => {
    if (isNew) return { title: '', date: today(), content: '', active: true };
    const version = await records.read<Announcement>(path);
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
          ? gone(news.gone, words)
          : loadFailure(news.notLoaded, error, words, load),
      );
    }
    body.setAttribute('aria-busy', 'false');
  };

  const open = (announcement: Omit<Announcement, 'id'>) => {
    const preview = createPreview(words);
    form = createForm({
      words,
      fields: announcementFields(words),
      values: announcement,
      whole: isNew,
      saveLabel: isNew ? news.add : words.saveChanges,
      cancel: h('a', { class: 'button', href: '#announcements', text: words.cancel }),
      changed: preview.show,
      preview: preview.element,
      reread: read,
      save: async (values, saved) => {
        const data = await save(values);
        saved();
        toast.show(data.active ? news.shown(data.title) : news.savedHidden(data.title));
        leave('#announcements', data.id);
      },
    });
    body.replaceChildren(form.element);
  };

  const save = async (values: unknown): Promise<Announcement> => {
    if (!isNew) return (await records.write<Announcement>(path, values, etag)).value;
    const options = { method: 'POST', body: values };
    return (await api<AnnouncementAnswer>('/api/admin/announcements', options)).data;
  };

  return {
    title: heading.textContent ?? '',
    isDirty: () => form?.isDirty() ?? false,
    save: () => form?.save(),
    ready: load(),
  };
}

function announcementFields(words: Words) {
  const { news, faults, product } = words;
  const { atMost } = createChecks(words);
  return [
    textField('title', news.title, {
      required: true,
      hint: product.onlyRequired,
      checks: [required(faults.title), atMost(200)],
    }),
    textField('date', news.date, {
      type: 'date',
      class: 'input short',
      hint: news.dateHint,
      checks: [required(faults.date)],
    }),
    longTextField('content', news.text, { rows: 6, checks: [atMost(20_000)] }),
    switchField('active', news.show, news.showHint),
  ];
}

function createPreview(words: Words) {
  const { news } = words;
  const item = h('div', { class: 'preview-news' });
  const show = ({ title, date, content, active }: Omit<Announcement, 'id'>) => {
    item.replaceChildren(
      h('p', { class: 'detail-category', text: date ? formatDate(date, words) : news.today }),
      h('p', { class: 'preview-name', text: title.trim() || news.title }),
      h('p', { class: 'preview-content', text: content }),
      ...(active ? [] : [h('p', { class: 'badge', text: news.hiddenNow })]),
    );
  };
  return { element: previewPane(words, item), show };
}

/** Today here, as an ISO date (the Swedish way of writing one). */
function today() {
  return new Intl.DateTimeFormat('sv-SE').format(new Date());
}
