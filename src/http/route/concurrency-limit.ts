import { AppError } from '../../base/errors.js';
import type { ApiRequest } from './route.js';

export interface ConcurrencyBounds {
  /** Requests of one key that are handled at a time. */
  readonly most: number;
  /** Requests of one key that may wait. */
  readonly mostWaiting: number;
  /** What somebody is told whose request finds too many waiting; by default that answers are not read. */
  readonly refusal?: { readonly message: string; readonly hint: string };
}

interface Key {
  running: number;
  readonly waiting: Set<() => void>;
}

/** Seconds after which those who found too many waiting may try again. */
const retryAfter = 5;

export type ConcurrencyLimit = ReturnType<typeof createConcurrencyLimit>;

/** Lets everybody have a few requests at a time; further ones wait, first come, first served. */
export function createConcurrencyLimit(bounds: ConcurrencyBounds) {
  const { most, mostWaiting, refusal = unread } = bounds;
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
     * Resolves when the request may go on; it counts until its answer was sent or its connection closed.
     * `rate_limited` where too many of the same key wait already; a request whose client goes or whose
     * server stops waits no longer.
     */
    async take(name: string, request: Pick<ApiRequest, 'signal' | 'whenAnswered'>): Promise<void> {
      const key = keys.get(name) ?? { running: 0, waiting: new Set() };
      if (key.running < most) {
        keys.set(name, key);
        key.running += 1;
      } else {
        if (key.waiting.size >= mostWaiting) throw tooMany(refusal);
        await wait(key, request.signal());
      }
      request.whenAnswered(() => end(name, key));
    },
  };
}

/** Resolves once the end of another request lets this one go on. */
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
 * The failure of a request whose signal has aborted. Nobody reads the answer of a client that has gone; it is no
 * failure of the service.
 */
export function cutOff({ reason }: AbortSignal): AppError {
  return reason === 'shutdown'
    ? new AppError('shutting_down', 'The service is stopping.')
    : new AppError('bad_request', 'The connection was closed before the answer.');
}

const unread = {
  message: 'Too many answers are on their way to you.',
  hint: 'Read the answers that were asked for before asking for more.',
};

function tooMany({ message, hint }: NonNullable<ConcurrencyBounds['refusal']>): AppError {
  const headers = { 'Retry-After': String(retryAfter) };
  return new AppError('rate_limited', `${message} Try again in ${retryAfter} seconds.`, {
    headers,
    hint,
  });
}
