import { h } from '../../shared/dom.ts';
import { createAvatar } from './avatar.js';
import { portraitOf, put, shownName } from './chat-list.js';
import { icon } from './icons.js';

/** @typedef {import('./app.js').App} App */
/** @typedef {import('./app.js').ListedChat} ListedChat */

/**
 * Creates the head of a room: the chat's name, which opens its details, and on phones the button back to the list.
 *
 * @param {App} app
 * @param {() => unknown} onDetails
 */
export function createRoomHead(app, onDetails) {
  const { t } = app.words;
  const avatar = createAvatar({ kind: 'chat', id: 0, name: '', avatar: '' });
  const name = h('bdi');
  const subtitle = h('span', { class: 'room-subtitle' });
  const button = h(
    'button',
    { class: 'room-title', type: 'button', 'aria-haspopup': 'dialog', onclick: onDetails },
    avatar.element,
    h('span', { class: 'room-words' }, h('span', { class: 'room-name' }, name), subtitle),
    icon('more'),
  );
  const heading = h('h2', { tabindex: '-1', hidden: true }, button);
  const element = h(
    'header',
    { class: 'room-head' },
    h(
      'a',
      { class: 'icon-button back', href: '#', 'aria-label': t('back'), title: t('back') },
      icon('back'),
    ),
    heading,
  );
  /** @param {ListedChat} chat */
  const update = (chat) => {
    heading.hidden = false;
    avatar.show(portraitOf(chat, app.state().user?.id ?? 0));
    put(name, shownName(app, chat));
    put(subtitle, subtitleOf(app, chat));
  };
  return { element, update, focus: () => heading.focus() };
}

/** @param {App} app @param {ListedChat} chat */
export function subtitleOf({ words: { t } }, { type, participantCount }) {
  if (type === 'private') return t('private');
  if (type === 'group') return t('members', { count: participantCount });
  // The owner of a channel is a participant but not a subscriber.
  return t('subscribers', { count: Math.max(0, participantCount - 1) });
}
