import type { Clock } from '../base/clock.js';
import { every } from '../base/every.js';
import type { Logger } from '../base/log.js';
import type { MoneyClock } from '../base/money-clock.js';
import { eraseContacts } from './erase-contacts.js';
import { dayText } from './order.js';
import type { OrderStore } from './store.js';

export interface OrderRetentionOptions {
  readonly store: OrderStore;
  /** Milliseconds for which orders that are over are kept; Infinity = for ever. */
  readonly retention: number;
  /** Time for which customers' details are kept after an order was completed or cancelled, in milliseconds. */
  readonly contactRetention: number;
  readonly clock: Clock;
  readonly deletionTime: MoneyClock['deletionTime'];
  readonly log: Logger;
}

/** Milliseconds between removals. They go by the UTC day, so hours matter little. */
const roundEvery = 3_600_000;

/** Milliseconds between erasures of contact details, which read every order. */
const erasedEvery = 86_400_000;

/**
 * Periodically removes orders that ended on a UTC day before the retention began, expired keys, and customers' details whose
 * time is up, until `signal` aborts. Orders that have not ended always stay.
 */
export function keepOrdersTidy(options: OrderRetentionOptions, signal: AbortSignal): Promise<void> {
  const { store, retention, contactRetention: life, clock, deletionTime, log } = options;
  let eraseNextAt = 0;
  async function round(): Promise<void> {
    // What protects people goes by the wall clock alone, and does not wait until it is certain.
    if (clock.monotonic() >= eraseNextAt) {
      const erased = await eraseContacts({ store, life, now: clock.now(), signal });
      if (erased > 0) log.info({ erased }, 'Erased the contact details of old orders.');
      eraseNextAt = clock.monotonic() + erasedEvery;
    }
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
