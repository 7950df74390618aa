import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/log.js';
import { formatTenge } from '../../words/formats.js';
import { type Payment, withFacts } from '../payment.js';
import { type Announce, eventOf } from '../payment-event.js';
import type { PaymentFollower } from '../payment-follower.js';
import type { PaymentFacts } from '../providers/provider-answer.js';
import type { PaymentStore } from '../store.js';
import type { PollResult } from './poll.js';

export interface SettleOptions {
  readonly store: PaymentStore;
  readonly announce: Announce;
  readonly follower: PaymentFollower;
  readonly clock: Clock;
  readonly log: Logger;
}

export type Settle = ReturnType<typeof createSettle>;

type Final = PollResult & { readonly kind: 'final' };
type Pending = PollResult & { readonly kind: 'pending' };
type Contradicted = PollResult & { readonly kind: 'contradicted' };

/** Writes down what polls have shown. */
export function createSettle({ store, announce, follower, clock, log }: SettleOptions) {
  /** Ends the watching of a payment without an outcome; nothing is announced, as nothing is known. */
  async function leave(payment: Payment, reason: NonNullable<Payment['reason']>): Promise<Payment> {
    const unknown: Payment = { ...payment, state: 'unknown', reason, endedAt: clock.now() };
    await follower.seen(unknown);
    await store.end(unknown);
    return unknown;
  }

  return {
    /**
     * Ends a payment: first its event is stored for delivery and who follows it is told, then the payment is marked
     * ended. A crash in between repeats the first steps, which change nothing the second time.
     */
    async end(payment: Payment, { outcome, facts }: Final): Promise<Payment> {
      const seen = withFacts(payment, facts);
      await announce(eventOf(seen, outcome, facts, clock.now()));
      const ended: Payment = { ...seen, state: 'ended', outcome, endedAt: clock.now() };
      await follower.seen(ended);
      await store.end(ended);
      const { id, type, status } = ended;
      log.info({ payment: id, type, status, outcome }, 'A payment has ended.');
      return ended;
    },
    /** Keeps a status that has changed without ending the payment. */
    async note(payment: Payment, { facts }: Pending): Promise<Payment> {
      const namesOther = facts.otherId !== null && payment.otherId === undefined;
      const changed =
        facts.status !== payment.status || payment.failingSince !== undefined || namesOther;
      if (!changed) return payment;
      const seen = withFacts(payment, facts);
      await store.update(seen);
      return seen;
    },
    /** Gives up on a payment whose polls have failed for a day. */
    async giveUp(payment: Payment): Promise<Payment> {
      const unknown = await leave(payment, 'no_answer');
      const { id, type, organizationId, status, reason, failingSince } = unknown;
      log.error(
        { payment: id, type, organization: organizationId, status, reason, failingSince },
        'Every poll of a payment has failed for 24 hours; watching it has ended and no event is sent. Ask the provider what became of it.',
      );
      return unknown;
    },
    /** Gives up on a payment that the provider reports as paid with another amount than the ordered one. */
    async giveUpOnAmount(payment: Payment, { facts, reason }: Contradicted): Promise<Payment> {
      const unknown = await leave(withFacts(payment, facts), reason);
      const { id, type, organizationId, status, amount } = unknown;
      const answered = facts.amount ?? asWritten(facts.data);
      const words = facts.amount === null ? answered : formatTenge(facts.amount);
      log.error(
        { payment: id, type, organization: organizationId, status, reason, amount, answered },
        `The provider reports a payment of ${formatTenge(amount)} as paid with ${words}. That is not a success: watching has ended and no event is sent. Ask the provider which amount was paid, and settle the difference with the client.`,
      );
      return unknown;
    },
    /** Reports a payment that has been for more than an hour in statuses that are in no list. */
    reportStuck({ id, type, organizationId, status }: Payment): void {
      log.error(
        { payment: id, type, organization: organizationId, status },
        'A payment has been for more than 1 hour in a status that is in no list, and stays open. Ask the provider what the status means, and name it in the file of MSGSITE_STATUS_MAP.',
      );
    },
  };
}

/** Characters of an unreadable amount of the provider that are logged. */
const longestAnswered = 60;

/** Returns an amount with its currency as the provider wrote it, for people to read. */
function asWritten({ Amount: amount, Currency: currency }: PaymentFacts['data']): string {
  const text = typeof amount === 'object' ? JSON.stringify(amount) : String(amount);
  const unit = currency === undefined || currency === null ? '' : ` ${String(currency)}`;
  return `${text}${unit}`.slice(0, longestAnswered);
}
