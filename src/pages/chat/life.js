import {
  lastId,
  noList,
  shownChats,
  withChange,
  withMarkEnded,
  withResponse,
} from './chat-list.js';
import { createHoldRequest } from './held-request.js';
import { createMarks } from './marks.js';
import { createOutbox } from './outbox.js';
import { createPersist } from './persist.js';
import { shownPosts, toOutgoing } from './posts.js';
import { shownMessages, syncedId, unreadMark } from './room.js';
import { createRooms } from './rooms.js';
import { connecting, createSync } from './sync.js';

/** @typedef {import('./types.js').Chat} Chat */
/** @typedef {import('./types.js').Message} Message */
/** @typedef {import('./types.js').Room} Room */
/** @typedef {ReturnType<typeof createLife>} Life */

/**
 * Runs the client's tasks for a signed-in user until `stop` is called.
 *
 * @param {object} parts
 * @param {number} parts.userId
 * @param {import('../shared/calls.ts').Call} parts.call calls the server as this user
 * @param {import('./vault.js').Vault} parts.vault
 * @param {import('../shared/pauses.ts').Pauses} parts.pauses
 * @param {import('./types.js').LockSource | undefined} parts.locks
 * @param {() => number} parts.now
 * @param {() => number} parts.serverTime milliseconds
 * @param {() => string} parts.randomKey
 * @param {() => void} parts.onChange
 * @param {(signal: AbortSignal) => void} parts.onResponse called for each list
 */
export function createLife(parts) {
  const { userId, call, pauses, now, onChange } = parts;
  const controller = new AbortController();
  const { signal } = controller;
  let list = noList;
  let connection = connecting;
  /** @type {number | null} */
  let openChatId = null;

  /** @param {typeof list} next */
  const setList = (next) => {
    list = next;
    onChange();
  };
  const chats = () => shownChats(list);
  /** @param {number} id */
  const findChat = (id) => chats()?.find((chat) => chat.id === id);
  /** @param {number} id */
  const goalOf = (id) => {
    const chat = findChat(id);
    return chat ? lastId(chat) : 0;
  };

  const sync = createSync({
    call,
    holdRequest: createHoldRequest(parts.locks),
    pauses,
    now,
    signal,
    onResponse(response) {
      setList(withResponse(list, response));
      rooms.listed(chats() ?? [], response.number);
      outbox.ready();
      parts.onResponse(signal);
    },
    onConnection(next) {
      connection = next;
      onChange();
    },
  });
  const { recheck } = sync;
  const persist = createPersist({ pauses, recheck, signal });
  /** @param {number} chatId */
  const leave = (chatId) =>
    setList(withChange(list, { kind: 'left', chatId, until: sync.number() }));
  const rooms = createRooms({
    call,
    persist,
    signal,
    listNumber: sync.number,
    onChange,
    onGone: leave,
  });
  const outbox = createOutbox({
    ...parts,
    persist,
    recheck,
    signal,
    seenId(chatId) {
      const room = rooms.get(chatId);
      const posted = room?.posted.at(-1)?.id ?? 0;
      return Math.max(goalOf(chatId), room ? syncedId(room) : 0, posted);
    },
    onAcknowledged(message) {
      setList(withChange(list, { kind: 'post', message, until: sync.number() }));
      rooms.posted(message);
    },
  });
  const marks = createMarks({
    call,
    persist,
    signal,
    onEnd(chatId, messageId, isStored) {
      const until = isStored ? sync.number() : null;
      setList(withMarkEnded(list, { chatId, messageId, until }));
    },
  });

  /** @param {number} id @param {import('./room.js').RoomData} data @returns {Room} */
  const roomOf = (id, data) => {
    const { hasOlder, isLoading, error, isGone } = data;
    const messages = shownMessages(data);
    const posts = outbox.posts().filter(({ chatId }) => chatId === id);
    const outgoing = shownPosts(posts, { messages, userId, sending: outbox.sending() });
    return { messages, outgoing, hasOlder, isLoading, error, isGone };
  };

  return {
    userId,
    call,
    persist,
    signal,
    outbox,
    connection: () => connection,
    openChatId: () => openChatId,
    chats,
    rooms: () => Object.fromEntries(rooms.all().map(([id, data]) => [id, roomOf(id, data)])),
    unsent: () => outbox.posts().map((post) => toOutgoing(post, outbox.sending())),
    start() {
      outbox.open();
      sync.run();
    },
    stop: () => controller.abort(),
    wake: sync.wake,
    /** @param {number} chatId */
    openChat(chatId) {
      if (openChatId !== null && openChatId !== chatId) rooms.close(openChatId);
      openChatId = chatId;
      rooms.open(chatId, goalOf(chatId));
    },
    closeChat() {
      if (openChatId !== null) rooms.close(openChatId);
      openChatId = null;
      onChange();
    },
    loadOlder: rooms.loadOlder,
    /** @param {number} chatId */
    markRead(chatId) {
      const room = rooms.get(chatId);
      const chat = findChat(chatId);
      if (!room || !chat || room.isGone) return;
      const mark = unreadMark(room, { userId, readId: chat.lastReadId ?? 0 });
      if (!mark) return;
      setList(withChange(list, { kind: 'mark', chatId, ...mark, until: null }));
      marks.mark(chatId, mark.messageId);
    },
    /**
     * Adds a chat that the server has created or changed, or that the user has joined.
     *
     * @param {Chat} chat
     */
    changed(chat) {
      setList(withChange(list, { kind: 'chat', chat, until: sync.number() }));
    },
    /** @param {number} chatId */
    left(chatId) {
      leave(chatId);
      rooms.lose(chatId);
    },
  };
}
