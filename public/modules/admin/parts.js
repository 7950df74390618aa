import { h, icon, notice } from '../dom.js';

/** A button with an icon only; the label is its name and its tooltip. */
export function iconButton(name, label, onclick) {
  return h(
    'button',
    { class: 'icon-button', type: 'button', 'aria-label': label, title: label, onclick },
    icon(name),
  );
}

/** The way from an editor back to its list. */
export function backLink(href, text) {
  return h('a', { class: 'back', href }, icon('back'), text);
}

/** Shown where an address names what is not there. */
export function gone(thing) {
  return notice({
    title: `This ${thing} does not exist`,
    text: 'It may have been deleted in another window.',
    level: 'h2',
  });
}
