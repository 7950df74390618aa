import { h } from '../../shared/dom.ts';
import { lettersOf } from './names.js';

/** @typedef {{ kind: 'user' | 'chat', id: number, name: string, avatar: string }} Portrayed */

/**
 * Returns the address of a picture on this site. Falls back to the picture that the site draws for the name, because
 * pictures on other origins would reveal to their owners who reads the chat.
 *
 * @param {Portrayed} portrayed
 * @param {string} origin
 */
export function avatarUrl({ kind, id, name, avatar }, origin) {
  return sameOriginUrl(avatar, origin) ?? drawnUrl({ kind, id, name });
}

/** @param {Pick<Portrayed, 'kind' | 'id' | 'name'>} portrayed */
function drawnUrl({ kind, id, name }) {
  return `/avatars/${kind}/${id}/${encodeURIComponent(lettersOf(name))}.svg`;
}

/** @param {string} avatar @param {string} origin */
function sameOriginUrl(avatar, origin) {
  if (avatar === '') return undefined;
  try {
    const url = new URL(avatar, origin);
    return url.origin === origin ? url.href : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Creates a picture without alternative text, because the name is next to it. `show` changes the picture.
 *
 * @param {Portrayed} portrayed
 * @param {string} [className]
 */
export function createAvatar(portrayed, className = '') {
  let drawn = drawnUrl(portrayed);
  const element = h('img', {
    class: `avatar ${className}`,
    alt: '',
    width: 44,
    height: 44,
    decoding: 'async',
    draggable: 'false',
    onerror: () => {
      if (element.getAttribute('src') !== drawn) element.src = drawn;
    },
  });
  /** @param {Portrayed} next */
  const show = (next) => {
    drawn = drawnUrl(next);
    const address = avatarUrl(next, location.origin);
    if (element.getAttribute('src') !== address) element.src = address;
  };
  show(portrayed);
  return { element, show };
}
