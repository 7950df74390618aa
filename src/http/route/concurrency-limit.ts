import { AppError } from '../../base/errors.js';
import { limited } from '../../base/rate-limit.js';
import type { ApiRequest } from './route.js';

export interface ConcurrencyBounds {
  /** Maximum number of requests of one key that are handled concurrently. */
  readonly most: number;
  /** Maximum number of requests of one key that wait. */
  readonly maxWaiting: number;
  /** The error if too many requests are waiting. By default, it reports unread responses. */
  readonly refusal?: { readonly message: string; readonly hint: string };
}

interface Key {
  running: number;
  readonly waiting: Set<() => void>;
}

/** Time after which a rejected client may retry, in seconds. */
const retryAfter = 5;

export type ConcurrencyLimit = ReturnType<typeof createConcurrencyLimit>;

/** Limits the number of requests of each key that are handled concurrently. Further ones wait in order of arrival. */
export function createConcurrencyLimit(bounds: ConcurrencyBounds) {
  const { most, maxWaiting, refusal = unread } = bounds;
  const keys = new Map<string, Key>();

  function end(name: string, key: Key): void {
    const [next] = key.waiting;
    if (next) {
      next();
      return;
    }
    key.running -= 1;
    if (key.running === 0) keys.delete(name);
  }

  return {
    /**
     * Resolves when the request may proceed. The request is counted until its response has been sent or its connection
     * has closed. Throws `rate_limited` if too many requests of the key are waiting already. The wait ends with an
     * error when the client disconnects or the server stops.
     */
    async take(name: string, request: Pick<ApiRequest, 'signal' | 'whenAnswered'>): Promise<void> {
      const key = keys.get(name) ?? { running: 0, waiting: new Set() };
      if (key.running < most) {
        keys.set(name, key);
        key.running += 1;
      } else {
        if (key.waiting.size >= maxWaiting) throw limited(retryAfter, refusal);
        await wait(key, request.signal());
      }
      request.whenAnswered(() => end(name, key));
    },
  };
}

/** Resolves when another request ends and this one may start. */
function wait({ waiting }: Key, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const begin = () => {
      waiting.delete(begin);
      signal.removeEventListener('abort', giveUp);
      resolve();
    };
    const giveUp = () => {
      waiting.delete(begin);
      reject(cutOff(signal));
    };
    if (signal.aborted) return giveUp();
    waiting.add(begin);
    signal.addEventListener('abort', giveUp, { once: true });
  });
}

/**
 * Returns the error of a request whose signal has aborted. If the client has disconnected, it is not a server error.
 */
export function cutOff({ reason }: AbortSignal): AppError {
  return reason === 'shutdown'
    ? new AppError('shutting_down', 'The service is stopping.')
    : new AppError('bad_request', 'The connection was closed before the response.');
}

const unread = {
  message: 'Too many of your responses are still unread.',
  hint: 'Read the pending responses before you send further requests.',
};
