import { h } from '../../shared/dom.ts';
import { createAvatar } from './avatar.js';
import { createChatList } from './chat-list.js';
import { openDetails } from './details.js';
import { openNewChat } from './new-chat.js';
import { createRoom } from './room.js';
import { openSettings } from './settings.js';

/** @typedef {import('./app.js').App} App */
/** @typedef {import('./app.js').State} State */

/**
 * Creates the page after sign-in: the list of chats and the open chat, side by side if there is enough space.
 *
 * @param {App} app
 * @param {{ open: (chatId: number | null) => unknown }} actions
 */
export function createShell(app, { open }) {
  const { t } = app.words;
  /** @type {ReturnType<typeof createRoom> | undefined} */
  let room;
  /** @type {number | null} */
  let shown = null;

  const newChat = (query = '') => openNewChat(app, query);
  const list = createChatList(app, { newChat });
  const avatar = createAvatar({ kind: 'user', id: 0, name: '', avatar: '' }, 'small');
  const settings = h(
    'button',
    {
      class: 'bar-settings',
      type: 'button',
      'aria-haspopup': 'dialog',
      onclick: () => openSettings(app),
    },
    h('span', { class: 'bar-name', text: t('settings') }),
    avatar.element,
  );
  const empty = h(
    'div',
    { class: 'room-empty' },
    h(
      'div',
      { class: 'empty-niches', 'aria-hidden': 'true' },
      ['bread', 'tea', 'apricot'].map((name) =>
        h('img', { src: `/stickers/${name}.svg`, alt: '', width: 96, height: 112 }),
      ),
    ),
    h('h2', { text: t('chooseTitle') }),
    h('p', { text: t('chooseText') }),
  );
  const pane = h('div', { class: 'room-pane' }, empty);
  const element = h(
    'div',
    { class: 'chat', 'data-pane': 'list' },
    h(
      'header',
      { class: 'bar' },
      h(
        'div',
        { class: 'bar-body' },
        h(
          'a',
          { class: 'brand', href: '/', title: t('toTheSite') },
          h('img', { src: '/icon.svg', alt: t('toTheSite'), width: 28, height: 28 }),
        ),
        h('h1', { class: 'bar-title', text: t('chats') }),
        settings,
      ),
      h('div', { class: 'ornament' }),
    ),
    h('main', { class: 'panes', id: 'main', tabindex: '-1' }, list.element, pane),
  );

  /** @param {number | null} chatId */
  const show = (chatId) => {
    if (chatId === shown) return;
    room?.end();
    shown = chatId;
    room =
      chatId === null
        ? undefined
        : createRoom(app, chatId, { showDetails: (chat) => openDetails(app, chat) });
    pane.replaceChildren(room?.element ?? empty);
    element.dataset.pane = chatId === null ? 'list' : 'room';
    open(chatId);
  };

  return {
    element,
    list,
    /**
     * Shows the chat that the address selects, and optionally moves the focus.
     *
     * @param {number | null} chatId
     * @param {{ moveFocus: boolean }} options
     */
    follow: (chatId, { moveFocus }) => {
      const before = shown;
      show(chatId);
      room?.update(app.state());
      room?.look();
      if (!moveFocus) return;
      if (room) room.focus();
      else list.focus(before);
    },
    /** @param {State} state */
    update: (state) => {
      if (state.user) {
        const { id, username: name, avatar: picture } = state.user;
        avatar.show({ kind: 'user', id, name, avatar: picture });
        const label = t('settingsOf', { name: app.words.name(name, id) });
        if (settings.title !== label) settings.title = label;
      }
      list.update(state);
      room?.update(state);
    },
    look: () => room?.look(),
    end: () => room?.end(),
    rest: () => (room ? room.focus() : list.focus(null)),
  };
}
