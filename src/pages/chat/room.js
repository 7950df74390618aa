// The messages of one chat: consecutive pages, and the user's latest posts at the end. No I/O.

/** @typedef {import('./types.js').Failure} Failure */
/** @typedef {import('./types.js').Message} Message */
/** @typedef {{ messages: readonly Message[], hasMore: boolean }} Page */

/**
 * @typedef {object} RoomData
 * @property {boolean} isLoaded true after the first page
 * @property {readonly Message[]} synced messages sorted by ID, without gaps
 * @property {readonly Message[]} posted the user's acknowledged posts after `synced`. Messages of others
 *   between them may still be missing.
 * @property {boolean} hasOlder
 * @property {number} paged the number of messages loaded on demand, which `maxKept` does not limit
 * @property {boolean} isLoading
 * @property {Failure | null} error
 * @property {boolean} isGone
 */

/** Maximum number of messages kept for a room, not including those loaded on demand. */
export const maxKept = 1_000;

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

/** Returns the highest ID up to which all messages are known; 0 if there are no messages. @param {RoomData} room */
export function syncedId({ synced }) {
  return synced.at(-1)?.id ?? 0;
}

/**
 * Replaces the room's messages with the latest page.
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
 * Appends newer messages to the room.
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
 * Adds the page that precedes the message `before`. Does nothing if that is no longer the room's first message.
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
 * Adds a post of the user that the server has acknowledged.
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
 * Removes older pages of a room that was closed.
 *
 * @param {RoomData} room
 * @returns {RoomData}
 */
export function closed(room) {
  return trimmed({ ...room, paged: 0 });
}

/** Returns all messages to show, oldest first. @param {RoomData} room */
export function shownMessages({ synced, posted }) {
  return posted.length === 0 ? synced : [...synced, ...posted];
}

/**
 * Returns a read mark for the last message of others before any gap, with the number of such messages after `readId`.
 * Returns null if there is nothing new to mark as read.
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
  const max = maxKept + room.paged;
  if (room.synced.length <= max) return room;
  return { ...room, synced: room.synced.slice(-max), hasOlder: true };
}

/** @param {RoomData} room @returns {RoomData} */
function withoutKnown(room) {
  const last = syncedId(room);
  const posted = room.posted.filter(({ id }) => id > last);
  return posted.length === room.posted.length ? room : { ...room, posted };
}
