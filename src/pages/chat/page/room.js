import { h, notice } from '../../shared/dom.ts';
import { preview, put, shownName } from './chat-list.js';
import { createComposer } from './composer.js';
import { icon } from './icons.js';
import { createKeyedList } from './keyed.js';
import { createRowPart } from './message-part.js';
import { explain } from './problems.js';
import { createRoomHead } from './room-head.js';
import { boundaryOf, rowsOf } from './rows.js';
import { createScrollPosition } from './scroll-position.js';

/** @typedef {import('./app.js').App} App */
/** @typedef {import('./app.js').State} State */
/** @typedef {import('./app.js').ListedChat} ListedChat */
/** @typedef {import('../types.js').Message} Message */
/** @typedef {import('../types.js').Room} Room */

/** Distance from the top at which earlier messages are loaded, in pixels. */
const nearTop = 600;
/** Maximum number of new messages per update that are announced to screen readers. */
const maxReported = 3;

/**
 * Creates the view of a chat: its head, its messages and the form for a message.
 *
 * @param {App} app
 * @param {number} chatId
 * @param {{ showDetails: (chat: ListedChat) => unknown }} actions
 */
export function createRoom(app, chatId, { showDetails }) {
  const { client, words } = app;
  const { t } = words;
  /** @type {ListedChat | undefined} */
  let chat;
  /** The ID of the message above the line "New messages". @type {number | null} */
  let boundary = null;
  /** The messages at the last update. @type {readonly Message[] | undefined} */
  let noticed;
  let lastOutgoing = '';
  let newBelow = 0;
  let isPlaced = false;
  /** The message ID of the last read mark, so that no mark is set twice. */
  let marked = 0;

  const head = createRoomHead(app, () => chat && showDetails(chat));
  const top = h('div', { class: 'room-top' });
  const rowList = h('ol', { class: 'message-rows', role: 'list' });
  const scroller = h(
    'div',
    { class: 'scroller', role: 'log', 'aria-live': 'off', tabindex: '0' },
    top,
    rowList,
  );
  const jumpCount = h('span', { class: 'jump-count' });
  const jump = h(
    'button',
    {
      class: 'jump',
      type: 'button',
      hidden: true,
      onclick: () => {
        position.toEnd();
        composer.focus();
      },
    },
    jumpCount,
    icon('down'),
  );
  const composer = createComposer(app, chatId, {
    onPost: () => {
      boundary = null;
    },
  });
  const note = h('p', { class: 'composer-note', hidden: true });
  const element = h(
    'section',
    { class: 'room', 'aria-label': t('chats') },
    head.element,
    h('div', { class: 'room-middle' }, scroller, jump),
    note,
    composer.element,
  );

  const position = createScrollPosition(scroller, rowList);
  /** @type {import('./keyed.js').KeyedList<import('./rows.js').Row>} */
  const rows = createKeyedList(rowList, {
    keyOf: ({ key }) => key,
    create: (row) => createRowPart(app, row),
    onFocusLost: () => composer.focus(),
  });

  scroller.addEventListener('scroll', () => {
    position.remember();
    follow(app.state());
  });

  /** Updates everything that depends on the scroll position. @param {State} state */
  const follow = (state) => {
    const room = state.rooms[chatId];
    const isAtEnd = position.isAtEnd();
    if (isAtEnd) newBelow = 0;
    jump.hidden = isAtEnd || !isPlaced;
    put(jumpCount, newBelow > 0 ? words.number(newBelow) : '');
    const label =
      newBelow > 0 ? `${t('toLatest')}, ${t('newBelow', { count: newBelow })}` : t('toLatest');
    if (jump.getAttribute('aria-label') !== label) jump.setAttribute('aria-label', label);
    if (!room || !isPlaced) return;
    const wantsMore = scroller.scrollTop < nearTop;
    if (wantsMore && room.hasOlder && !room.isLoading && !room.error) client.loadOlder(chatId);
    if (isAtEnd) markRead(room);
  };

  /** @param {Room} room */
  const markRead = ({ messages }) => {
    const last = messages.at(-1)?.id ?? 0;
    if (document.visibilityState !== 'visible' || !chat || chat.unread === 0) return;
    if (last <= marked) return;
    marked = last;
    client.markRead(chatId);
  };

  /** @param {State} state */
  const update = (state) => {
    const room = state.rooms[chatId];
    const user = state.user;
    chat = state.chats?.find(({ id }) => id === chatId) ?? chat;
    if (!user) return;
    const isGone = room?.isGone ?? false;
    if (chat) {
      element.dataset.type = chat.type;
      element.setAttribute('aria-label', shownName(app, chat));
      head.update(chat);
      composer.update(shownName(app, chat));
      scroller.setAttribute('aria-label', t('messagesOf', { name: shownName(app, chat) }));
    }
    showNote(isGone);
    if (isGone) return showGone();
    if (!room) return;
    noticeNew(room, user.id);
    showTop(room);
    position.keep(() =>
      rows.update(
        rowsOf({
          messages: room.messages,
          outgoing: room.outgoing,
          userId: user.id,
          boundary,
          today: app.now().toDateString(),
          peerReadId: chat?.type === 'private' ? (chat.peerReadId ?? null) : undefined,
        }),
      ),
    );
    scrollFirstPage(room);
    follow(state);
  };

  /** Scrolls the first page to the new messages, or to the end if there are none. @param {Room} room */
  const scrollFirstPage = ({ messages, outgoing, isLoading }) => {
    if (isPlaced || (isLoading && messages.length === 0 && outgoing.length === 0)) return;
    isPlaced = true;
    const line = rows.find('new');
    if (line) position.toStart(line);
    else position.toEnd();
  };

  /** @param {Room} room @param {number} userId */
  const noticeNew = ({ messages, outgoing, isLoading }, userId) => {
    const posted = outgoing.at(-1)?.key ?? '';
    if (isPlaced && posted !== '' && posted !== lastOutgoing) position.toEndNext();
    lastOutgoing = posted;
    if (noticed === undefined) {
      if (isLoading && messages.length === 0) return;
      noticed = messages;
      if (chat) boundary = boundaryOf(chat, messages, userId);
      return;
    }
    if (messages === noticed) return;
    const received = addedTo(noticed, messages).filter(({ senderId }) => senderId !== userId);
    noticed = messages;
    if (!received[0]) return;
    const before = received[0].id - 1;
    const isVisible = position.isAtEnd() && document.visibilityState === 'visible';
    if (!isVisible && boundary === null) boundary = before;
    if (!position.isAtEnd()) newBelow += received.length;
    app.say(received.slice(-maxReported).map(sentenceOf).join('\n'));
  };

  /** @param {Message} message */
  const sentenceOf = (message) =>
    t('saidBy', {
      name: words.name(message.senderName, message.senderId),
      text: preview(app, message),
    });

  let shownTop = '';
  /** Shows the row above the first message. @param {Room} room */
  const showTop = (room) => {
    const kind = topKind(room);
    const key = kind === 'failed' ? `${kind} ${room.error?.code}` : kind;
    if (key === shownTop) return;
    shownTop = key;
    position.keep(() => top.replaceChildren(...topOf(kind, room)));
  };

  /** @param {string} kind @param {Room} room @returns {Node[]} */
  const topOf = (kind, room) => {
    if (kind === 'beginning') return [h('p', { text: t('beginning') })];
    if (kind === 'empty') return [emptyRoom(app, chat)];
    if (kind === 'older') return [h('p', { text: t('loadingOlder') })];
    if (kind === 'loading') return [h('p', { role: 'status', text: t('loading') })];
    return [
      notice({
        title: t('roomFailed'),
        text: explain(room.error ?? {}, words),
        failed: true,
        action: {
          label: t('tryAgain'),
          run: () => {
            scroller.focus();
            if (room.messages.length > 0) client.loadOlder(chatId);
            else client.wake();
          },
        },
      }),
    ];
  };

  /** @param {boolean} isGone */
  const showNote = (isGone) => {
    const text = isGone ? '' : noteOf(app, chat);
    put(note, text);
    note.hidden = text === '';
    composer.element.hidden = isGone || text !== '';
  };

  const showGone = () => {
    if (shownTop === 'gone') return;
    shownTop = 'gone';
    rows.update([]);
    jump.hidden = true;
    const action = { label: t('back'), run: () => app.go(null) };
    top.replaceChildren(notice({ title: t('chats'), text: t('gone'), level: 'h2', action }));
  };

  return {
    element,
    update,
    /** Marks messages as read when the page becomes visible. */
    look: () => {
      marked = 0;
      follow(app.state());
    },
    /** Focuses the text field, except on touch screens, where that would open the keyboard. */
    focus: () => {
      const hasKeyboard = matchMedia('(hover: hover)').matches;
      if (hasKeyboard && !composer.element.hidden) composer.focus();
      else if (chat) head.focus();
      else scroller.focus();
    },
    end: () => position.end(),
  };
}

/**
 * Returns the messages that were added after the first known message. Some of them may precede a post of the user that
 * was already known.
 *
 * @param {readonly Message[]} known
 * @param {readonly Message[]} messages
 */
function addedTo(known, messages) {
  const ids = new Set(known.map(({ id }) => id));
  const first = known[0]?.id ?? 0;
  return messages.filter(({ id }) => id > first && !ids.has(id));
}

/** @param {Room} room */
function topKind({ messages, outgoing, hasOlder, isLoading, error }) {
  if (error && !isLoading) return 'failed';
  if (messages.length === 0 && isLoading) return 'loading';
  if (hasOlder) return 'older';
  return messages.length === 0 && outgoing.length === 0 ? 'empty' : 'beginning';
}

/** @param {App} app @param {ListedChat | undefined} chat */
function emptyRoom({ words: { t }, state }, chat) {
  const isReader = chat?.type === 'channel' && chat.ownerId !== state().user?.id;
  return notice({
    title: t('emptyRoomTitle'),
    text: t(isReader ? 'emptyChannelText' : 'emptyRoomText'),
  });
}

/** Returns why the user cannot write here, or ''. @param {App} app @param {ListedChat | undefined} chat */
function noteOf({ words: { t }, state }, chat) {
  if (!chat) return '';
  if (chat.type === 'channel' && chat.ownerId !== state().user?.id) return t('onlyOwnerPosts');
  return chat.type === 'private' && chat.name === 'Deleted account' ? t('accountIsGone') : '';
}
