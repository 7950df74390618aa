import { h } from './dom.js';

/**
 * A picture in a frame; where there is none, or it does not load, the first letter of the name takes
 * its place. `alt` is empty where the name stands beside the picture.
 *
 * @param {{ image: string, name: string, alt?: string, eager?: boolean, className?: string }} options
 */
export function picture({ image, name, alt = '', eager = false, className = '' }) {
  const frame = h('div', { class: `picture ${className}` });
  const source = pictureUrl(image);
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

/**
 * The address if it is one a browser may load as a picture: http, https or a path here.
 *
 * @param {unknown} image
 */
export function pictureUrl(image) {
  if (typeof image !== 'string' || image.trim() === '') return undefined;
  const url = URL.parse?.(image, location.origin) ?? parseUrl(image);
  return url && ['http:', 'https:'].includes(url.protocol) ? url.href : undefined;
}

/** @param {string} image */
function parseUrl(image) {
  try {
    return new URL(image, location.origin);
  } catch {
    return null;
  }
}

/**
 * @param {HTMLElement} frame
 * @param {string} name
 */
function showMonogram(frame, name) {
  frame.classList.add('empty');
  frame.replaceChildren(
    h('span', { class: 'monogram', 'aria-hidden': 'true', text: monogramOf(name) }),
  );
  return frame;
}

/**
 * The first letter of a name, as a capital.
 *
 * @param {string} name
 */
export function monogramOf(name) {
  const [letter = '·'] = name.trim();
  return letter.toLocaleUpperCase();
}
