import { readRetryAfter } from './backoff.js';
import { badAnswer, ChatError } from './failure.js';

/** @typedef {{ status: number, etag: string | null, body: any }} Answer */
/**
 * @typedef {object} CallOptions
 * @property {unknown} [body] sent as JSON
 * @property {string} [token]
 * @property {Record<string, string>} [headers]
 * @property {AbortSignal} [signal]
 * @property {number} [deadline] milliseconds
 */
/** @typedef {(method: string, path: string, options?: CallOptions) => Promise<Answer>} Call */

/** Longer than this and the connection is as good as none, milliseconds. */
const usualDeadline = 20_000;

/**
 * Calls the service. Gives what a success (or a 304) says; every failure is a `ChatError`. `onDate` is
 * called with the time of every answer, whatever it says.
 *
 * @param {Pick<import('./types.js').ClientParts, 'fetch' | 'baseUrl' | 'sleep'>
 *   & { onDate(time: number): void }} parts
 * @returns {Call}
 */
export function createCall({ fetch, baseUrl = '', sleep, onDate }) {
  return async (method, path, options = {}) => {
    const { body, token, headers = {}, signal, deadline = usualDeadline } = options;
    /** @type {RequestInit} */
    const init = {
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
      cache: 'no-store',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    return within({ deadline, sleep, ...(signal ? { signal } : {}) }, async (inner) => {
      const response = await fetch(baseUrl + path, { ...init, signal: inner });
      const time = Date.parse(response.headers.get('date') ?? '');
      if (Number.isFinite(time)) onDate(time);
      return readAnswer(response);
    });
  };
}

/** @param {Response} response @returns {Promise<Answer>} */
async function readAnswer(response) {
  const { status } = response;
  const etag = response.headers.get('etag');
  if (status === 304) return { status, etag, body: null };
  const text = await response.text();
  const body = parse(text);
  if (response.ok && body?.ok === true) return { status, etag, body };
  throw refused(response, body);
}

/** @param {string} text @returns {any} */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * @param {Response} response
 * @param {any} body
 */
function refused({ status, headers, ok }, body) {
  const isAnswer = !ok && body?.ok === false && typeof body.error === 'string';
  const retryAfter = readRetryAfter(headers.get('retry-after'), headers.get('date'));
  if (!isAnswer) {
    const { message, code } = badAnswer(`status ${status}`);
    return new ChatError(message, { code, status, retryAfter });
  }
  return new ChatError(body.error, {
    code: typeof body.code === 'string' ? body.code : `http_${status}`,
    status,
    details: Array.isArray(body.details) ? body.details.filter(isDetail) : [],
    isAnswer,
    retryAfter,
  });
}

/** @param {any} detail */
function isDetail(detail) {
  return typeof detail?.path === 'string' && typeof detail.message === 'string';
}

/**
 * Runs `work` until its deadline or until the signal is aborted, also where `work` heeds neither.
 *
 * @template T
 * @param {{ deadline: number, sleep: import('./types.js').Sleep, signal?: AbortSignal }} limits
 * @param {(signal: AbortSignal) => Promise<T>} work
 * @returns {Promise<T>}
 */
async function within({ deadline, sleep, signal }, work) {
  const inner = new AbortController();
  const timer = new AbortController();
  /** @type {(reason: ChatError) => void} */
  let fail = () => {};
  /** @type {Promise<never>} */
  const failed = new Promise((_, reject) => {
    fail = (reason) => {
      reject(reason);
      inner.abort();
    };
  });
  const onAbort = () => fail(new ChatError('The call was given up.', { code: 'ended' }));
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort);
  sleep(deadline, timer.signal).then(() => {
    if (!timer.signal.aborted) fail(tooLate());
  });
  try {
    return await Promise.race([failed, work(inner.signal)]);
  } catch (error) {
    throw error instanceof ChatError ? error : unreachable();
  } finally {
    signal?.removeEventListener('abort', onAbort);
    timer.abort();
    failed.catch(() => {});
  }
}

function tooLate() {
  return new ChatError('The server takes too long to answer.', { code: 'timeout' });
}

function unreachable() {
  return new ChatError('The server cannot be reached. Check your connection.', { code: 'offline' });
}
