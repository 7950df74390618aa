import type { Clock } from '../base/clock.js';
import { every } from '../base/every.js';
import type { Logger } from '../base/log.js';
import type { MoneyClock } from '../base/money-clock.js';
import { dayText } from './order.js';
import type { OrderStore } from './store.js';

export interface OrderRetentionOptions {
  readonly store: Pick<OrderStore, 'removeExpiredKeys' | 'removeEndedBefore'>;
  /** Milliseconds for which orders that are over are kept; Infinity = for ever. */
  readonly retention: number;
  readonly clock: Clock;
  readonly deletionTime: MoneyClock['deletionTime'];
  readonly log: Logger;
}

/** Milliseconds between removals. They go by the UTC day, so hours matter little. */
const roundEvery = 3_600_000;

/**
 * Periodically removes orders that ended on a UTC day before the retention began, and expired keys, until `signal`
 * aborts. Orders that have not ended always stay.
 */
export function keepOrdersTidy(options: OrderRetentionOptions, signal: AbortSignal): Promise<void> {
  const { store, retention, clock, deletionTime, log } = options;
  async function round(): Promise<void> {
    const now = await deletionTime();
    if (now === undefined) return;
    await store.removeExpiredKeys(now);
    const before = dayText(Math.max(0, now - retention));
    const removed = await store.removeEndedBefore(before);
    if (removed > 0) log.info({ removed, before }, 'Removed orders past their retention.');
  }
  const onError = (err: unknown) =>
    log.warn({ err }, 'Could not remove old orders; retrying later.');
  return every(roundEvery, round, { clock, signal, onError });
}
