import { exactInteger } from '../../json/exact-json.js';
import { toTiyns } from '../amount.js';
import type { PaymentParts } from '../parts.js';
import type { OperationRow } from '../providers/operation-rows.js';
import { operationsBack, type ReturnRow, readOperation } from '../providers/operation-rows.js';
import type { ProviderCall } from '../providers/provider.js';
import type { Cashier } from '../sessions/sessions.js';
import { contradictionOf } from '../watching/payment-rules.js';
import { parseProviderTime } from '../zoned-time.js';
import type { Intent } from './intent.js';

/** Operations from the provider's lists that may belong to an intent. */
export interface FoundOperations {
  /**
   * The ID of the only operation that the provider lists under the intent's key. The key proves that the intent created
   * it.
   */
  readonly proven?: string;
  /** Similar operations that are not stored here, for a person to choose from. */
  readonly candidates: readonly Candidate[];
}

/** A return of an operation that has an ID. */
export type Return = ReturnRow & { readonly id: string };

/** Searches the provider's lists for the operation or return that an intent created. Changes nothing. */
export function createCandidates({ stores, provider, zone }: PaymentParts) {
  async function findPayment(
    intent: Intent,
    { credentials: session }: Cashier,
    call: ProviderCall,
  ): Promise<FoundOperations> {
    const { organizationId, createdAt, key } = intent;
    const type = intent.kind === 'qr' ? 'qr' : 'invoice';
    const rows = operationsBack((period) => provider.operations({ session, ...period }, call), {
      since: createdAt - clockTolerance,
      until: createdAt + clockTolerance,
      zone,
    });
    // Pages may overlap, and a provider may return the same page twice.
    const candidates = new Map<string, Candidate>();
    const proven = new Set<string>();
    for await (const row of rows) {
      const [like] = operationsLike(intent, [row], zone);
      const isOurs = row.key === key && row.type === type && row.id !== null;
      if (!like && !isOurs) continue;
      const id = row.id ?? '';
      const [known] = await stores.payments.find({ id, type, organizationId });
      if (known) continue;
      if (like) candidates.set(id, like);
      if (isOurs) proven.add(id);
    }
    return found(candidates, proven);
  }

  /**
   * Finds the returns of a refund's payment that are not stored here. `nameless` is the number of stored refunds of the
   * same amount without a provider ID.
   */
  async function unknownReturns(
    intent: Intent,
    { credentials: session }: Cashier,
    call: ProviderCall,
  ): Promise<{ readonly returns: readonly Return[]; readonly nameless: number }> {
    const { paymentId = '', organizationId } = intent;
    const input = { session, id: exactInteger(paymentId), operationMethod: 0 };
    const returns = readOperation(await provider.operationDetails(input, call))?.returns ?? [];
    const known = new Set<string>();
    let nameless = 0;
    for await (const refund of stores.refunds.list()) {
      const isOfIt = refund.paymentId === paymentId && refund.organizationId === organizationId;
      if (!isOfIt || refund.outcome !== 'success') continue;
      known.add(refund.id);
      const isLike = toTiyns(refund.amount) === toTiyns(intent.amount);
      if (isLike && refund.id === refund.intentId) nameless += 1;
    }
    const isUnknown = (each: ReturnRow): each is Return => each.id !== null && !known.has(each.id);
    return { returns: returns.filter(isUnknown), nameless };
  }

  async function findReturn(
    intent: Intent,
    cashier: Cashier,
    call: ProviderCall,
  ): Promise<FoundOperations> {
    const { returns, nameless } = await unknownReturns(intent, cashier, call);
    const isProof = (each: Return) =>
      each.key === intent.key && contradictionOf(intent.amount, each) === undefined;
    const proven = returns.filter(isProof);
    const like = returnsLike(intent, returns, zone);
    const candidates = like.length > nameless ? like : [];
    return found(
      new Map(candidates.map((each) => [each.id, each])),
      new Set(proven.map(({ id }) => id)),
    );
  }

  return {
    find: (intent: Intent, cashier: Cashier, call: ProviderCall) =>
      intent.kind === 'refund'
        ? findReturn(intent, cashier, call)
        : findPayment(intent, cashier, call),
    /** Finds the returns of a refund's payment that are not stored here. */
    returnsOf: async (intent: Intent, cashier: Cashier, call: ProviderCall) =>
      (await unknownReturns(intent, cashier, call)).returns,
  };
}

/**
 * Returns the candidates, and the proven operation if there is exactly one. Two operations under one key prove nothing,
 * so a person decides.
 */
function found(
  candidates: ReadonlyMap<string, Candidate>,
  [first, ...others]: Iterable<string> & ReadonlySet<string>,
): FoundOperations {
  const isProven = first !== undefined && others.length === 0;
  return { candidates: [...candidates.values()], ...(isProven ? { proven: first } : {}) };
}

/** Maximum assumed difference between the provider's clock and the local clock, in milliseconds. */
export const clockTolerance = 15 * 60_000;

/** An operation that an intent may have created. Similarity proves nothing, so a person decides. */
export interface Candidate {
  readonly id: string;
  /** Tenge. */
  readonly amount: number;
  /** Milliseconds since the epoch, by the provider's clock. */
  readonly madeAt: number;
  /** The provider's status; null for returns, which have no status. */
  readonly status: string | null;
}

/**
 * Returns the operations in a list that are similar to an intent. Type, profile, amount and, for an invoice, the phone
 * must match, and the time must be about the same. A row that lacks one of these values is not similar.
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

/** Finds an operation's returns with the same amount as a refund and about the same time. */
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
