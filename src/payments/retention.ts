import type { Clock } from '../base/clock.js';
import { every } from '../base/every.js';
import type { Logger } from '../base/log.js';
import type { MoneyClock } from '../base/money-clock.js';
import { nameOfPayment, type PaymentName, paymentKey } from './payment.js';
import { closedIntentLife } from './records.js';
import type { PaymentStores } from './store.js';

/** Of these payments, gives those whose webhooks have not all been delivered. */
export type FindUndelivered = (payments: readonly PaymentName[]) => Promise<readonly PaymentName[]>;

export interface RetentionOptions {
  readonly stores: Pick<PaymentStores, 'payments' | 'intents' | 'refunds' | 'answers'>;
  /** Milliseconds for which ended payments and refunds are kept; Infinity = for ever. */
  readonly retention: number;
  readonly findUndelivered: FindUndelivered;
  readonly clock: Clock;
  readonly deletionTime: MoneyClock['deletionTime'];
  readonly log: Logger;
}

/** Removes what has been kept long enough, from time to time, until `signal` aborts. */
export type Retention = (signal: AbortSignal) => Promise<void>;

/** Milliseconds from round to round: what is removed ended on an earlier day, so hours matter little. */
const roundEvery = 3_600_000;

/**
 * Removes payments that ended, and refunds that were made, on a (UTC) day before the retention began.
 * Payments with webhooks that were not delivered stay until these are delivered or gone; open payments and
 * those without a known outcome always stay. Intents go once they were closed long ago, those in doubt
 * never; answers are removed with their keys. Works in batches; the next round completes a round that is cut off.
 */
export function createRetention(options: RetentionOptions): Retention {
  const { stores, retention, findUndelivered, clock, deletionTime, log } = options;

  async function chooseOld(keys: readonly string[], signal: AbortSignal): Promise<string[]> {
    signal.throwIfAborted();
    const kept = new Set((await findUndelivered(keys.map(nameOfPayment))).map(paymentKey));
    return keys.filter((key) => !kept.has(key));
  }

  async function round(signal: AbortSignal): Promise<void> {
    const now = await deletionTime();
    if (now === undefined) return;
    const dayBefore = (milliseconds: number) =>
      new Date(Math.max(0, now - milliseconds)).toISOString().slice(0, 10);
    await stores.answers.removeExpired(now);
    await stores.intents.removeClosedBefore(dayBefore(closedIntentLife));
    const before = dayBefore(retention);
    await stores.refunds.removeBefore(before);
    const removed = await stores.payments.removeEndedBefore(before, (keys) =>
      chooseOld(keys, signal),
    );
    if (removed > 0) log.info({ removed, before }, 'Payments that ended long ago were removed.');
  }

  return (signal) => {
    const onError = (err: unknown) =>
      log.warn({ err }, 'Old payments could not be removed; it is tried again.');
    return every(roundEvery, round, { clock, signal, onError });
  };
}
