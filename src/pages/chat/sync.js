import { asFailure, badAnswer } from '../shared/failure.ts';
import { readChatList } from './shapes.js';

/** @typedef {import('./types.js').Connection} Connection */
/** @typedef {import('./types.js').ListedChat} ListedChat */
/** @typedef {ReturnType<typeof createSync>} Sync */

/** Maximum time for which the service may hold a request open, in seconds. */
const wait = 25;
/** Time after which a held request times out, in milliseconds. */
const deadline = wait * 1000 + 15_000;
/** Delay between two list requests, in milliseconds. It lets one response contain several simultaneous changes. */
const pace = 100;
/** Delay between requests that are not held, as with many tabs or a proxy without `ETag`, in milliseconds. */
const slowPace = 3_000;

/** @type {Connection} */
const online = { state: 'online', retryAt: null, failure: null };

/** @type {Connection} */
export const connecting = { state: 'connecting', retryAt: null, failure: null };

/**
 * Follows the list of chats with a request that the service holds open until something changes. The first request after
 * a failure is not held, to determine immediately whether the server is available again.
 *
 * @param {object} parts
 * @param {import('../shared/calls.ts').Call} parts.call
 * @param {import('./held-request.js').HoldRequest} parts.holdRequest
 * @param {import('../shared/pauses.ts').Pauses} parts.pauses
 * @param {() => number} parts.now
 * @param {AbortSignal} parts.signal
 * @param {(response: { listed: ListedChat[] | null, number: number }) => void} parts.onResponse `listed` is
 *   null if nothing has changed; `number` counts the requests
 * @param {(connection: Connection) => void} parts.onConnection
 */
export function createSync({ call, holdRequest, pauses, now, signal, onResponse, onConnection }) {
  let number = 0;
  /** @type {string | null} */
  let etag = null;
  let isUncertain = true;
  let isHeld = false;
  let cut = new AbortController();
  /** @type {Set<{ after: number, resolve: () => void }>} */
  const expecting = new Set();

  /** Aborts a held request or the pause before it. */
  const interrupt = () => {
    if (isHeld) cut.abort();
  };

  const settle = (upTo = Number.POSITIVE_INFINITY) => {
    for (const each of expecting) {
      if (each.after >= upTo) continue;
      expecting.delete(each);
      each.resolve();
    }
  };

  /** @param {boolean} mayHold */
  const requestList = async (mayHold) => {
    const path = mayHold ? `/api/chats?wait=${wait}` : '/api/chats';
    const { status, ...response } = await call('GET', path, {
      signal: cut.signal,
      ...(etag === null ? {} : { headers: { 'if-none-match': etag } }),
      ...(mayHold ? { deadline } : {}),
    });
    if (status === 304 && etag === null) throw badAnswer('304 to a first request');
    const isUnchanged = status === 304 || (response.etag !== null && response.etag === etag);
    onResponse({ listed: status === 304 ? null : readChatList(response.body), number });
    if (status !== 304) etag = response.etag;
    return isUnchanged;
  };

  /** @param {{ isUnchanged: boolean, took: number }} request */
  const rest = async ({ isUnchanged, took }) => {
    const isUnheld = etag === null || (isHeld && isUnchanged && took < 1000);
    isHeld = true;
    if (expecting.size === 0) await pauses.pause(isUnheld ? slowPace : pace, cut.signal);
  };

  /** Waits for the next attempt. Returns true if `wake` ended it. @param {unknown} error @param {number} failures */
  const back = async (error, failures) => {
    const time = pauses.after(error, failures);
    const retryAt = now() + time.milliseconds;
    onConnection({ state: 'offline', retryAt, failure: asFailure(error) });
    const isWoken = await pauses.wait(time, signal);
    if (!signal.aborted) onConnection(connecting);
    return isWoken;
  };

  signal.addEventListener('abort', () => {
    cut.abort();
    settle();
  });

  return {
    /** Returns the number of the latest request. */
    number: () => number,
    /** Requests the list immediately, without waiting for a held request. */
    wake() {
      isUncertain = true;
      interrupt();
    },
    /**
     * Resolves when the service has responded to a request that began after this call, or when the client stops.
     *
     * @returns {Promise<void>}
     */
    recheck() {
      if (signal.aborted) return Promise.resolve();
      isUncertain = true;
      interrupt();
      return new Promise((resolve) => expecting.add({ after: number, resolve }));
    },
    async run() {
      let failures = 0;
      while (!signal.aborted) {
        cut = new AbortController();
        isHeld = !isUncertain && expecting.size === 0 && etag !== null;
        isUncertain = false;
        number += 1;
        const begun = now();
        try {
          const isUnchanged = await (isHeld ? holdRequest(requestList) : requestList(false));
          failures = 0;
          onConnection(online);
          settle(number);
          await rest({ isUnchanged, took: now() - begun });
        } catch (error) {
          if (signal.aborted) return;
          if (cut.signal.aborted) continue;
          isUncertain = true;
          failures += 1;
          if (await back(error, failures)) failures = 0;
        }
      }
    },
  };
}
