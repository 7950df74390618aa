import { h, icon, notice } from '../shared/dom.ts';

/** @typedef {import('./session.js').Api} Api */
/** @typedef {import('./dialogs.js').Toast} Toast */
/**
 * What every view gets: where to draw, how to call the service and how to say what has happened.
 *
 * @typedef {object} ViewOptions
 * @property {HTMLElement} place
 * @property {Api} api
 * @property {import('./session.js').Session} session for what is no JSON: files up and down
 * @property {import('./records.js').Records} records
 * @property {Toast} toast
 * @property {number} [id] what an editor edits; absent for a new one
 * @property {number} [focusId] the row to put the keyboard on
 * @property {string} search what the address says beside the section: `q=tea&page=2`
 * @property {(search: string) => void} keepAddress says the same in the address, without going anywhere
 * @property {(section: 'products' | 'announcements') => string} listHash the list as it was left last
 * @property {(hash: string, id?: number) => void} leave goes to another view; `id` names the row to continue from
 * @property {() => void} refresh draws the list anew where it is still on the page
 * @property {(count: number) => void} setCount
 */

/**
 * A button with an icon only; the label is its name and its tooltip.
 *
 * @param {Parameters<typeof icon>[0]} name
 * @param {string} label
 * @param {() => unknown} onclick
 */
export function iconButton(name, label, onclick) {
  return h(
    'button',
    { class: 'icon-button', type: 'button', 'aria-label': label, title: label, onclick },
    icon(name),
  );
}

/**
 * The way from an editor back to its list.
 *
 * @param {string} href
 * @param {string} text
 */
export function backLink(href, text) {
  return h('a', { class: 'back', href }, icon('back'), text);
}

/**
 * Shown where an address names what is not there.
 *
 * @param {string} thing
 */
export function gone(thing) {
  return notice({
    title: `This ${thing} does not exist`,
    text: 'It may have been deleted in another window.',
    level: 'h2',
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
