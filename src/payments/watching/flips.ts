import type { Logger } from '../../base/log.js';
import { type PaymentName, paymentKey } from '../payment.js';
import type { PaymentFollower } from '../payment-follower.js';
import { type ProviderAnswer, ProviderError } from '../providers/provider.js';
import type { PaymentFacts } from '../providers/provider-answer.js';
import type { PaymentStore } from '../store.js';
import { contradictionOf, type FurtherStatuses, lastOutcome, meaningOf } from './payment-rules.js';
import { factsAbout } from './poll.js';

export interface FlipsOptions {
  readonly store: Pick<PaymentStore, 'find' | 'noteFlip'>;
  readonly further: FurtherStatuses;
  readonly log: Logger;
  readonly follower: Pick<PaymentFollower, 'corrected'>;
  /** Called when the outcome of a payment differs from the last known one. */
  readonly onCorrected?: (() => void) | undefined;
}

/**
 * Notices payments that the provider reports with another status than the one they ended with, or had last. Each change
 * is reported as an error and stored in the payment's record. The event that was sent stays as it is.
 * Both functions resolve when that is done, and never reject.
 */
export type Flips = ReturnType<typeof createFlips>;

export type FlippedFacts = Pick<PaymentFacts, 'status' | 'amount' | 'amountFault'>;

export function createFlips(options: FlipsOptions) {
  const { store, further, log, follower, onCorrected } = options;

  async function findFlipped(name: PaymentName, status: string) {
    const [payment] = await store.find(name);
    if (payment?.state !== 'ended') return undefined;
    // A stored status is not written again, as clients may ask every second.
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
      // Called before the flip is stored: if the process dies in between, the next process reports it again.
      const last = isOther ? undefined : meaning;
      await follower.corrected(payment, last);
      const flip = { flippedTo, flippedOutcome: last ?? 'unknown' } as const;
      if (!(await store.noteFlip(paymentKey(payment), flip))) return;
      if (last !== lastOutcome(payment)) onCorrected?.();
      const { status, outcome, amount } = payment;
      log.error(
        { payment: id, type, organization, status, outcome, flippedTo, amount, answered },
        `A payment that has ended as ${status} is called ${flippedTo} by the provider now. Its event payment.${outcome} is not taken back: ask the provider which of the two holds, and settle it with the client.`,
      );
    } catch (error) {
      log.error(
        { payment: id, type, organization, flippedTo, err: error },
        'Whether a payment has ended otherwise could not be looked up or written down.',
      );
    }
  }

  return {
    /** The same with what was read out of an answer. */
    seen,
    /** Any answer about one operation; where `Data` is missing or names another one it says nothing. */
    async observed(name: PaymentName, answer: ProviderAnswer): Promise<void> {
      const facts = readable(name, answer);
      if (facts) await seen(name, facts);
    },
  };
}

/** An answer without a status, or about another operation, says nothing of a payment. */
function readable(name: PaymentName, answer: ProviderAnswer): PaymentFacts | undefined {
  try {
    return factsAbout(name, answer);
  } catch (error) {
    if (error instanceof ProviderError) return undefined;
    throw error;
  }
}
