// The user's posts that the server has not acknowledged: the order of sending, and how they are shown. No I/O.

/** @typedef {import('./types.js').Failure} Failure */
/** @typedef {import('./types.js').Message} Message */
/** @typedef {import('./types.js').MessageType} MessageType */
/** @typedef {import('./types.js').Outgoing} Outgoing */

/**
 * @typedef {object} Post
 * @property {string} key the Idempotency-Key
 * @property {number} chatId
 * @property {string} text
 * @property {MessageType} type
 * @property {number} order the position among the posts of this user in this browser
 * @property {number | null} triedAt when the post was first sent, in the server's time; null if never
 * @property {number} seenId the ID of the last message in the chat before the post
 * @property {Failure | null} failure the reason why the post waits for the user; null if it does not
 */

/** Maximum number of unsent posts in one browser. */
export const maxPosts = 500;
/** Maximum length of a message, in characters (Unicode code points), as in the service. */
export const maxTextLength = 4_000;
/**
 * Time after the first attempt during which a post is retried automatically, in milliseconds. It is one hour shorter
 * than the time for which the service stores the key.
 */
export const maxTryTime = 23 * 3_600_000;

/**
 * Returns the error code for an invalid text, or null for a valid one.
 *
 * @param {string} text
 * @returns {'text_empty' | 'text_too_long' | null}
 */
export function faultOfText(text) {
  if (!/\S/.test(text)) return 'text_empty';
  // A code point has at most two code units, so a very long text need not be split.
  if (text.length > 2 * maxTextLength || [...text].length > maxTextLength) return 'text_too_long';
  return null;
}

/**
 * @param {string} key
 * @param {any} kept
 * @returns {Post | undefined} undefined for an invalid post
 */
export function readPost(key, kept) {
  if (typeof kept !== 'object' || kept === null) return undefined;
  const { chatId, text, type, order, triedAt, seenId, failure } = kept;
  const isPost =
    Number.isSafeInteger(chatId) &&
    typeof text === 'string' &&
    (type === 'text' || type === 'emoji' || type === 'sticker') &&
    Number.isFinite(order);
  if (!isPost) return undefined;
  return {
    key,
    chatId,
    text,
    type,
    order,
    triedAt: Number.isFinite(triedAt) ? triedAt : null,
    seenId: Number.isSafeInteger(seenId) ? seenId : 0,
    failure: typeof failure?.code === 'string' ? failure : null,
  };
}

/** Returns posts in the order in which they were written. @param {Iterable<Post>} posts */
export function inOrder(posts) {
  return [...posts].sort((a, b) => a.order - b.order || (a.key < b.key ? -1 : 1));
}

/**
 * Returns the next post to send in each chat. A failed post blocks later posts of its chat until the user retries or
 * discards it.
 *
 * @param {Iterable<Post>} posts
 */
export function nextPosts(posts) {
  /** @type {Map<number, Post>} */
  const first = new Map();
  for (const post of inOrder(posts)) {
    if (!first.has(post.chatId)) first.set(post.chatId, post);
  }
  return [...first.values()].filter(({ failure }) => failure === null);
}

/**
 * Returns whether a retry could create a second message, because the service may have deleted the post's key.
 *
 * @param {Post} post
 * @param {number} serverTime milliseconds
 */
export function isTooOld({ triedAt }, serverTime) {
  return triedAt !== null && serverTime - triedAt > maxTryTime;
}

/**
 * Returns the posts with the same content as a message that the server has just acknowledged for a different post.
 *
 * @param {Iterable<Post>} posts
 * @param {Message} message
 */
export function notBefore(posts, message) {
  return [...posts].filter((post) => post.seenId < message.id && isLike(post, message));
}

/**
 * Returns the posts of a chat to show. A post without a response may already be among the messages. In this case, only
 * the message is shown.
 *
 * @param {readonly Post[]} posts the posts of the chat, in order
 * @param {object} known
 * @param {readonly Message[]} known.messages
 * @param {number} known.userId
 * @param {ReadonlySet<string>} known.sending the keys of posts that are being sent
 * @returns {Outgoing[]}
 */
export function shownPosts(posts, { messages, userId, sending }) {
  const taken = new Set();
  return posts
    .filter((post) => {
      const message = arrived(post, { messages, userId, taken });
      if (message) taken.add(message.id);
      return !message;
    })
    .map((post) => toOutgoing(post, sending));
}

/**
 * @param {Post} post
 * @param {ReadonlySet<string>} sending
 * @returns {Outgoing}
 */
export function toOutgoing({ key, chatId, text, type, failure }, sending) {
  const state = failure ? 'failed' : sending.has(key) ? 'sending' : 'waiting';
  return { key, chatId, text, type, state, error: failure };
}

/**
 * @param {Post} post
 * @param {{ messages: readonly Message[], userId: number, taken: ReadonlySet<number> }} known
 */
function arrived(post, { messages, userId, taken }) {
  if (post.failure) return undefined;
  // The newest messages are at the end. Messages that were known before the first attempt cannot be this post.
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = /** @type {Message} */ (messages[index]);
    if (message.id <= post.seenId) return undefined;
    if (message.senderId === userId && isLike(post, message) && !taken.has(message.id))
      return message;
  }
  return undefined;
}

/** @param {Post} post @param {Message} message */
function isLike({ chatId, text, type }, message) {
  return message.chatId === chatId && message.text === text && message.type === type;
}
