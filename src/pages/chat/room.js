// The messages of one chat: pages put together without gaps, and own posts at their end. No I/O.

/** @typedef {import('./types.js').Failure} Failure */
/** @typedef {import('./types.js').Message} Message */
/** @typedef {{ messages: readonly Message[], hasMore: boolean }} Page */

/**
 * @typedef {object} RoomData
 * @property {boolean} isLoaded the first page has come
 * @property {readonly Message[]} synced without gaps, by id
 * @property {readonly Message[]} posted own posts that the server has acknowledged and that lie behind
 *   `synced`: what others posted before them may be missing yet
 * @property {boolean} hasOlder
 * @property {number} paged how many messages were loaded on demand, and so are kept beyond the bound
 * @property {boolean} isLoading
 * @property {Failure | null} error
 * @property {boolean} isGone
 */

/** How many messages of a room are kept beyond what was paged in. */
export const mostKept = 1_000;

/** @type {RoomData} */
export const emptyRoom = {
  isLoaded: false,
  synced: [],
  posted: [],
  hasOlder: false,
  paged: 0,
  isLoading: false,
  error: null,
  isGone: false,
};

/** The highest id up to which every message is known; 0 where there is none. @param {RoomData} room */
export function syncedId({ synced }) {
  return synced.at(-1)?.id ?? 0;
}

/**
 * The room with the latest page, in place of everything before.
 *
 * @param {RoomData} room
 * @param {Page} page
 * @returns {RoomData}
 */
export function withLatest(room, { messages, hasMore }) {
  const loaded = { ...room, isLoaded: true, synced: messages, hasOlder: hasMore, paged: 0 };
  return withoutKnown(loaded);
}

/**
 * The room with what follows its last message.
 *
 * @param {RoomData} room
 * @param {Page} page
 * @returns {RoomData}
 */
export function withNewer(room, { messages }) {
  const last = syncedId(room);
  const added = messages.filter(({ id }) => id > last);
  if (added.length === 0) return room;
  return withoutKnown(trimmed({ ...room, synced: [...room.synced, ...added] }));
}

/**
 * The room with the page that ends before `before`; unchanged where its first message is another by now.
 *
 * @param {RoomData} room
 * @param {number} before
 * @param {Page} page
 * @returns {RoomData}
 */
export function withOlder(room, before, { messages, hasMore }) {
  if (room.synced[0]?.id !== before) return room;
  const added = messages.filter(({ id }) => id < before);
  return {
    ...room,
    synced: [...added, ...room.synced],
    paged: room.paged + added.length,
    hasOlder: hasMore,
  };
}

/**
 * The room with an own post that the server has acknowledged.
 *
 * @param {RoomData} room
 * @param {Message} message
 * @returns {RoomData}
 */
export function withPosted(room, message) {
  if (message.id <= syncedId(room)) return room;
  if (room.posted.some(({ id }) => id === message.id)) return room;
  return { ...room, posted: [...room.posted, message].sort((a, b) => a.id - b.id) };
}

/**
 * The room when nobody looks at it any more: older pages are dropped.
 *
 * @param {RoomData} room
 * @returns {RoomData}
 */
export function closed(room) {
  return trimmed({ ...room, paged: 0 });
}

/** What the page shows: every message once, oldest first. @param {RoomData} room */
export function shownMessages({ synced, posted }) {
  return posted.length === 0 ? synced : [...synced, ...posted];
}

/**
 * The last message of others up to which all is known, and how many of them lie above `readId`; null
 * where there is nothing new to mark as read.
 *
 * @param {RoomData} room
 * @param {{ userId: number, readId: number }} reader
 */
export function unreadMark(room, { userId, readId }) {
  const others = room.synced.filter(({ id, senderId }) => id > readId && senderId !== userId);
  const last = others.at(-1);
  return last ? { messageId: last.id, counted: others.length, seenId: syncedId(room) } : null;
}

/** @param {RoomData} room @returns {RoomData} */
function trimmed(room) {
  const most = mostKept + room.paged;
  if (room.synced.length <= most) return room;
  return { ...room, synced: room.synced.slice(-most), hasOlder: true };
}

/** @param {RoomData} room @returns {RoomData} */
function withoutKnown(room) {
  const last = syncedId(room);
  const posted = room.posted.filter(({ id }) => id > last);
  return posted.length === room.posted.length ? room : { ...room, posted };
}
