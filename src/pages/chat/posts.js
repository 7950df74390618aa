// Own posts that the server has not acknowledged: which is sent next, and how they are shown. No I/O.

/** @typedef {import('./types.js').Failure} Failure */
/** @typedef {import('./types.js').Message} Message */
/** @typedef {import('./types.js').MessageType} MessageType */
/** @typedef {import('./types.js').Outgoing} Outgoing */

/**
 * @typedef {object} Post
 * @property {string} key its Idempotency-Key
 * @property {number} chatId
 * @property {string} text
 * @property {MessageType} type
 * @property {number} order among the posts of this user in this browser
 * @property {number | null} triedAt when it was first sent, by the server's time; null: never yet
 * @property {number} seenId a message of the chat before which it cannot stand
 * @property {Failure | null} failure set: it waits for the user
 */

/** How many posts may wait in one browser. */
export const mostPosts = 500;
/** Characters (Unicode code points) of a message, as the service counts them. */
export const longestText = 4_000;
/**
 * How long after its first attempt a post may be sent again without asking, milliseconds: an hour less
 * than the service knows its key.
 */
export const longestTrying = 23 * 3_600_000;

/**
 * The code of what is wrong with a text, or null.
 *
 * @param {string} text
 * @returns {'text_empty' | 'text_too_long' | null}
 */
export function faultOfText(text) {
  if (!/\S/.test(text)) return 'text_empty';
  // No code point takes more than two units, so that a huge text is not taken apart.
  if (text.length > 2 * longestText || [...text].length > longestText) return 'text_too_long';
  return null;
}

/**
 * @param {string} key
 * @param {any} kept
 * @returns {Post | undefined} undefined for what is no post
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

/** In the order of posting. @param {Iterable<Post>} posts */
export function inOrder(posts) {
  return [...posts].sort((a, b) => a.order - b.order || (a.key < b.key ? -1 : 1));
}

/**
 * The post to send now in each chat. One that failed holds back what was posted after it, so that
 * nothing overtakes it while the user has not decided.
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
 * Whether sending it again might post it twice, as the service may have forgotten its key.
 *
 * @param {Post} post
 * @param {number} serverTime milliseconds
 */
export function isTooOld({ triedAt }, serverTime) {
  return triedAt !== null && serverTime - triedAt > longestTrying;
}

/**
 * The posts that are equal to this message and yet another one, now that the server has named it.
 *
 * @param {Iterable<Post>} posts
 * @param {Message} message
 */
export function notBefore(posts, message) {
  return [...posts].filter((post) => post.seenId < message.id && isLike(post, message));
}

/**
 * What is shown of the posts of one chat. A post whose answer has not come yet may be among the messages
 * already: then the message is shown, and the post is not.
 *
 * @param {readonly Post[]} posts of this chat, in order
 * @param {object} known
 * @param {readonly Message[]} known.messages
 * @param {number} known.userId
 * @param {ReadonlySet<string>} known.sending keys
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
  // The newest messages are at the end, and those that were known before the attempt cannot be it.
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
