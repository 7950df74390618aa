import { h } from './dom.js';

interface PictureOptions {
  readonly image: string;
  readonly name: string;
  /** The alternative text; empty if the name is next to the picture. */
  readonly alt?: string;
  readonly eager?: boolean;
  readonly className?: string;
}

/**
 * Creates a picture in a frame. If there is no picture or it does not load, shows the first letter of the name instead.
 */
export function picture({
  image,
  name,
  alt = '',
  eager = false,
  className = '',
}: PictureOptions): HTMLElement {
  const frame = h('div', { class: `picture ${className}` });
  const source = pictureUrl(image, location.origin);
  if (!source) return showMonogram(frame, name);
  const element = h('img', {
    alt,
    width: 600,
    height: 600,
    loading: eager ? 'eager' : 'lazy',
    decoding: 'async',
    onerror: () => showMonogram(frame, name),
  });
  element.src = source;
  frame.append(element);
  return frame;
}

/** Returns the absolute address of a picture if it is an http or https address, or a path on the site at `origin`. */
export function pictureUrl(image: unknown, origin: string): string | undefined {
  if (typeof image !== 'string' || image.trim() === '' || !URL.canParse(image, origin)) {
    return undefined;
  }
  const { protocol, href } = new URL(image, origin);
  return ['http:', 'https:'].includes(protocol) ? href : undefined;
}

function showMonogram(frame: HTMLElement, name: string): HTMLElement {
  frame.classList.add('empty');
  frame.replaceChildren(
    h('span', { class: 'monogram', 'aria-hidden': 'true', text: monogramOf(name) }),
  );
  return frame;
}

/** Returns the first letter of a name in upper case. */
export function monogramOf(name: string): string {
  const [letter = '·'] = name.trim();
  return letter.toLocaleUpperCase();
}
