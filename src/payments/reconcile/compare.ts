import type { Flipped, OtherAmount, OtherStatus } from '#validators/gateway';
import type { Outcome, Payment, PaymentType } from '../payment.js';
import type { AmountFault } from '../providers/answer-values.js';
import type { OperationRow } from '../providers/operation-rows.js';
import { contradictionOf } from '../watching/payment-rules.js';
import { parseProviderTime } from '../zoned-time.js';
import { named } from './differences.js';

/** An operation as the provider reports it. Facts that it does not report are null. */
export interface TheirOperation {
  readonly id: string;
  /** The second ID. */
  readonly otherId: string | null;
  readonly type: PaymentType | 'refund' | null;
  /** Milliseconds since the epoch. */
  readonly at: number | null;
  /** Tenge. */
  readonly amount: number | null;
  /** Set if the provider's amount is unreadable or in a different currency. */
  readonly amountFault?: AmountFault | undefined;
  /** Tenge refunded so far. */
  readonly returned: number | null;
  readonly status: string | null;
}

/** A payment and the provider's operation that matches it. */
export interface Pair {
  readonly ours: Payment;
  readonly theirs: TheirOperation;
}

export interface Matched {
  readonly pairs: readonly Pair[];
  readonly onlyOurs: readonly Payment[];
  readonly onlyTheirs: readonly TheirOperation[];
}

/**
 * Matches payments of one organization with the provider's operations by type and either ID, regardless of the times
 * that either side has recorded. If the provider does not report a type, the ID must identify exactly one payment.
 */
export function matchUp(ours: readonly Payment[], theirs: readonly TheirOperation[]): Matched {
  const byId = groupBy(ours, ({ id }) => id);
  const byOther = groupBy(ours, ({ otherId }) => otherId);
  /** Compares primary IDs first, because an ID may also be the second ID of a different operation. */
  const find = (operation: TheirOperation) => {
    for (const id of idsOf(operation)) {
      for (const group of [byId, byOther]) {
        const found = paymentOf(operation, group.get(id) ?? []);
        if (found) return found;
      }
    }
    return undefined;
  };
  const pairs: Pair[] = [];
  const onlyTheirs: TheirOperation[] = [];
  const matched = new Set<Payment>();
  for (const operation of distinct(theirs)) {
    const found = find(operation);
    if (!found) onlyTheirs.push(operation);
    else if (!matched.has(found)) {
      matched.add(found);
      pairs.push({ ours: found, theirs: operation });
    }
  }
  return { pairs, onlyTheirs, onlyOurs: ours.filter((payment) => !matched.has(payment)) };
}

export function idsOf({ id, otherId }: Pick<TheirOperation, 'id' | 'otherId'>): readonly string[] {
  return otherId === null ? [id] : [id, otherId];
}

function groupBy(
  payments: readonly Payment[],
  idOf: (payment: Payment) => string | undefined,
): Map<string, Payment[]> {
  const groups = new Map<string, Payment[]>();
  for (const payment of payments) {
    const id = idOf(payment);
    if (id === undefined) continue;
    const group = groups.get(id);
    if (group) group.push(payment);
    else groups.set(id, [payment]);
  }
  return groups;
}

/** Returns the payment that matches an operation, among those with its ID. */
export function paymentOf(
  { type }: TheirOperation,
  sameId: readonly Payment[],
): Payment | undefined {
  const matching = type === null ? sameId : sameId.filter((payment) => payment.type === type);
  return matching.length === 1 ? matching[0] : undefined;
}

/** Removes duplicates, because pages of a statement may overlap. Keeps the first one, because its page is newer. */
function distinct(theirs: readonly TheirOperation[]): Iterable<TheirOperation> {
  const byName = new Map<string, TheirOperation>();
  for (const operation of theirs) {
    const name = `${operation.type} ${operation.id}`;
    if (!byName.has(name)) byName.set(name, operation);
  }
  return byName.values();
}

/** Returns the meaning of a status for a payment. */
export type Judge = (type: PaymentType, status: string) => Outcome | 'pending';

/** Returns both amounts if the provider's amount differs, is unreadable or is in a different currency. */
export function otherAmountOf({ ours, theirs }: Pair): OtherAmount | undefined {
  if (!contradictionOf(ours.amount, theirs)) return undefined;
  return { ...named(ours), amount: ours.amount, providerAmount: theirs.amount };
}

/**
 * Returns both statuses if they differ. If the payment has ended here, any different status is a difference. If it is
 * open or unknown here, only a final status at the provider is a difference.
 */
export function otherStatusOf({ ours, theirs }: Pair, judge: Judge): OtherStatus | undefined {
  const { state, status, amount } = ours;
  if (theirs.status === null) return undefined;
  const meaning = judge(ours.type, theirs.status);
  const providerOutcome = meaning === 'pending' ? null : meaning;
  const isSame = state === 'ended' ? theirs.status === status : providerOutcome === null;
  if (isSame) return undefined;
  const outcome = ours.outcome ?? null;
  const providerStatus = theirs.status;
  return { ...named(ours), amount, state, status, outcome, providerStatus, providerOutcome };
}

/** Returns an ended payment that has or had a different final status at the provider. */
export function flippedOf({ ours, theirs }: Pair, judge: Judge): Flipped | undefined {
  const { state, status, amount, outcome = null } = ours;
  const difference = otherStatusOf({ ours, theirs }, judge);
  const isFlip = state === 'ended' && difference?.providerOutcome;
  const flippedTo = isFlip ? difference.providerStatus : ours.flippedTo;
  return flippedTo === undefined
    ? undefined
    : { ...named(ours), amount, status, outcome, flippedTo };
}

/** Matches the operation types that providers use for refunds. */
const refundWords = /refund|return|возврат/i;

/** Converts a statement row. Returns undefined if it has no ID. `zone` applies to times without an offset. */
export function theirOperation(row: OperationRow, zone: string): TheirOperation | undefined {
  const { id, otherId, amount, amountFault, returned, status, transactionDate } = row;
  if (id === null) return undefined;
  const at = parseProviderTime(transactionDate ?? '', zone) ?? null;
  return { id, otherId, type: typeOf(row), at, amount, amountFault, returned, status };
}

function typeOf({ type, raw: { OperationType } }: OperationRow): TheirOperation['type'] {
  const name = typeof OperationType === 'string' ? OperationType : '';
  return type ?? (refundWords.test(name) ? 'refund' : null);
}
