import { toTiyns } from '../amount.js';
import type { OperationRow } from '../providers/operation-rows.js';
import { parseProviderTime } from '../zoned-time.js';
import type { Intent } from './intent.js';

/** The provider's clock and ours may differ by so much, in milliseconds. */
export const clockTolerance = 15 * 60_000;

/** An operation that an intent may have made. Similarity proves nothing, so a person judges it. */
export interface Candidate {
  readonly id: string;
  /** Tenge. */
  readonly amount: number;
  /** Milliseconds since the epoch, by the provider's clock. */
  readonly madeAt: number;
  /** The provider's status; null if there is none, as for returns. */
  readonly status: string | null;
}

/**
 * Returns the operations of a list that are similar to the one that an intent was to make: with its type, profile and
 * amount, for an invoice with its phone, and about its time. A row without one of these is not similar.
 */
export function operationsLike(
  intent: Intent,
  rows: readonly OperationRow[],
  zone: string,
): Candidate[] {
  return rows.flatMap((row) => {
    const { type, profileId, clientPhone } = row;
    if (type !== intent.kind || profileId !== intent.profileId) return [];
    if (type === 'invoice' && clientPhone !== intent.clientPhone) return [];
    return candidate(intent, row, zone);
  });
}

/** Returns an operation's returns that are similar to a refund: with its amount, about its time. */
export function returnsLike(
  intent: Intent,
  returns: OperationRow['returns'],
  zone: string,
): Candidate[] {
  return returns.flatMap((each) => candidate(intent, { ...each, status: null }, zone));
}

type Made = Pick<OperationRow, 'id' | 'amount' | 'transactionDate' | 'status'>;

function candidate(intent: Intent, { id, amount, transactionDate, status }: Made, zone: string) {
  const madeAt = parseProviderTime(transactionDate ?? '', zone);
  if (id === null || amount === null || madeAt === undefined) return [];
  const isNear = Math.abs(madeAt - intent.createdAt) <= clockTolerance;
  const isSame = toTiyns(amount) === toTiyns(intent.amount);
  return isNear && isSame ? [{ id, amount, madeAt, status }] : [];
}
