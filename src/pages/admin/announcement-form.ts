import type { Announcement, AnnouncementAnswer } from '#validators/site';
import { h } from '../shared/dom.ts';
import { formatDate } from '../shared/format.ts';
import { createChecks, required } from './checks.ts';
import { showEditor } from './editor.ts';
import { longTextField, switchField, textField } from './fields.ts';
import type { ViewOptions } from './parts.ts';
import { backLink, previewPane } from './parts.ts';
import type { Words } from './words/en.ts';

/** The editor of an announcement, or of a new one if `id` is undefined. */
export function showAnnouncementForm(view: ViewOptions) {
  const { words, api, records, toast, id, leave } = view;
  const { news } = words;
  const isNew = id === undefined;
  const title = isNew ? news.add : news.editTitle;
  const path = `/api/admin/announcements/${id}`;
  /** the edited version */
  let etag: string | undefined;

  const save = async (values: unknown): Promise<Announcement> => {
    if (!isNew) return (await records.write<Announcement>(path, values, etag)).value;
    const options = { method: 'POST', body: values };
    return (await api<AnnouncementAnswer>('/api/admin/announcements', options)).data;
  };

  return showEditor<Omit<Announcement, 'id'>>(view, {
    title,
    head: [backLink('#announcements', news.all), h('h1', { tabindex: '-1', text: title })],
    notLoaded: news.notLoaded,
    missing: news.gone,
    read: async () => {
      if (isNew) return { title: '', date: today(), content: '', active: true };
      const version = await records.read<Announcement>(path);
      etag = version.etag;
      // A date-time is shown as its day, and only changes if the day does.
      return { ...version.value, date: version.value.date.slice(0, 10) };
    },
    form: () => {
      const preview = createPreview(words);
      return {
        fields: announcementFields(words),
        whole: isNew,
        saveLabel: isNew ? news.add : words.saveChanges,
        cancel: h('a', { class: 'button', href: '#announcements', text: words.cancel }),
        changed: preview.show,
        preview: preview.element,
        save: async (values, saved) => {
          const data = await save(values);
          saved();
          toast.show(data.active ? news.shown(data.title) : news.savedHidden(data.title));
          leave('#announcements', data.id);
        },
      };
    },
  });
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

/** Returns today's local date in ISO form, which is the Swedish format. */
function today() {
  return new Intl.DateTimeFormat('sv-SE').format(new Date());
}
