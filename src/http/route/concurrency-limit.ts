import { AppError } from '../../base/errors.js';
import { limited } from '../../base/rate-limit.js';
import type { ApiRequest } from './route.js';

export interface ConcurrencyBounds {
  /** The most requests of one key that are handled at a time. */
  readonly most: number;
  /** The most requests of one key that wait. */
  readonly maxWaiting: number;
  /** The error if too many requests wait; by default, it says that answers are not being read. */
  readonly refusal?: { readonly message: string; readonly hint: string };
}

interface Key {
  running: number;
  readonly waiting: Set<() => void>;
}

/** Seconds after which a refused client may try again. */
const retryAfter = 5;

export type ConcurrencyLimit = ReturnType<typeof createConcurrencyLimit>;

/** Handles a few requests of each key at a time; further ones wait in order of arrival. */
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
     * Resolves when the request may proceed. It counts until its answer has been sent or its connection closed. Throws
     * `rate_limited` if too many requests of the key wait already. The wait ends when the client disconnects or the
     * server stops.
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

/** Resolves when the end of another request makes room for this one. */
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
 * Returns the failure of a request whose signal has aborted. That a client has disconnected is not a failure of the
 * service.
 */
export function cutOff({ reason }: AbortSignal): AppError {
  return reason === 'shutdown'
    ? new AppError('shutting_down', 'The service is stopping.')
    : new AppError('bad_request', 'The connection was closed before the answer.');
}

const unread = {
  message: 'Too many responses to you are still unread.',
  hint: 'Read the pending responses before you send further requests.',
};
