import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/log.js';
import { asUnknown, type Payment, withFacts, withOutcome } from '../payment.js';
import { type Announce, eventOf } from '../payment-event.js';
import type { PaymentStore } from '../payment-store.js';
import type { PollResult } from './poll.js';

export interface SettleOptions {
  readonly store: PaymentStore;
  readonly announce: Announce;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Writes down what polls have shown. */
export interface Settle {
  /**
   * Ends a payment: first its event is stored for delivery, then the payment is marked ended. A
   * crash in between repeats the first step, which changes nothing for an event stored before.
   */
  end(payment: Payment, result: PollResult & { readonly kind: 'final' }): Promise<Payment>;
  /** Keeps a status that has changed without ending the payment. */
  note(payment: Payment, result: PollResult & { readonly kind: 'pending' }): Promise<Payment>;
  /** Gives up on a payment; nothing is announced, as nothing is known. */
  giveUp(payment: Payment): Promise<Payment>;
}

export function createSettle({ store, announce, clock, log }: SettleOptions): Settle {
  return {
    async end(payment, { outcome, facts }) {
      const seen = withFacts(payment, facts);
      await announce(eventOf(seen, outcome, facts, clock.now()));
      const ended = withOutcome(seen, outcome, clock.now());
      await store.end(ended);
      const { id, type, status } = ended;
      log.info({ payment: id, type, status, outcome }, 'A payment has ended.');
      return ended;
    },
    async note(payment, { facts }) {
      const changed = facts.status !== payment.status || payment.failingSince !== undefined;
      if (!changed) return payment;
      const seen = withFacts(payment, facts);
      await store.update(seen);
      return seen;
    },
    async giveUp(payment) {
      const unknown = asUnknown(payment, clock.now());
      await store.end(unknown);
      const { id, type, status, failingSince } = unknown;
      log.error(
        { payment: id, type, status, failingSince },
        'The outcome of a payment could not be learnt in 24 hours; watching it has ended. Ask the provider.',
      );
      return unknown;
    },
  };
}
