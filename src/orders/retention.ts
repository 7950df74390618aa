import type { Clock } from '../base/clock.js';
import { every } from '../base/every.js';
import type { Logger } from '../base/log.js';
import { dayText } from './order.js';
import type { OrderStore } from './store.js';

export interface OrderRetentionOptions {
  readonly store: Pick<OrderStore, 'removeEndedBefore'>;
  /** Milliseconds for which orders are kept that are over; Infinity = for ever. */
  readonly retention: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Milliseconds from round to round: what is removed ended on an earlier day, so hours matter little. */
const roundEvery = 3_600_000;

/**
 * Removes orders that ended on a (UTC) day before the retention began, from time to time, until `signal` aborts. Those
 * that are not over always stay.
 */
export function keepOrdersTidy(options: OrderRetentionOptions, signal: AbortSignal): Promise<void> {
  const { store, retention, clock, log } = options;
  async function round(): Promise<void> {
    const before = dayText(Math.max(0, clock.now() - retention));
    const removed = await store.removeEndedBefore(before);
    if (removed > 0) log.info({ removed, before }, 'Orders that ended long ago were removed.');
  }
  const onError = (err: unknown) =>
    log.warn({ err }, 'Old orders could not be removed; it is tried again.');
  return every(roundEvery, round, { clock, signal, onError });
}
