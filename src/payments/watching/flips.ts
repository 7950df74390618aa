import type { PaymentParts } from '../parts.js';
import { type PaymentName, paymentKey } from '../payment.js';
import { type ProviderAnswer, ProviderError } from '../providers/provider.js';
import type { PaymentFacts } from '../providers/provider-answer.js';

import { contradictionOf, type FurtherStatuses, lastOutcome, meaningOf } from './payment-rules.js';
import { factsAbout } from './poll.js';

export type Flips = ReturnType<typeof createFlips>;

export type FlippedFacts = Pick<PaymentFacts, 'status' | 'amount' | 'amountFault'>;

/**
 * Detects when the provider reports a different final status for an ended payment. Each change is logged as an error
 * and stored in the payment's record. The event that was sent is not changed. The returned functions never reject.
 * `onCorrected` is called if the outcome differs from the last known one.
 */
export function createFlips(
  { store, log, follower }: PaymentParts,
  further: FurtherStatuses,
  onCorrected: (() => void) | undefined,
) {
  async function findFlipped(name: PaymentName, status: string) {
    const [payment] = await store.find(name);
    if (payment?.state !== 'ended') return undefined;
    // A known status is not stored again, because clients may request it every second.
    return (payment.flippedTo ?? payment.status) === status ? undefined : payment;
  }

  async function seen(name: PaymentName, facts: FlippedFacts): Promise<void> {
    const { status: flippedTo, amount: answered } = facts;
    const meaning = meaningOf(name.type, flippedTo, further);
    if (meaning === undefined || meaning === 'pending') return;
    const { organizationId: organization, type, id } = name;
    try {
      const payment = await findFlipped(name, flippedTo);
      if (!payment) return;
      const isOther = meaning === 'success' && contradictionOf(payment.amount, facts) !== undefined;
      // The follower is called before the change is stored, so that the next process repeats the call if this one dies
      // in between.
      const last = isOther ? undefined : meaning;
      await follower.corrected(payment, last);
      const flip = { flippedTo, flippedOutcome: last ?? 'unknown' } as const;
      if (!(await store.noteFlip(paymentKey(payment), flip))) return;
      if (last !== lastOutcome(payment)) onCorrected?.();
      const { status, outcome, amount } = payment;
      log.error(
        { payment: id, type, organization, status, outcome, flippedTo, amount, answered },
        `The provider now reports ${flippedTo} for a payment that ended as ${status}. The event payment.${outcome} was already sent and is not withdrawn. Ask the provider which status is correct, and settle any difference with the customer.`,
      );
    } catch (error) {
      log.error(
        { payment: id, type, organization, flippedTo, err: error },
        'A changed final status of a payment could not be checked or stored.',
      );
    }
  }

  return {
    /** Checks facts that were read from an answer. */
    seen,
    /** Checks an answer about one operation. Ignores it if it has no status or is about a different operation. */
    async observed(name: PaymentName, answer: ProviderAnswer): Promise<void> {
      try {
        await seen(name, factsAbout(name, answer));
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
      }
    },
  };
}
