import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import { fromTiyns, toTiyns } from '../amount.js';
import type { Payment } from '../payment.js';
import type { PaymentStores } from '../store.js';
import type { Intent } from './intent.js';

interface RefundLimitOptions {
  readonly stores: Pick<PaymentStores, 'payments' | 'intents' | 'refunds'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** A refund is never older than its payment; their clocks may differ by so much, in milliseconds. */
const clockDifference = 86_400_000;

/** The time since when refunds of payments have been made; undefined where none of these is stored here. */
export function oldestRefund(payments: readonly Payment[], now: number): number | undefined {
  if (payments.length === 0) return undefined;
  return Math.min(now, ...payments.map(({ createdAt }) => createdAt)) - clockDifference;
}

/** Compares what is returned of a payment with its amount as it is stored here, before the provider is asked. */
export function createRefundLimit({ stores, clock }: RefundLimitOptions) {
  /** Returns the refunds of a payment, by intent, in tiyns: those that were made, and those that may be made yet. */
  async function returnedOf(
    payments: readonly Payment[],
    underWay: readonly Intent[],
  ): Promise<{ readonly made: Map<string, number>; readonly open: Map<string, number> }> {
    const made = new Map<string, number>();
    const open = new Map<string, number>();
    const ids = new Set(payments.flatMap(({ id, otherId = id }) => [id, otherId]));
    const { organizationId } = payments[0] as Payment;
    const isOfIt = (each: { readonly organizationId: number; readonly paymentId?: string }) =>
      each.organizationId === organizationId && ids.has(each.paymentId ?? '');
    // In the order in which a refund moves on, so that none is missed on its way.
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
    /** Returns the payments of the organization that a refund may be of; none where it is not stored here. */
    paymentsOf({ paymentId = '', organizationId }: Pick<Intent, 'paymentId' | 'organizationId'>) {
      return stores.payments.find({ id: paymentId, organizationId });
    },
    /**
     * Throws `refused` where a refund that is under way, and what else of its payment is returned, in doubt or under way
     * in any process, exceed the payment. A payment that is not stored here is the provider's to judge.
     */
    async assertLeft(
      { id, amount, paymentId }: Intent,
      payments: readonly Payment[],
      underWay: readonly Intent[],
    ): Promise<void> {
      if (payments.length === 0) return;
      const { made, open } = await returnedOf(payments, underWay);
      // Its own act, and what the same refund has left in doubt before.
      made.delete(id);
      open.delete(id);
      const sum = (amounts: Iterable<number>) => [...amounts].reduce((all, each) => all + each, 0);
      const paid = sum(payments.map((payment) => toTiyns(payment.amount)));
      const [returned, unclear] = [sum(made.values()), sum(open.values())];
      const left = Math.max(0, paid - returned - unclear);
      if (toTiyns(amount) <= left) return;
      const tenge = (tiyns: number) => `${fromTiyns(tiyns)} ₸`;
      throw new AppError(
        'refused',
        `${amount} ₸ cannot be returned: ${tenge(left)} of payment ${paymentId} are left. Of its ${tenge(paid)}, ${tenge(returned)} are returned, and ${tenge(unclear)} are being returned or in doubt.`,
        { hint: 'msgsite pay payments --kind refund lists them.' },
      );
    },
  };
}
