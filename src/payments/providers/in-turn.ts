import pLimit, { type LimitFunction } from 'p-limit';
import type { Clock } from '../../base/clock.js';
import { ProviderError } from './provider.js';

/**
 * Calls the provider under a key; of one key, so many calls are under way at once, and further ones wait
 * their turn. A call that has waited too long is not made: its client has given up, and money is not
 * moved so late. It is a `timeout`, and a clear one.
 */
export type InTurn = <Result>(key: string, call: () => Promise<Result>) => Promise<Result>;

interface Line {
  readonly limit: LimitFunction;
  users: number;
}

/** Milliseconds that a call waits for its turn at the provider, longer than most clients wait. */
const longestWait = 25_000;

/** Keys that no call is made under take no memory. */
export function createInTurn(most: number, clock: Clock): InTurn {
  const lines = new Map<string, Line>();
  return async function inTurn(key, call) {
    const line = lines.get(key) ?? { limit: pLimit(most), users: 0 };
    lines.set(key, line);
    line.users += 1;
    const since = clock.monotonic();
    try {
      return await line.limit(() => {
        if (clock.monotonic() - since <= longestWait) return call();
        const crowded = 'Too many calls to the provider were waiting.';
        throw new ProviderError('timeout', crowded, { isClear: true });
      });
    } finally {
      line.users -= 1;
      if (line.users === 0) lines.delete(key);
    }
  };
}
