import type { Clock } from '../base/clock.js';
import { every } from '../base/every.js';
import type { Logger } from '../base/log.js';
import type { MoneyClock } from '../base/money-clock.js';
import { nameOfPayment, type PaymentName, paymentKey } from './payment.js';
import { closedIntentLife } from './records.js';
import type { PaymentStores } from './store.js';

/** Returns the payments that have undelivered webhooks. */
export type FindUndelivered = (payments: readonly PaymentName[]) => Promise<readonly PaymentName[]>;

export interface RetentionOptions {
  readonly stores: Pick<PaymentStores, 'payments' | 'intents' | 'refunds' | 'answers'>;
  /** Retention of ended payments and refunds, in milliseconds; Infinity keeps them forever. */
  readonly retention: number;
  readonly findUndelivered: FindUndelivered;
  readonly clock: Clock;
  readonly deletionTime: MoneyClock['deletionTime'];
  readonly log: Logger;
}

/** Removes old records periodically until `signal` aborts. */
export type Retention = (signal: AbortSignal) => Promise<void>;

/** Interval between two rounds, in milliseconds. */
const roundEvery = 3_600_000;

/**
 * Removes payments that ended, and refunds that were made, on a UTC day before the retention period. Keeps open
 * payments, payments without a known outcome, and payments with undelivered webhooks. Removes intents
 * `closedIntentLife` after they were closed, and answers when their keys expire. Works in batches. The next round
 * completes an interrupted one.
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
    if (removed > 0) log.info({ removed, before }, 'Old payments were removed.');
  }

  return (signal) => {
    const onError = (err: unknown) =>
      log.warn({ err }, 'Old payments could not be removed. Retrying.');
    return every(roundEvery, round, { clock, signal, onError });
  };
}
