import { AppError } from '../../base/errors.js';
import { formatTenge } from '../../words/formats.js';
import { fromTiyns, toTiyns } from '../amount.js';
import type { PaymentParts } from '../parts.js';
import type { Payment } from '../payment.js';
import { lastOutcome } from '../watching/payment-rules.js';
import type { Intent } from './intent.js';

/** Maximum time by which a refund's clock may be behind its payment's clock, in milliseconds. */
const clockDifference = 86_400_000;

/** Returns the earliest time at which payments may have been refunded; undefined if there are no payments. */
export function oldestRefund(
  payments: readonly Pick<Payment, 'createdAt'>[],
  now: number,
): number | undefined {
  if (payments.length === 0) return undefined;
  return Math.min(now, ...payments.map(({ createdAt }) => createdAt)) - clockDifference;
}

/** Checks refunds against the amount of the stored payment before the provider is called. */
export function createRefundLimit({ stores, clock }: PaymentParts) {
  /**
   * Returns the refunded amounts of an intent's payment in tiyns, by intent. `made` contains completed refunds, and
   * `open` contains refunds in progress or in doubt.
   */
  async function refundsOf(
    { organizationId }: Intent,
    payments: readonly Payment[],
    underWay: readonly Intent[],
  ): Promise<{ readonly made: Map<string, number>; readonly open: Map<string, number> }> {
    const made = new Map<string, number>();
    const open = new Map<string, number>();
    const ids = new Set(payments.flatMap(({ id, otherId = id }) => [id, otherId]));
    const isOfIt = (each: { readonly organizationId: number; readonly paymentId?: string }) =>
      each.organizationId === organizationId && ids.has(each.paymentId ?? '');
    // Reads the states in the order in which a refund passes through them, so that no concurrent change is missed.
    for (const { id, amount, ...each } of underWay) {
      if (each.kind === 'refund' && isOfIt(each)) open.set(id, toTiyns(amount));
    }
    for await (const { id, amount, ...each } of stores.intents.list('in_doubt')) {
      if (each.kind === 'refund' && isOfIt(each)) open.set(id, toTiyns(amount));
    }
    const since = oldestRefund(payments, clock.now());
    for await (const refund of stores.refunds.list({ since })) {
      if (refund.outcome !== 'success' || !isOfIt(refund)) continue;
      open.delete(refund.intentId);
      made.set(refund.intentId, toTiyns(refund.amount));
    }
    return { made, open };
  }

  return {
    /** Returns the organization's stored payments with the ID of a refund's payment. */
    paymentsOf({ paymentId = '', organizationId }: Pick<Intent, 'paymentId' | 'organizationId'>) {
      return stores.payments.find({ id: paymentId, organizationId });
    },
    /**
     * Throws `refused` if the payment was not paid, or if the refund exceeds what is left after all refunds that are
     * completed, in doubt or in progress in any process. If no payment is stored, the provider decides.
     */
    async assertLeft(
      intent: Intent,
      payments: readonly Payment[],
      underWay: readonly Intent[],
    ): Promise<void> {
      if (payments.length === 0) return;
      const paidOnes = payments.filter(isPaid);
      if (paidOnes.length === 0) throw notPaid(intent, payments);
      const { made, open } = await refundsOf(intent, payments, underWay);
      // Excludes this call and any earlier attempt of the same refund that is in doubt.
      made.delete(intent.id);
      open.delete(intent.id);
      const sum = (amounts: Iterable<number>) => [...amounts].reduce((all, each) => all + each, 0);
      const paid = sum(paidOnes.map((payment) => toTiyns(payment.amount)));
      const [returned, unclear] = [sum(made.values()), sum(open.values())];
      if (toTiyns(intent.amount) <= paid - returned - unclear) return;
      throw new AppError('refused', describeExcess(intent, { paid, returned, unclear }), {
        hint: 'msgsite pay payments --kind refund lists the refunds.',
      });
    },
  };
}

/**
 * Returns false if the provider reported that nothing was paid. While a payment is open or unknown, the provider
 * decides.
 */
function isPaid(payment: Payment): boolean {
  const outcome = lastOutcome(payment);
  return outcome !== 'failed' && outcome !== 'expired';
}

function notPaid({ paymentId }: Intent, [payment]: readonly Payment[]): AppError {
  const outcome = payment && lastOutcome(payment);
  const message = `Payment ${paymentId} was not paid (${outcome}), so there is nothing to refund.`;
  return new AppError('refused', message, {
    hint: 'If the bank reports it as paid, compare its day first: msgsite pay reconcile --day DATE.',
  });
}

/** Returns the message for a refund that exceeds the remaining amount. Amounts of the payment are in tiyns. */
function describeExcess(
  { amount, paymentId }: Pick<Intent, 'amount' | 'paymentId'>,
  { paid, returned, unclear }: Record<'paid' | 'returned' | 'unclear', number>,
): string {
  const tenge = (tiyns: number) => formatTenge(fromTiyns(tiyns));
  const left = Math.max(0, paid - returned - unclear);
  const parts = [
    ...(returned > 0 ? [`${tenge(returned)} has been returned`] : []),
    ...(unclear > 0 ? [`${tenge(unclear)} is being returned or in doubt`] : []),
  ];
  const refusal = `${formatTenge(amount)} cannot be refunded: ${tenge(left)} of payment ${paymentId} is left.`;
  return parts.length === 0
    ? refusal
    : `${refusal} Of its ${tenge(paid)}, ${parts.join(', and ')}.`;
}
