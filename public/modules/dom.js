// Elements without markup: text is only ever text, so nothing a visitor or owner types becomes HTML.

/** @typedef {Node | string | number | boolean | null | undefined | readonly Child[]} Child */
/**
 * @typedef {Record<string, unknown> & {
 *   [Name in keyof HTMLElementEventMap as `on${Name}`]?:
 *     ((event: HTMLElementEventMap[Name]) => unknown) | null
 * }} Attributes
 */
/** @typedef {{ label: string, run: () => unknown }} Action what a button says and does */

/**
 * An element with attributes, listeners (`onclick`) and children. Strings become text nodes; null,
 * undefined and false are left out. `class`, `text` and `value` are set as properties.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
  element.append(.../** @type {Node[]} */ (children.flat().filter(isPresent)));
  return element;
}

/** @param {unknown} child */
function isPresent(child) {
  return child !== null && child !== undefined && child !== false;
}

/**
 * @param {HTMLElement & { value?: unknown }} element
 * @param {string} name
 * @param {any} value
 */
function setAttribute(element, name, value) {
  if (!isPresent(value)) return;
  if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
  else if (name === 'text') element.textContent = value;
  else if (name === 'value') element.value = value;
  else element.setAttribute(name, value === true ? '' : value);
}

/**
 * The element with this id; the pages' own markup, so it is always there.
 *
 * @template {HTMLElement} [Kind=HTMLElement]
 * @param {string} id
 * @returns {Kind}
 */
export function byId(id) {
  return /** @type {Kind} */ (document.getElementById(id));
}

const paths = {
  close: 'M6 6l12 12M18 6L6 18',
  up: 'M12 19V5M6 11l6-6 6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
  trash: 'M4 7h16M10 11v6M14 11v6M6 7l1 13h10l1-13M9 7V4h6v3',
  plus: 'M12 5v14M5 12h14',
  back: 'M19 12H5M11 6l-6 6 6 6',
  check: 'M5 12.5l4.5 4.5L19 7',
  upload: 'M12 16V4M6 10l6-6 6 6M4 20h16',
  sort: 'M8 9l4-4 4 4M8 15l4 4 4-4',
  grip: 'M9 6h.01M9 12h.01M9 18h.01M15 6h.01M15 12h.01M15 18h.01',
};

const svg = 'http://www.w3.org/2000/svg';

/**
 * A decorative line icon, in the colour of the text around it.
 *
 * @param {keyof typeof paths} name
 */
export function icon(name) {
  const element = document.createElementNS(svg, 'svg');
  element.setAttribute('class', 'icon');
  element.setAttribute('viewBox', '0 0 24 24');
  element.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(svg, 'path');
  path.setAttribute('d', paths[name]);
  element.append(path);
  return element;
}

/**
 * What is shown in place of content: nothing there yet, nothing found, or a failure to retry.
 *
 * @param {{ title: string, text: string, failed?: boolean, level?: 'h2' | 'h3', action?: Action }} content
 */
export function notice({ title, text, failed = false, level = 'h3', action }) {
  return h(
    'div',
    { class: failed ? 'notice failed' : 'notice', role: failed ? 'alert' : null },
    h('div', { class: 'mark', 'aria-hidden': 'true' }),
    h(level, { text: title }),
    h('p', { text }),
    action && actionButton(action),
  );
}

/**
 * The button goes away with what it stood in, so the focus is first moved to what stays around it.
 *
 * @param {Action} action
 */
function actionButton({ label, run }) {
  const button = h('button', { class: 'button', type: 'button', text: label });
  button.addEventListener('click', () => {
    /** @type {HTMLElement | null} */ (button.closest('[tabindex="-1"]'))?.focus();
    run();
  });
  return button;
}

/**
 * A failure with the way out of it.
 *
 * @param {string} title
 * @param {{ message: string }} error
 * @param {() => unknown} retry
 * @param {'h2' | 'h3'} [level]
 */
export function failureNotice(title, error, retry, level) {
  const action = { label: 'Try again', run: retry };
  return notice({ title, text: error.message, failed: true, level, action });
}
