import { h, notice } from '../../shared/dom.ts';
import { createAvatar } from './avatar.js';
import { icon } from './icons.js';
import { createKeyedList } from './keyed.js';
import { shownAs } from './message-kinds.js';
import { fold } from './names.js';

/** @typedef {import('./app.js').App} App */
/** @typedef {import('./app.js').State} State */
/** @typedef {import('./app.js').ListedChat} ListedChat */
/** @typedef {import('../types.js').Outgoing} Outgoing */
/**
 * @typedef {{ chat: ListedChat, waiting: Outgoing | undefined, isOpen: boolean, today: string }} Entry
 *   `today` is the current day, which determines how times are formatted
 */

/** Maximum number of unread messages that the service counts. */
const maxUnread = 10_000;

/**
 * Creates the list of chats with its search. The Tab key stops at one row. Arrow keys move between rows.
 *
 * @param {App} app
 * @param {{ newChat: (query?: string) => void }} actions
 */
export function createChatList(app, { newChat }) {
  const { t } = app.words;
  /** @type {State} */
  let state = app.state();
  let query = '';
  /** ID of the row where the Tab key stops. @type {string | undefined} */
  let stop;

  const search = h('input', {
    type: 'search',
    id: 'chat-search',
    placeholder: t('searchChats'),
    autocomplete: 'off',
    maxlength: 200,
    dir: 'auto',
    oninput: () => {
      query = search.value;
      update(state);
    },
  });
  const list = h('ul', { class: 'chat-rows', role: 'list', 'aria-label': t('chatList') });
  const message = h('div', { class: 'list-message', role: 'status' });
  const element = h(
    'nav',
    { class: 'list-pane', 'aria-label': t('chatList'), tabindex: '-1' },
    h(
      'div',
      { class: 'list-head' },
      h(
        'search',
        { class: 'search' },
        icon('search'),
        h('label', { class: 'visually-hidden', for: 'chat-search', text: t('searchChats') }),
        search,
      ),
      h(
        'button',
        {
          class: 'icon-button new-chat',
          type: 'button',
          'aria-label': t('newChat'),
          title: t('newChat'),
          'aria-haspopup': 'dialog',
          onclick: () => newChat(),
        },
        icon('plus'),
      ),
    ),
    h('div', { class: 'list-scroll' }, list, message),
  );

  /** @type {import('./keyed.js').KeyedList<Entry>} */
  const rows = createKeyedList(list, {
    keyOf: ({ chat }) => String(chat.id),
    create: ({ chat }) => createRow(app, chat.id),
    onFocusLost: (index) => {
      const links = rowLinks();
      (links[Math.min(index, links.length - 1)] ?? search).focus();
    },
  });

  const rowLinks = () => /** @type {HTMLElement[]} */ ([...list.querySelectorAll('a')]);

  /** Moves the focus with the arrow keys, Home and End. The down arrow key moves it from the search to the list. */
  element.addEventListener('keydown', (event) => {
    const links = rowLinks();
    const index = links.indexOf(/** @type {HTMLElement} */ (event.target));
    if (event.target === search) {
      if (event.key === 'ArrowDown') move(event, links[0]);
      if (event.key === 'Escape' && search.value) clearSearch(event);
      return;
    }
    if (index === -1) return;
    const goal = {
      ArrowDown: links[index + 1],
      ArrowUp: links[index - 1] ?? search,
      Home: links[0],
      End: links.at(-1),
    }[event.key];
    if (goal) move(event, goal);
  });
  list.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement) || !target.dataset.id) return;
    stop = target.dataset.id;
    markStop();
  });

  /** @param {KeyboardEvent} event @param {HTMLElement | undefined} goal */
  const move = (event, goal) => {
    event.preventDefault();
    goal?.focus();
  };

  /** @param {KeyboardEvent} event */
  const clearSearch = (event) => {
    event.preventDefault();
    search.value = '';
    query = '';
    update(state);
  };

  const markStop = () => {
    const links = rowLinks();
    const reached =
      links.find(({ dataset }) => dataset.id === stop) ??
      links.find((link) => link.hasAttribute('aria-current')) ??
      links[0];
    for (const link of links) link.tabIndex = link === reached ? 0 : -1;
  };

  /** @param {State} next */
  const update = (next) => {
    state = next;
    const search = fold(query.trim());
    const today = app.now().toDateString();
    const entries = (state.chats ?? [])
      .filter((chat) => fold(shownName(app, chat)).includes(search))
      .map((chat) => ({
        chat,
        waiting: state.outbox.findLast(({ chatId }) => chatId === chat.id),
        isOpen: chat.id === state.openChatId,
        today,
      }));
    rows.update(entries);
    markStop();
    list.hidden = entries.length === 0;
    showMessage(entries.length);
  };

  let shownMessage = '';
  /** @param {number} count */
  const showMessage = (count) => {
    const kind = messageKind(state, query, count);
    const key = kind === 'no match' ? `${kind} ${query}` : kind;
    if (key === shownMessage) return;
    shownMessage = key;
    message.replaceChildren(...messageOf(kind));
  };

  /** @param {string} kind @returns {Node[]} */
  const messageOf = (kind) => {
    if (kind === 'loading')
      return [skeleton(), h('p', { class: 'visually-hidden', text: t('loading') })];
    if (kind === 'empty') {
      const action = { label: t('newChat'), run: () => newChat() };
      return [notice({ title: t('noChatsTitle'), text: t('noChatsText'), level: 'h2', action })];
    }
    if (kind === 'no match') {
      const action = { label: t('searchPeople'), run: () => newChat(query.trim()) };
      return [notice({ title: t('noMatchTitle'), text: t('noMatchText'), level: 'h2', action })];
    }
    return [];
  };

  return {
    element,
    update,
    /** Focuses a chat's row, or the list if the chat has no row. @param {number | null} chatId */
    focus: (chatId) => {
      const row = rowLinks().find(({ dataset }) => dataset.id === String(chatId));
      (row ?? element).focus();
    },
  };
}

/** @param {State} state @param {string} query @param {number} count */
function messageKind({ chats }, query, count) {
  if (chats === null) return 'loading';
  if (count > 0) return '';
  return chats.length === 0 && query.trim() === '' ? 'empty' : 'no match';
}

function skeleton() {
  const line = () =>
    h(
      'div',
      { class: 'chat-row' },
      h('div', { class: 'skeleton' }),
      h('div', { class: 'skeleton' }),
    );
  return h(
    'div',
    { class: 'list-skeleton', 'aria-hidden': 'true' },
    line(),
    line(),
    line(),
    line(),
  );
}

/** Returns the display name of a chat. @param {App} app @param {ListedChat} chat */
export function shownName({ words }, chat) {
  return words.name(chat.name, chat.id);
}

/**
 * Returns the picture of a chat. For a private chat, this is the picture of the other person.
 *
 * @param {ListedChat} chat
 * @param {number} userId
 * @returns {import('./avatar.js').Portrayed}
 */
export function portraitOf({ id, type, name, avatar, participants }, userId) {
  if (type !== 'private') return { kind: 'chat', id, name, avatar };
  const other = participants.find((participant) => participant !== userId) ?? userId;
  return { kind: 'user', id: other, name, avatar };
}

/**
 * @param {App} app
 * @param {number} id
 * @returns {import('./keyed.js').Part<Entry>}
 */
function createRow(app, id) {
  const { t, listTime, exactTime, number } = app.words;
  const avatar = createAvatar({ kind: 'chat', id, name: '', avatar: '' });
  const mark = h('span', { class: 'row-mark' });
  const name = h('bdi');
  const time = h('time');
  const text = h('span', { class: 'row-text', dir: 'auto' });
  const badge = h('span', { class: 'badge', 'aria-hidden': 'true' });
  const unread = h('span', { class: 'visually-hidden' });
  const link = h(
    'a',
    { class: 'chat-row', href: `#chat-${id}`, 'data-id': id, tabindex: '-1' },
    avatar.element,
    h('span', { class: 'row-top' }, h('span', { class: 'row-name' }, mark, name), time),
    h('span', { class: 'row-bottom' }, text, badge, unread),
  );

  /** @param {Entry} entry */
  const update = ({ chat, waiting, isOpen }) => {
    const user = app.state().user;
    avatar.show(portraitOf(chat, user?.id ?? 0));
    showMark(mark, chat.type, t);
    put(name, shownName(app, chat));
    const at = chat.lastMessage?.createdAt ?? '';
    put(time, waiting ? '' : listTime(at, app.now()));
    time.dateTime = at;
    time.title = exactTime(at);
    put(text, waiting ? t('youSaid', { text: preview(app, waiting) }) : lastWords(app, chat));
    link.classList.toggle('waiting', Boolean(waiting));
    link.classList.toggle('failed', waiting?.state === 'failed');
    const count = chat.unread;
    badge.hidden = count === 0;
    put(badge, count > 999 ? '999+' : number(count));
    put(unread, count === 0 ? '' : unreadWords(count, t));
    link.classList.toggle('unread', count > 0);
    if (isOpen) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  };
  return { element: h('li', {}, link), update };
}

/** @param {number} count @param {import('./words.js').Words['t']} t */
function unreadWords(count, t) {
  return count >= maxUnread ? t('unreadMany', { count: maxUnread }) : t('unread', { count });
}

/**
 * @param {HTMLElement} mark
 * @param {ListedChat['type']} type
 * @param {import('./words.js').Words['t']} t
 */
function showMark(mark, type, t) {
  if (mark.dataset.type === type) return;
  mark.dataset.type = type;
  if (type === 'private') mark.replaceChildren();
  else
    mark.replaceChildren(icon(type), h('span', { class: 'visually-hidden', text: `${t(type)} ` }));
}

/** Sets the text of an element if it has changed. @param {HTMLElement} element @param {string} text */
export function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** @param {App} app @param {ListedChat} chat */
function lastWords(app, { lastMessage, type }) {
  const { t, name } = app.words;
  if (!lastMessage) return t('noMessages');
  const text = preview(app, lastMessage);
  if (lastMessage.senderId === app.state().user?.id) return t('youSaid', { text });
  if (type !== 'group') return text;
  return t('saidBy', { name: name(lastMessage.senderName, lastMessage.senderId), text });
}

/**
 * Returns a preview of a message.
 *
 * @param {App} app
 * @param {{ type: string, text: string }} message
 */
export function preview({ words: { t } }, message) {
  if (shownAs(message) === 'sticker') {
    return t('stickerOf', { name: t(`sticker_${message.text}`) });
  }
  return message.text.slice(0, 300) || t('unreadable');
}
