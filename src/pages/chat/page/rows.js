// What a room shows, top to bottom, out of what is known of it: days, the line above what is new,
// messages in groups of one sender, and own posts that are still on their way.

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
 * @property {boolean} starts the first of its group
 * @property {boolean} ends the last of its group
 * @property {boolean | null} isRead by the other; null where nobody can say
 */
/** @typedef {{ kind: 'outgoing', key: string, post: Outgoing, starts: boolean, ends: boolean }} OutgoingRow */

/** Messages of one sender that are closer than this stand together, milliseconds. */
const groupTime = 5 * 60_000;

/**
 * @param {object} room
 * @param {readonly Message[]} room.messages
 * @param {readonly Outgoing[]} room.outgoing
 * @param {number} room.userId
 * @param {number | null} room.boundary the message above the line "New messages"
 * @param {number | null | undefined} room.peerReadId undefined where nobody can say
 * @param {string} [room.today] by which days are named
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
    const itsDay = dayOf(message.createdAt);
    if (itsDay !== day) {
      end();
      day = itsDay;
      rows.push({ kind: 'day', key: `day ${day} ${message.id}`, at: message.createdAt, today });
    }
    if (!isLineDrawn && !isOwn && message.id > Number(boundary)) {
      end();
      isLineDrawn = true;
      rows.push({ kind: 'new', key: 'new' });
    }
    const starts = !(before?.kind === 'message' && standTogether(before.message, message));
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

/** The reader's day of a time. @param {string} iso */
function dayOf(iso) {
  const date = new Date(iso);
  return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`;
}

/** @param {Message} one @param {Message} next */
function standTogether(one, next) {
  if (one.senderId !== next.senderId) return false;
  return Math.abs(Date.parse(next.createdAt) - Date.parse(one.createdAt)) < groupTime;
}

/**
 * The message above what is new when a room is opened: the last one read, or, before the first reading,
 * the one before as many messages of others as are unread. Null where nothing is new.
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
