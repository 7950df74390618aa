import { h } from '../shared/dom.ts';
import { formatDate } from '../shared/format.ts';
import { picture } from '../shared/picture.ts';
import { iconButton } from './parts.js';

/** @typedef {import('#validators/messaging').ManagedUser} Person */
/** @typedef {(person: Person) => unknown} Act */

/**
 * Somebody in the list, and what can be done for them.
 *
 * @param {Person} person
 * @param {{ resetCode: Act, signOut: Act, remove: Act }} acts
 */
export function personRow(person, { resetCode, signOut, remove }) {
  const { id, username, email, createdAt } = person;
  return h(
    'li',
    { class: 'row person-row', 'data-id': id },
    picture({ image: ownPicture(person.avatar), name: username, className: 'thumb' }),
    h(
      'div',
      { class: 'row-text' },
      h('p', { class: 'person-name', text: username }),
      h('p', { class: 'row-note', text: email }),
      h('p', { class: 'row-note', text: `Since ${formatDate(createdAt)}` }),
    ),
    h(
      'div',
      { class: 'row-actions' },
      actButton('Reset code', `Reset code for ${username}`, () => resetCode(person)),
      actButton('Sign out', `Sign out ${username} everywhere`, () => signOut(person)),
      iconButton('trash', `Delete the account of ${username}`, () => remove(person)),
    ),
  );
}

/**
 * A button whose name begins with its text and says whom it is about.
 *
 * @param {string} text
 * @param {string} label
 * @param {() => unknown} onclick
 */
function actButton(text, label, onclick) {
  return h('button', {
    class: 'button quiet',
    type: 'button',
    'aria-label': label,
    title: label,
    onclick,
    text,
  });
}

/**
 * The address of a picture that this server has; others could see who looks at them.
 *
 * @param {string} avatar
 */
function ownPicture(avatar) {
  if (!URL.canParse(avatar, location.origin)) return '';
  const { origin, pathname } = new URL(avatar, location.origin);
  // The drawn ones are here by whichever address the site has outside.
  return origin === location.origin || pathname.startsWith('/avatars/') ? pathname : '';
}
