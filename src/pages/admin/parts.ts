import { h, icon, notice } from '../shared/dom.ts';
import type { ApiError } from './api.ts';
import type { Toast } from './dialogs.ts';
import { explain } from './errors.ts';
import type { Records } from './records.ts';
import type { Api, Session } from './session.ts';
import type { Words } from './words/en.ts';

/** The options of every view: where to draw, how to call the service, and how to report results. */
export interface ViewOptions {
  place: HTMLElement;
  words: Words;
  api: Api;
  /** for uploads and downloads of files */
  session: Session;
  records: Records;
  toast: Toast;
  /** whether the person may change more than the stock */
  mayEdit: boolean;
  /** the ID of the edited thing; absent for a new one */
  id?: number;
  /** the row to focus */
  focusId?: number;
  /** the part of the address after the section: `q=tea&page=2` */
  search: string;
  /** stores `search` in the address, without navigation */
  keepAddress: (search: string) => void;
  /** the last address of a list */
  listHash: (section: 'products' | 'announcements') => string;
  /** opens another view; `id` is the row to continue from */
  leave: (hash: string, id?: number) => void;
  /** redraws the list if it is still on the page */
  refresh: () => void;
  setCount: (count: number) => void;
}

/** A button with a text; `kind` is an additional class, such as `primary`. */
export function textButton(text: string, onclick: () => unknown, kind = '') {
  return h('button', { class: `button ${kind}`, type: 'button', onclick, text });
}

/** A button with only an icon; the label is its name and tooltip. */
export function iconButton(
  name: Parameters<typeof icon>[0],
  label: string,
  onclick: () => unknown,
) {
  return h(
    'button',
    { class: 'icon-button', type: 'button', 'aria-label': label, title: label, onclick },
    icon(name),
  );
}

/** A list of at most `most` lines, with the number of the others. */
export function shortList(lines: readonly string[], most: number, { more }: Words) {
  return h(
    'ul',
    {},
    lines.slice(0, most).map((text) => h('li', { text })),
    lines.length > most && h('li', { text: more(lines.length - most) }),
  );
}

/** The preview of a form's content on the site. */
export function previewPane({ preview }: Words, ...children: readonly Node[]) {
  return h(
    'aside',
    { class: 'preview', 'aria-label': preview },
    h('p', { class: 'preview-label', text: preview }),
    children,
  );
}

/** The link from an editor back to its list. */
export function backLink(href: string, text: string) {
  return h('a', { class: 'back', href }, icon('back'), text);
}

/** Shown if the address names something that does not exist. */
export function gone(title: string, { goneText }: Words) {
  return notice({ title, text: goneText, level: 'h2' });
}

/** Shown in place of content that could not be loaded, with a button to retry. */
export function loadFailure(title: string, error: ApiError, words: Words, retry: () => unknown) {
  return notice({
    title,
    text: explain(error, words),
    failed: true,
    level: 'h2',
    action: { label: words.tryAgain, run: retry },
  });
}

/** The placeholder for a list while it loads, so that nothing jumps. */
export function skeleton() {
  return h(
    'div',
    { class: 'rows skeleton-rows', 'aria-hidden': 'true' },
    Array.from({ length: 8 }, () => h('div', { class: 'skeleton' })),
  );
}
