import pLimit from 'p-limit';
import { asFailure, badAnswer, CallError, isFinal, tooOld } from '../shared/failure.ts';
import {
  faultOfText,
  inOrder,
  isTooOld,
  maxPosts,
  maxTextLength,
  nextPosts,
  notBefore,
  readPost,
} from './posts.js';
import { readMessage } from './shapes.js';
import { parseKept } from './vault.js';

/** @typedef {import('./posts.js').Post} Post */
/** @typedef {import('./types.js').Message} Message */

/** Maximum number of posts that are sent concurrently, each in a different chat. */
const maxConcurrent = 2;

/** Returns the prefix of the names of a user's stored posts. @param {number} userId */
export const postsOf = (userId) => `post.${userId}.`;

/**
 * Creates the outbox of a user. It stores each post before it is sent, sends the posts of a chat in order and one at a
 * time, and retries each post with the same key until the server has accepted or rejected it.
 *
 * @param {object} parts
 * @param {number} parts.userId
 * @param {import('./vault.js').Vault} parts.vault
 * @param {import('../shared/calls.ts').Call} parts.call
 * @param {import('./persist.js').Persist} parts.persist
 * @param {() => Promise<void>} parts.recheck
 * @param {import('./types.js').LockSource | undefined} parts.locks
 * @param {AbortSignal} parts.signal
 * @param {() => number} parts.serverTime milliseconds
 * @param {() => string} parts.randomKey
 * @param {(chatId: number) => number} parts.seenId returns the ID of a chat's last known message
 * @param {() => void} parts.onChange
 * @param {(message: Message) => void} parts.onAcknowledged
 */
export function createOutbox(parts) {
  const { userId, vault, call, persist, recheck, locks, signal } = parts;
  const { serverTime, randomKey, seenId, onChange, onAcknowledged } = parts;
  const prefix = postsOf(userId);
  /** @type {Map<string, Post>} */
  const posts = new Map();
  /** @type {Set<string>} */
  const sending = new Set();
  /** @type {Set<number>} */
  const busy = new Set();
  let isReady = false;
  let isSender = false;
  const limit = pLimit(maxConcurrent);

  /** @param {Post} post */
  const keep = (post) => {
    // Nothing is stored after sign-out.
    if (signal.aborted) return;
    posts.set(post.key, post);
    const { key, ...kept } = post;
    vault.set(prefix + key, JSON.stringify(kept));
    onChange();
  };

  /** @param {string} key */
  const drop = (key) => {
    posts.delete(key);
    vault.remove(prefix + key);
    onChange();
  };

  /** Stores the message for other tabs before removing the post. @param {Post} post @param {Message} message */
  const acknowledge = ({ key, ...kept }, message) => {
    posts.delete(key);
    for (const later of notBefore(posts.values(), message)) keep({ ...later, seenId: message.id });
    vault.set(prefix + key, JSON.stringify({ ...kept, message }));
    onAcknowledged(message);
    drop(key);
  };

  /** @param {Post} post */
  const maySend = ({ key }) => isSender || vault.isUnsaved(prefix + key);

  /** @param {string} key @returns {Promise<Message | undefined>} undefined if the post was discarded */
  const attempt = async (key) => {
    const post = posts.get(key);
    const time = serverTime();
    if (!post) return undefined;
    if (isTooOld(post, time)) throw tooOld();
    if (post.triedAt === null) keep({ ...post, triedAt: time });
    const { chatId, text, type } = post;
    const headers = { 'idempotency-key': key };
    const response = await limit(async () => {
      sending.add(key);
      onChange();
      try {
        const body = { text, type };
        return await call('POST', `/api/chats/${chatId}/messages`, { body, headers, signal });
      } finally {
        sending.delete(key);
        onChange();
      }
    });
    const message = readMessage(response.body.message);
    if (message.chatId !== chatId) throw badAnswer('a message of a different chat');
    return message;
  };

  /** Sends a post. Returns whether it has been acknowledged, discarded or rejected. @param {Post} post */
  const send = async (post) => {
    // The post was already sent before the page was loaded. Only the server's time shows how long ago that was.
    if (post.triedAt !== null) await recheck();
    try {
      const message = await persist(() => attempt(post.key));
      if (message) acknowledge(post, message);
      return true;
    } catch (error) {
      const failure = asFailure(error);
      if (!isFinal(error) || failure.code === 'ended') return false;
      const present = posts.get(post.key);
      if (present) keep({ ...present, failure });
      return true;
    }
  };

  /** @param {number} chatId */
  const next = (chatId) => nextPosts(posts.values()).find((post) => post.chatId === chatId);

  /** @param {number} chatId */
  const sendAll = async (chatId) => {
    if (busy.has(chatId)) return;
    busy.add(chatId);
    for (let isDecided = true; isDecided && !signal.aborted; ) {
      const post = next(chatId);
      isDecided = post !== undefined && maySend(post) && (await send(post));
    }
    busy.delete(chatId);
  };

  const kick = () => {
    if (!isReady || signal.aborted) return;
    for (const { chatId } of nextPosts(posts.values())) sendAll(chatId);
  };

  /** @param {string} key @param {(post: Post) => Post} change */
  const change = (key, change) => {
    const post = posts.get(key);
    if (!post) return;
    keep(change(post));
    kick();
  };

  return {
    posts: () => inOrder(posts.values()),
    sending: () => sending,
    /** Loads the stored posts and starts sending them as soon as no other tab is sending. */
    open() {
      for (const name of vault.names(prefix)) {
        const key = name.slice(prefix.length);
        const kept = parseKept(vault.get(name));
        const post = readPost(key, kept);
        if (post && kept.message === undefined) posts.set(key, post);
        else vault.remove(name);
      }
      const lead = () => {
        isSender = true;
        kick();
        return untilAborted(signal);
      };
      if (!locks) lead();
      else locks.request(`msgsite-chat.outbox.${userId}`, { signal }, lead).catch(() => {});
    },
    /** Starts sending after the server's first response, which contains the server's time. */
    ready() {
      isReady = true;
      kick();
    },
    /**
     * @param {number} chatId
     * @param {{ text: string, type?: import('./types.js').MessageType }} draft
     */
    post(chatId, { text, type = 'text' }) {
      const fault = faultOfText(text);
      if (fault) throw invalidText(fault);
      if (posts.size >= maxPosts) throw full();
      const key = randomKey();
      const last = inOrder(posts.values()).at(-1)?.order ?? 0;
      const order = last + 1;
      keep({
        key,
        chatId,
        text,
        type,
        order,
        triedAt: null,
        seenId: seenId(chatId),
        failure: null,
      });
      kick();
      return key;
    },
    /**
     * Sends a failed post again. If the post was too old to retry, it is treated as new.
     *
     * @param {string} key
     */
    retry: (key) =>
      change(key, (post) => {
        const triedAt = post.failure?.code === 'too_old' ? null : post.triedAt;
        return { ...post, triedAt, failure: null };
      }),
    /** @param {string} key */
    discard(key) {
      if (!posts.has(key)) return;
      drop(key);
      kick();
    },
    /**
     * Updates a post that another tab has stored or removed.
     *
     * @param {string} name
     * @param {string | null} text
     */
    changedElsewhere(name, text) {
      if (!name.startsWith(prefix)) return;
      const key = name.slice(prefix.length);
      const kept = parseKept(text);
      const post = readPost(key, kept);
      if (post && kept.message === undefined) posts.set(key, post);
      else posts.delete(key);
      const message = readKeptMessage(kept?.message);
      if (post && message) onAcknowledged(message);
      onChange();
      kick();
    },
  };
}

/** @param {unknown} kept @returns {Message | undefined} */
function readKeptMessage(kept) {
  try {
    return kept === undefined ? undefined : readMessage(kept);
  } catch {
    // A different version of this page stored the message. The server sends the message anyway.
    return undefined;
  }
}

/** @param {'text_empty' | 'text_too_long'} code */
function invalidText(code) {
  const message =
    code === 'text_empty'
      ? 'The message is empty.'
      : `The message is longer than ${maxTextLength} characters.`;
  return new CallError(message, { code });
}

function full() {
  const message = `${maxPosts} messages are waiting to be sent. Wait until some have been sent, or discard some.`;
  return new CallError(message, { code: 'outbox_full' });
}

/** @param {AbortSignal} signal @returns {Promise<void>} */
function untilAborted(signal) {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });
}
