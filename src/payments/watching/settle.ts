import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/log.js';
import { type Payment, withFacts } from '../payment.js';
import { type Announce, eventOf } from '../payment-event.js';
import type { PaymentStore } from '../store.js';
import type { PollResult } from './poll.js';

export interface SettleOptions {
  readonly store: PaymentStore;
  readonly announce: Announce;
  readonly clock: Clock;
  readonly log: Logger;
}

export type Settle = ReturnType<typeof createSettle>;

type Final = PollResult & { readonly kind: 'final' };
type Pending = PollResult & { readonly kind: 'pending' };

/** Writes down what polls have shown. */
export function createSettle({ store, announce, clock, log }: SettleOptions) {
  return {
    /**
     * Ends a payment: first its event is stored for delivery, then the payment is marked ended. A
     * crash in between repeats the first step, which changes nothing for an event stored before.
     */
    async end(payment: Payment, { outcome, facts }: Final): Promise<Payment> {
      const seen = withFacts(payment, facts);
      await announce(eventOf(seen, outcome, facts, clock.now()));
      const ended: Payment = { ...seen, state: 'ended', outcome, endedAt: clock.now() };
      await store.end(ended);
      const { id, type, status } = ended;
      log.info({ payment: id, type, status, outcome }, 'A payment has ended.');
      return ended;
    },
    /** Keeps a status that has changed without ending the payment. */
    async note(payment: Payment, { facts }: Pending): Promise<Payment> {
      const changed = facts.status !== payment.status || payment.failingSince !== undefined;
      if (!changed) return payment;
      const seen = withFacts(payment, facts);
      await store.update(seen);
      return seen;
    },
    /** Gives up on a payment; nothing is announced, as nothing is known. */
    async giveUp(payment: Payment): Promise<Payment> {
      const unknown: Payment = { ...payment, state: 'unknown', endedAt: clock.now() };
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
