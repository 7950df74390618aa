import type { ManagedUser } from '#validators/messaging';
import { h } from '../shared/dom.ts';
import { formatDate } from '../shared/format.ts';
import { picture } from '../shared/picture.ts';
import { iconButton } from './parts.ts';
import type { Words } from './words/en.ts';

export type Person = ManagedUser;
type Act = (person: Person) => unknown;

/** A person in the list, with the actions for the account. */
export function personRow(
  person: Person,
  { resetCode, signOut, remove }: { resetCode: Act; signOut: Act; remove: Act },
  words: Words,
) {
  const { people } = words;
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
      h('p', { class: 'row-note', text: people.since(formatDate(createdAt, words)) }),
    ),
    h(
      'div',
      { class: 'row-actions' },
      actButton(people.resetCode, people.resetCodeFor(username), () => resetCode(person)),
      actButton(people.signOut, people.signOutOf(username), () => signOut(person)),
      iconButton('trash', people.remove(username), () => remove(person)),
    ),
  );
}

/** A button whose accessible name starts with its text and names the person. */
function actButton(text: string, label: string, onclick: () => unknown) {
  return h('button', {
    class: 'button quiet',
    type: 'button',
    'aria-label': label,
    title: label,
    onclick,
    text,
  });
}

/** Returns the address of a picture on this server. Other servers could see who views their pictures. */
function ownPicture(avatar: string) {
  if (!URL.canParse(avatar, location.origin)) return '';
  const { origin, pathname } = new URL(avatar, location.origin);
  // Generated avatars are on this server, whatever the public address of the site is.
  return origin === location.origin || pathname.startsWith('/avatars/') ? pathname : '';
}
