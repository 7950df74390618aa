// Creates elements without markup. Strings always become text, so input of visitors or owners never becomes HTML.

export type Child = Node | string | number | boolean | null | undefined | readonly Child[];

export type Attributes = Record<string, unknown> & {
  [Name in keyof HTMLElementEventMap as `on${Name}`]?:
    | ((event: HTMLElementEventMap[Name]) => unknown)
    | null;
};

/** The label and the action of a button. */
export interface Action {
  readonly label: string;
  run(): unknown;
}

/**
 * Creates an element with attributes, listeners such as `onclick`, and children. Strings become text nodes. Null,
 * undefined and false are ignored. `text` and `value` are set as properties.
 */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
  element.append(...nodesOf(children));
  return element;
}

function nodesOf(child: Child): (Node | string)[] {
  if (child instanceof Node) return [child];
  if (isList(child)) return child.flatMap(nodesOf);
  return isPresent(child) ? [String(child)] : [];
}

/** Returns whether the child is a list. The type of `Array.isArray` does not include read-only arrays. */
function isList(child: Child): child is readonly Child[] {
  return Array.isArray(child);
}

function isPresent(value: unknown): boolean {
  return value !== null && value !== undefined && value !== false;
}

function setAttribute(element: HTMLElement, name: string, value: unknown): void {
  if (!isPresent(value)) return;
  if (name.startsWith('on')) {
    // `Attributes` allows only listeners under these names.
    element.addEventListener(name.slice(2), value as EventListener);
  } else if (name === 'text') element.textContent = String(value);
  else if (name === 'value') Object.assign(element, { value });
  else element.setAttribute(name, value === true ? '' : String(value));
}

/** Returns the element with this ID, which the page's markup always contains. */
export function byId<Kind extends HTMLElement = HTMLElement>(id: string): Kind {
  return document.getElementById(id) as Kind;
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

/** Creates a decorative line icon in the color of the surrounding text. */
export function icon(name: keyof typeof paths): SVGElement {
  const element = document.createElementNS(svg, 'svg');
  element.setAttribute('class', 'icon');
  element.setAttribute('viewBox', '0 0 24 24');
  element.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(svg, 'path');
  path.setAttribute('d', paths[name]);
  element.append(path);
  return element;
}

interface Notice {
  readonly title: string;
  readonly text: string;
  readonly failed?: boolean;
  readonly level?: 'h2' | 'h3' | undefined;
  readonly action?: Action | undefined;
}

/** Creates a notice that replaces missing content or reports a failure. */
export function notice({ title, text, failed = false, level = 'h3', action }: Notice): HTMLElement {
  return h(
    'div',
    { class: failed ? 'notice failed' : 'notice', role: failed ? 'alert' : null },
    h('div', { class: 'mark', 'aria-hidden': 'true' }),
    h(level, { text: title }),
    h('p', { text }),
    action && actionButton(action),
  );
}

/** Creates a button that first moves the focus to an ancestor, because the button is removed with the notice. */
function actionButton({ label, run }: Action): HTMLElement {
  const button = h('button', { class: 'button', type: 'button', text: label });
  button.addEventListener('click', () => {
    button.closest<HTMLElement>('[tabindex="-1"]')?.focus();
    run();
  });
  return button;
}

/** Creates a notice about a failure, with a button to retry. */
export function failureNotice(
  title: string,
  error: { readonly message: string },
  retry: () => unknown,
  level?: 'h2' | 'h3',
): HTMLElement {
  const action = { label: 'Try again', run: retry };
  return notice({ title, text: error.message, failed: true, level, action });
}
