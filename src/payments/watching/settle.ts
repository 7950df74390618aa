import { formatTenge } from '../../words/formats.js';
import type { PaymentParts } from '../parts.js';
import { type Payment, withFacts } from '../payment.js';
import { eventOf } from '../payment-event.js';
import type { PaymentFacts } from '../providers/provider-answer.js';
import type { PollResult } from './poll.js';

export type Settle = ReturnType<typeof createSettle>;

type Final = PollResult & { readonly kind: 'final' };
type Pending = PollResult & { readonly kind: 'pending' };
type Contradicted = PollResult & { readonly kind: 'contradicted' };

/** Stores the results of polls. */
export function createSettle({ store, announce, follower, clock, log }: PaymentParts) {
  /** Ends a payment without an outcome and without an event. */
  async function leave(payment: Payment, reason: NonNullable<Payment['reason']>): Promise<Payment> {
    const unknown: Payment = { ...payment, state: 'unknown', reason, endedAt: clock.now() };
    await follower.seen(unknown);
    await store.end(unknown);
    return unknown;
  }

  /**
   * Ends a payment: stores its event for delivery, calls the follower, and then stores the payment as ended. After a
   * crash in between, the completed steps are repeated and change nothing.
   */
  async function end(payment: Payment, { outcome, facts }: Final): Promise<Payment> {
    const seen = withFacts(payment, facts);
    await announce(eventOf(seen, outcome, facts, clock.now()));
    const ended: Payment = { ...seen, state: 'ended', outcome, endedAt: clock.now() };
    await follower.seen(ended);
    await store.end(ended);
    const { id, type, status } = ended;
    log.info({ payment: id, type, status, outcome }, 'A payment has ended.');
    return ended;
  }

  /** Stores the result of a poll that did not end the payment, if anything has changed. */
  async function note(payment: Payment, { facts }: Pending): Promise<Payment> {
    const namesOther = facts.otherId !== null && payment.otherId === undefined;
    const changed =
      facts.status !== payment.status || payment.failingSince !== undefined || namesOther;
    if (!changed) return payment;
    const seen = withFacts(payment, facts);
    await store.update(seen);
    return seen;
  }

  /** Ends a payment that the provider reports as paid with a contradicting amount. */
  async function giveUpOnAmount(
    payment: Payment,
    { facts, reason }: Contradicted,
  ): Promise<Payment> {
    const unknown = await leave(withFacts(payment, facts), reason);
    const { id, type, organizationId, status, amount } = unknown;
    const answered = facts.amount ?? asWritten(facts.data);
    const amountText = facts.amount === null ? answered : formatTenge(facts.amount);
    log.error(
      { payment: id, type, organization: organizationId, status, reason, amount, answered },
      `The provider reports a payment of ${formatTenge(amount)} as paid, but with ${amountText}. The gateway has stopped watching it and sends no event. Ask the provider which amount was paid, and settle the difference with the customer.`,
    );
    return unknown;
  }

  return {
    /** Stores the result of a poll and returns the payment. A failed poll changes nothing. */
    async conclude(payment: Payment, result: PollResult): Promise<Payment> {
      switch (result.kind) {
        case 'final':
          return end(payment, result);
        case 'contradicted':
          return giveUpOnAmount(payment, result);
        case 'pending':
          return note(payment, result);
        case 'failed':
          return payment;
      }
    },
    /** Ends a payment whose polls have failed for 24 hours. */
    async giveUp(payment: Payment): Promise<Payment> {
      const unknown = await leave(payment, 'no_answer');
      const { id, type, organizationId, status, reason, failingSince } = unknown;
      log.error(
        { payment: id, type, organization: organizationId, status, reason, failingSince },
        'All polls of a payment have failed for 24 hours. The gateway has stopped watching it and sends no event. Ask the provider for its outcome.',
      );
      return unknown;
    },

    /** Reports a payment that has had unknown statuses for more than an hour. */
    reportStuck({ id, type, organizationId, status }: Payment): void {
      log.error(
        { payment: id, type, organization: organizationId, status },
        'A payment has had an unknown status for more than 1 hour and stays open. Ask the provider what the status means, and add it to the file named by MSGSITE_STATUS_MAP.',
      );
    },
  };
}

/** Maximum length of the provider's unreadable amount in the log, in characters. */
const maxAnsweredLength = 60;

/** Returns an amount with its currency exactly as the provider sent it. */
function asWritten({ Amount: amount, Currency: currency }: PaymentFacts['data']): string {
  const text = typeof amount === 'object' ? JSON.stringify(amount) : String(amount);
  const unit = currency === undefined || currency === null ? '' : ` ${String(currency)}`;
  return `${text}${unit}`.slice(0, maxAnsweredLength);
}
