import { toTiyns } from '../amount.js';
import type { OperationRow } from '../providers/operation-rows.js';
import { parseProviderTime } from '../zoned-time.js';
import type { Intent } from './intent.js';

/** The provider's clock and ours may differ by so much, in milliseconds. */
export const clockTolerance = 15 * 60_000;

/** Something that the provider has made, as its lists show it. */
export interface Candidate {
  readonly id: string;
  /** Tenge. */
  readonly amount: number;
  /** Milliseconds since the epoch, by the provider's clock. */
  readonly madeAt: number;
}

/**
 * The operations of a list that an intent to make a payment may have made: of its type, profile and amount,
 * for an invoice to its phone, and about its time. A row that does not say one of them is none.
 */
export function operationsLike(
  intent: Intent,
  rows: readonly OperationRow[],
  zone: string,
): Candidate[] {
  return rows.flatMap((row) => {
    const { id, type, profileId, amount, clientPhone, transactionDate } = row;
    if (type !== intent.kind || profileId !== intent.profileId) return [];
    if (type === 'invoice' && clientPhone !== intent.clientPhone) return [];
    return candidate(intent, { id, amount, transactionDate }, zone);
  });
}

/** The returns of an operation that an intent to refund it may have made: of its amount, about its time. */
export function returnsLike(
  intent: Intent,
  returns: OperationRow['returns'],
  zone: string,
): Candidate[] {
  return returns.flatMap((each) => candidate(intent, each, zone));
}

interface Made {
  readonly id: string | null;
  readonly amount: number | null;
  readonly transactionDate: string | null;
}

function candidate(intent: Intent, { id, amount, transactionDate }: Made, zone: string) {
  const madeAt = parseProviderTime(transactionDate ?? '', zone);
  if (id === null || amount === null || madeAt === undefined) return [];
  const isNear = Math.abs(madeAt - intent.createdAt) <= clockTolerance;
  return isNear && toTiyns(amount) === toTiyns(intent.amount) ? [{ id, amount, madeAt }] : [];
}

/**
 * Pairs intents with what they may have made, where there is no other way to pair them: an intent has one
 * candidate, and nobody else has that one. Nothing is guessed.
 */
export function certainPairs(
  candidates: ReadonlyMap<Intent, readonly Candidate[]>,
): readonly (readonly [Intent, Candidate])[] {
  const claims = new Map<string, number>();
  for (const found of candidates.values()) {
    for (const { id } of found) claims.set(id, (claims.get(id) ?? 0) + 1);
  }
  return [...candidates].flatMap(([intent, [first, ...others]]) =>
    first && others.length === 0 && claims.get(first.id) === 1 ? [[intent, first] as const] : [],
  );
}
