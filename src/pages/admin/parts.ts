import { h, icon, notice } from '../shared/dom.ts';
import type { ApiError } from './api.ts';
import type { Toast } from './dialogs.ts';
import { explain } from './errors.ts';
import type { Records } from './records.ts';
import type { Api, Session } from './session.ts';
import type { Words } from './words/en.ts';

/** What every view gets: where to draw, how to call the service and how to say what has happened. */
export interface ViewOptions {
  place: HTMLElement;
  words: Words;
  api: Api;
  /** for what is no JSON: files up and down */
  session: Session;
  records: Records;
  toast: Toast;
  /** what an editor edits; absent for a new one */
  id?: number;
  /** the row to put the keyboard on */
  focusId?: number;
  /** what the address says beside the section: `q=tea&page=2` */
  search: string;
  /** says the same in the address, without going anywhere */
  keepAddress: (search: string) => void;
  /** the list as it was left last */
  listHash: (section: 'products' | 'announcements') => string;
  /** goes to another view; `id` names the row to continue from */
  leave: (hash: string, id?: number) => void;
  /** Draws the list again if it is still on the page. */
  refresh: () => void;
  setCount: (count: number) => void;
}

/** A button with a text; `kind` is another class, such as `primary`. */
export function textButton(text: string, onclick: () => unknown, kind = '') {
  return h('button', { class: `button ${kind}`, type: 'button', onclick, text });
}

/** A button with an icon only; the label is its name and its tooltip. */
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

/** What a form will look like on the site. */
export function previewPane({ preview }: Words, ...children: readonly Node[]) {
  return h(
    'aside',
    { class: 'preview', 'aria-label': preview },
    h('p', { class: 'preview-label', text: preview }),
    children,
  );
}

/** The way from an editor back to its list. */
export function backLink(href: string, text: string) {
  return h('a', { class: 'back', href }, icon('back'), text);
}

/** Shown where an address names what is not there. */
export function gone(title: string, { goneText }: Words) {
  return notice({ title, text: goneText, level: 'h2' });
}

/** Shown in place of what could not be loaded, with a button to retry. */
export function loadFailure(title: string, error: ApiError, words: Words, retry: () => unknown) {
  return notice({
    title,
    text: explain(error, words),
    failed: true,
    level: 'h2',
    action: { label: words.tryAgain, run: retry },
  });
}

/** Drawn until a list is there, so that nothing jumps when it comes. */
export function skeleton() {
  return h(
    'div',
    { class: 'rows skeleton-rows', 'aria-hidden': 'true' },
    Array.from({ length: 8 }, () => h('div', { class: 'skeleton' })),
  );
}
