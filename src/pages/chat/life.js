import { lastId, noList, shownChats, withAnswer, withChange, withMarkEnded } from './chat-list.js';
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
/** @typedef {import('./types.js').Outgoing} Outgoing */
/** @typedef {import('./types.js').Room} Room */
/** @typedef {ReturnType<typeof createLife>} Life */

/**
 * Everything that runs while one user is signed in, from then until `stop`.
 *
 * @param {object} parts
 * @param {number} parts.userId
 * @param {import('../shared/calls.ts').Call} parts.call as this user
 * @param {import('./vault.js').Vault} parts.vault
 * @param {import('../shared/pauses.ts').Pauses} parts.pauses
 * @param {import('./types.js').LockSource | undefined} parts.locks
 * @param {() => number} parts.now
 * @param {() => number} parts.serverTime milliseconds
 * @param {() => string} parts.randomKey
 * @param {() => void} parts.onChange
 * @param {(signal: AbortSignal) => void} parts.onAnswer the list has come
 */
export function createLife(parts) {
  const { userId, call, pauses, now, onChange } = parts;
  const controller = new AbortController();
  const { signal } = controller;
  let list = noList;
  let connection = connecting;
  /** @type {number | null} */
  let openChatId = null;
  const views = createViews(userId);

  /** @param {typeof list} next */
  const setList = (next) => {
    list = next;
    onChange();
  };
  const chats = () => views.chats(list);
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
    onAnswer(answer) {
      setList(withAnswer(list, answer));
      rooms.listed(chats() ?? [], answer.number);
      outbox.ready();
      parts.onAnswer(signal);
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

  return {
    userId,
    call,
    persist,
    signal,
    outbox,
    connection: () => connection,
    openChatId: () => openChatId,
    chats,
    rooms: () => views.rooms(rooms, outbox),
    unsent: () => views.unsent(outbox),
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
     * The server has made or changed this chat, or let the user into it.
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

/** What is shown, made again only of what has changed. @param {number} userId */
function createViews(userId) {
  let list = noList;
  let chats = shownChats(list);
  /** @type {Map<number, { data: import('./room.js').RoomData, room: Room }>} */
  const known = new Map();
  /** @type {Readonly<Record<number, Room>>} */
  let rooms = {};
  /** @type {readonly Outgoing[]} */
  let unsent = [];

  /**
   * @param {import('./room.js').RoomData} data
   * @param {readonly import('./posts.js').Post[]} posts
   * @param {ReadonlySet<string>} sending
   * @param {{ data: import('./room.js').RoomData, room: Room } | undefined} before
   * @returns {Room}
   */
  const roomOf = (data, posts, sending, before) => {
    const isSame = before?.data === data;
    const messages = isSame ? before.room.messages : shownMessages(data);
    const outgoing = shownPosts(posts, { messages, userId, sending });
    if (isSame && areAlike(before.room.outgoing, outgoing)) return before.room;
    const { hasOlder, isLoading, error } = data;
    return { messages, outgoing, hasOlder, isLoading, error, isGone: data.isGone };
  };

  return {
    /** @param {typeof list} next */
    chats(next) {
      if (next !== list) chats = shownChats(next);
      list = next;
      return chats;
    },
    /**
     * @param {ReturnType<typeof createRooms>} source
     * @param {ReturnType<typeof createOutbox>} outbox
     */
    rooms(source, outbox) {
      const posts = outbox.posts();
      const ids = source.ids();
      for (const id of known.keys()) if (!ids.includes(id)) known.delete(id);
      for (const id of ids) {
        const data = source.get(id);
        const own = posts.filter(({ chatId }) => chatId === id);
        if (data) known.set(id, { data, room: roomOf(data, own, outbox.sending(), known.get(id)) });
      }
      const isSame =
        Object.keys(rooms).length === known.size &&
        [...known].every(([id, { room }]) => rooms[id] === room);
      if (!isSame) rooms = Object.fromEntries([...known].map(([id, { room }]) => [id, room]));
      return rooms;
    },
    /** @param {ReturnType<typeof createOutbox>} outbox */
    unsent(outbox) {
      const next = outbox.posts().map((post) => toOutgoing(post, outbox.sending()));
      if (!areAlike(unsent, next)) unsent = next;
      return unsent;
    },
  };
}

/** @param {readonly Outgoing[]} a @param {readonly Outgoing[]} b */
function areAlike(a, b) {
  if (a.length !== b.length) return false;
  return a.every((post, index) => {
    const other = b[index];
    return post.key === other?.key && post.state === other.state && post.error === other.error;
  });
}
