import { AppError } from '../base/errors.js';
import type { ApiRequest } from './route.js';

/** Lets everybody do a few things at a time; further ones wait, first come, first served. */
export interface Turns {
  /**
   * Resolves when it is the request's turn, which lasts until its answer was sent or its connection
   * closed. `rate_limited` where too many of the same key wait already; a request whose client goes
   * or whose server stops waits no longer.
   */
  take(key: string, request: Pick<ApiRequest, 'signal' | 'whenAnswered'>): Promise<void>;
}

export interface TurnBounds {
  /** Turns of one key at a time. */
  readonly most: number;
  /** Requests of one key that may wait for theirs. */
  readonly mostWaiting: number;
}

interface Line {
  taken: number;
  readonly waiting: Set<() => void>;
}

/** Seconds after which those who found the queue too long may try again. */
const retryAfter = 5;

export function createTurns({ most, mostWaiting }: TurnBounds): Turns {
  const lines = new Map<string, Line>();

  function end(key: string, line: Line): void {
    const [next] = line.waiting;
    if (next) {
      line.waiting.delete(next);
      next();
      return;
    }
    line.taken -= 1;
    if (line.taken === 0) lines.delete(key);
  }

  /** Resolves once somebody has handed their turn on. */
  function wait(line: Line, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        line.waiting.delete(begin);
        reject(notAnyMore(signal));
      };
      if (signal.aborted) return giveUp();
      line.waiting.add(begin);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  return {
    async take(key, request) {
      const line = lines.get(key) ?? { taken: 0, waiting: new Set() };
      if (line.taken < most) {
        lines.set(key, line);
        line.taken += 1;
      } else {
        if (line.waiting.size >= mostWaiting) throw tooMany();
        await wait(line, request.signal);
      }
      request.whenAnswered(() => end(key, line));
    },
  };
}

/** Nobody reads the answer of a client that has gone; it is no failure of the service. */
function notAnyMore({ reason }: AbortSignal): AppError {
  return reason === 'shutdown'
    ? new AppError('shutting_down', 'The service is stopping.')
    : new AppError('bad_request', 'The connection was closed before it was its turn.');
}

function tooMany(): AppError {
  return new AppError(
    'rate_limited',
    `Too many answers are on their way to you. Try again in ${retryAfter} seconds.`,
    {
      headers: { 'Retry-After': String(retryAfter) },
      hint: 'Read the answers that were asked for before asking for more.',
    },
  );
}
