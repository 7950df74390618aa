// The rows of a room, from top to bottom: days, the line above new messages, messages grouped by sender, and the user's
// unsent posts.

/** @typedef {import('../types.js').Message} Message */
/** @typedef {import('../types.js').Outgoing} Outgoing */
/** @typedef {import('../types.js').ListedChat} ListedChat */
/**
 * @typedef {{ kind: 'day', key: string, at: string, today: string }
 *   | { kind: 'new', key: string }
 *   | MessageRow
 *   | OutgoingRow} Row
 */
/**
 * @typedef {object} MessageRow
 * @property {'message'} kind
 * @property {string} key
 * @property {Message} message
 * @property {boolean} isOwn
 * @property {boolean} starts true for the first message of a group
 * @property {boolean} ends true for the last message of a group
 * @property {boolean | null} isRead true if the other person has read the message; null if unknown
 */
/** @typedef {{ kind: 'outgoing', key: string, post: Outgoing, starts: boolean, ends: boolean }} OutgoingRow */

/** Maximum time between grouped messages of one sender, in milliseconds. */
const groupTime = 5 * 60_000;

/**
 * @param {object} room
 * @param {readonly Message[]} room.messages
 * @param {readonly Outgoing[]} room.outgoing
 * @param {number} room.userId
 * @param {number | null} room.boundary the ID of the message above the line "New messages"
 * @param {number | null | undefined} room.peerReadId undefined if unknown
 * @param {string} [room.today] the current day, which determines how days are named
 * @returns {Row[]}
 */
export function rowsOf({ messages, outgoing, userId, boundary, peerReadId, today = '' }) {
  /** @type {Row[]} */
  const rows = [];
  /** @type {MessageRow | OutgoingRow | undefined} */
  let before;
  let day = '';
  let isLineDrawn = boundary === null;
  const end = () => {
    if (before) before.ends = true;
    before = undefined;
  };
  for (const message of messages) {
    const isOwn = message.senderId === userId;
    const messageDay = dayOf(message.createdAt);
    if (messageDay !== day) {
      end();
      day = messageDay;
      rows.push({ kind: 'day', key: `day ${day} ${message.id}`, at: message.createdAt, today });
    }
    if (!isLineDrawn && !isOwn && message.id > Number(boundary)) {
      end();
      isLineDrawn = true;
      rows.push({ kind: 'new', key: 'new' });
    }
    const starts = !(before?.kind === 'message' && belongTogether(before.message, message));
    if (starts) end();
    const isRead = isOwn && peerReadId !== undefined ? message.id <= (peerReadId ?? 0) : null;
    before = {
      kind: 'message',
      key: `message ${message.id}`,
      message,
      isOwn,
      starts,
      ends: false,
      isRead,
    };
    rows.push(before);
  }
  for (const post of outgoing) {
    const isOwn = before?.kind === 'outgoing' || (before?.kind === 'message' && before.isOwn);
    if (!isOwn) end();
    before = { kind: 'outgoing', key: `post ${post.key}`, post, starts: !isOwn, ends: false };
    rows.push(before);
  }
  end();
  return rows;
}

/** Returns the local day of a time. @param {string} iso */
function dayOf(iso) {
  const date = new Date(iso);
  return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`;
}

/** @param {Message} one @param {Message} next */
function belongTogether(one, next) {
  if (one.senderId !== next.senderId) return false;
  return Math.abs(Date.parse(next.createdAt) - Date.parse(one.createdAt)) < groupTime;
}

/**
 * Returns the ID of the message above the new messages when a room is opened. This is the last message that was read.
 * Without a read mark, it is the message before the unread messages of others. Returns null if there are no new
 * messages.
 *
 * @param {Pick<ListedChat, 'unread' | 'lastReadId'>} chat
 * @param {readonly Message[]} messages
 * @param {number} userId
 * @returns {number | null}
 */
export function boundaryOf({ unread, lastReadId }, messages, userId) {
  if (unread === 0) return null;
  if (lastReadId !== null) return lastReadId;
  const first = messages.filter(({ senderId }) => senderId !== userId).at(-unread);
  return first ? first.id - 1 : 0;
}
