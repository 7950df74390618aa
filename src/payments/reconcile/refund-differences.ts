import type { MissingHere, MissingThere } from '#validators/gateway';
import type { Intent, Refund } from '#validators/payment-records';
import { fromTiyns, toTiyns } from '../amount.js';
import type { Payment } from '../payment.js';
import { type AskedGateway, askForOperation, maxRequested } from './ask-again.js';
import type { Pair, TheirOperation } from './compare.js';

interface RefundFacts {
  /** The day's payments with the provider's operations. */
  readonly pairs: readonly Pair[];
  /** The refunds in the provider's statement of the day. */
  readonly refundRows: readonly TheirOperation[];
  readonly isOfDay: (refund: Refund) => boolean;
  readonly inDoubt: readonly Intent[];
  /** The stored refunds, by payment ID. */
  readonly known: ReadonlyMap<string, readonly Refund[]>;
  /** Aborts the comparison, which then rejects. */
  readonly signal: AbortSignal;
}

interface RefundDifferences {
  readonly missingHere: readonly MissingHere[];
  readonly missingThere: readonly MissingThere[];
}

/**
 * Returns refunds that only one side has. Compares the refunds of the day's payments and the refunds made on the day.
 */
export async function compareRefunds(
  gateway: AskedGateway,
  organizationId: number,
  facts: RefundFacts,
): Promise<RefundDifferences> {
  const { pairs, known, inDoubt, isOfDay, refundRows, signal } = facts;
  const missingHere: MissingHere[] = [];
  const missingThere: MissingThere[] = [];
  const seen = new Map(pairs.map(({ ours, theirs }) => [ours.id, theirs]));
  /** Refunds by the ID under which their payment is stored, if it is one of the pairs. */
  const returns = new Map(known);
  const isOther = new Set<string>();
  for (const { ours } of pairs) {
    returns.set(ours.id, refundsOf(ours, known));
    if (ours.otherId !== undefined) isOther.add(ours.otherId);
  }
  for (const [paymentId, refunds] of known) {
    const isKnown = seen.has(paymentId) || isOther.has(paymentId);
    const isOfOtherDay = !isKnown && refunds.some(isOfDay);
    if (!isOfOtherDay || seen.size >= maxRequested + pairs.length) continue;
    signal.throwIfAborted();
    const theirs = await askForOperation(gateway, paymentId);
    if (typeof theirs !== 'string') seen.set(paymentId, theirs);
  }
  const doubtful = new Set(inDoubt.map(({ paymentId }) => paymentId));
  for (const { ours } of pairs) if (doubtful.has(ours.otherId ?? ours.id)) doubtful.add(ours.id);
  for (const [paymentId, { returned, status }] of seen) {
    const refunds = returns.get(paymentId) ?? [];
    const more = moreReturned(returned, refunds);
    const name = { organizationId, type: 'refund', paymentId } as const;
    // A refund in doubt may explain the difference, and is listed as in doubt.
    if (more > 0 && !doubtful.has(paymentId)) {
      missingHere.push({ ...name, amount: more, status, createdAt: null });
    }
    if (more < 0) {
      const createdAt = new Date(latest(refunds)).toISOString();
      missingThere.push({ ...name, amount: -more, status: status ?? '', createdAt });
    }
  }
  const ids = new Set([...known.values()].flat().map(({ id }) => id));
  for (const { id, amount, status, at } of refundRows) {
    if (ids.has(id) || seen.has(id) || known.has(id) || isOther.has(id)) continue;
    const createdAt = at === null ? null : new Date(at).toISOString();
    missingHere.push({ organizationId, type: 'refund', paymentId: id, amount, status, createdAt });
  }
  return { missingHere, missingThere };
}

/** Returns the refunds of a payment by either of its IDs. */
export function refundsOf(
  { id, otherId }: Pick<Payment, 'id' | 'otherId'>,
  known: ReadonlyMap<string, readonly Refund[]>,
): readonly Refund[] {
  const ids = otherId === undefined ? [id] : [id, otherId];
  return ids.flatMap((each) => known.get(each) ?? []);
}

/**
 * Returns the amount (tenge) by which the provider's refunds exceed the stored refunds. The result is negative if they
 * are lower, and 0 if the provider does not report refunds.
 */
export function moreReturned(
  returned: number | null,
  known: readonly { readonly amount: number }[],
): number {
  if (returned === null) return 0;
  const tiyns = known.reduce((sum, { amount }) => sum + toTiyns(amount), 0);
  return fromTiyns(toTiyns(returned) - tiyns);
}

function latest(refunds: readonly Refund[]): number {
  return Math.max(...refunds.map(({ createdAt }) => createdAt));
}
