import { hash } from 'node:crypto';
import type { Intent, Refund } from '#validators/payment-records';
import { Intent as isIntent } from '#validators/payment-records';
import type { Lookup } from '#validators/provider-protocol';
import type { ActUnderWay, AuditLine, AuditLog } from '../../base/audit.js';
import type { Clock } from '../../base/clock.js';
import { hasExpired, ranAtOf } from '../../base/running-time.js';
import { maskPhone } from '../phone.js';
import { keptFor } from '../records.js';

/** A call that moves money. It is stored before the call is made, and remains stored if the outcome is unclear. */
export type { Intent } from '#validators/payment-records';

export type IntentKind = Intent['kind'];

/** The endpoint of each kind, which scopes idempotency keys. */
const endpointOf: Readonly<Record<IntentKind, string>> = {
  qr: 'qr/create',
  invoice: 'invoice/create',
  refund: 'refund/create',
};

/** The operation of the provider's protocol for each kind. */
export const operationOf: Readonly<Record<IntentKind, Lookup['operation']>> = {
  qr: 'qr/create',
  invoice: 'invoices/create',
  refund: 'refunds/create',
};

/** Returns the name under which the answer to a request is stored. */
export function requestName({
  organizationId,
  kind,
  key,
}: Pick<Intent, 'organizationId' | 'kind' | 'key'>): string {
  return hash('sha256', JSON.stringify([organizationId, endpointOf[kind], key]));
}

/** Returns the ID of a request's intent. Each key has at most one intent at a time. */
export function intentIdOf(name: string): string {
  return name.slice(0, 24);
}

/** Returns the ID of the next intent under a key that is reused after a day. The earlier refund keeps its ID. */
export function nextIntentId({ intentId, createdAt }: Refund): string {
  return intentIdOf(hash('sha256', JSON.stringify([intentId, createdAt])));
}

/** Returns the ID for a late refund whose intent already has a different refund. */
export function lateIntentId({ id, createdAt }: Intent): string {
  return intentIdOf(hash('sha256', JSON.stringify([id, createdAt, 'late'])));
}

/**
 * Returns whether an intent was adopted with a different operation. A refund without an ID has the ID of its intent.
 */
export function isAdoptedAsOther(intent: Intent, operationId = intent.id): boolean {
  return intent.state === 'adopted' && intent.operationId !== operationId;
}

/** Returns whether the Idempotency-Key of an adopted intent still identifies it. */
export function isKeyTaken(
  { state, closedAt, closedRanAt: ranAt }: Intent,
  clock: Pick<Clock, 'now' | 'ranFor'>,
): boolean {
  if (state !== 'adopted') return false;
  return closedAt === undefined || !hasExpired({ at: closedAt, ranAt }, keptFor, clock);
}

/**
 * Returns the ID of the operation with which a request was adopted after this attempt began; undefined if it was not
 * adopted since then. The attempt created no other operation, because it waited for the other attempt or because the
 * provider is idempotent.
 */
export function adoptedSince(
  { state, closedAt, operationId }: Intent,
  { createdAt }: Intent,
): string | undefined {
  const isSince = closedAt !== undefined && closedAt >= createdAt;
  return state === 'adopted' && isSince ? operationId : undefined;
}

/**
 * Returns whether a process is still waiting for the answer to the call. During this time, only that answer may settle
 * the intent.
 */
export function mayBeAnswered(
  { createdAt, answerUntil = 0 }: Intent,
  clock: Pick<Clock, 'now'>,
): boolean {
  const now = clock.now();
  // If the clock has been set back since then, `answerUntil` is meaningless.
  return createdAt <= now && now < answerUntil;
}

/** Returns the intent closed as adopted at `time`. */
export function adopted(
  intent: Intent,
  operationId: string,
  time: number,
  clock: Pick<Clock, 'ranFor'>,
): Intent {
  const { candidates, answerUntil, ...kept } = intent;
  const { ranAt: closedRanAt } = ranAtOf(clock);
  return {
    ...{ ...kept, state: 'adopted', operationId, closedAt: time },
    ...(closedRanAt === undefined ? {} : { closedRanAt }),
  };
}

/** Returns the intent closed as never made or abandoned. */
export function notMade(intent: Intent, state: 'not_made' | 'abandoned', now: number): Intent {
  const { candidates, answerUntil, ...kept } = intent;
  return { ...kept, state, closedAt: now };
}

/** Returns the refund of an intent. A refund without a provider ID has the ID of its intent. */
export function refundOf(intent: Intent, outcome: Refund['outcome'], id = intent.id): Refund {
  const {
    id: intentId,
    organizationId,
    paymentId = '',
    amount,
    cashier,
    createdAt,
    ranAt,
  } = intent;
  const refund = { id, intentId, organizationId, paymentId, amount, outcome, cashier, createdAt };
  return ranAt === undefined ? refund : { ...refund, ranAt };
}

/** Returns the audit log entry of a call. `operationId` is the operation that it created, if known. */
export function actLine(
  intent: Intent,
  outcome: AuditLine['outcome'],
  { time, operationId }: { time: number; operationId?: string | undefined },
): AuditLine {
  return {
    id: `${intent.id}-${intent.createdAt}`,
    time,
    kind: intent.kind,
    who: maskPhone(intent.cashier),
    amount: intent.amount,
    ids: idsOf(intent, operationId),
    outcome,
  };
}

/**
 * Returns the audit log entry about the outcome of an intent. Every process writes the same entry. Proof that arrives
 * after the intent was closed as never made has a separate entry.
 */
export function settledLine(
  intent: Intent,
  state: Intent['state'],
  { who, time, operationId }: { who: string; time: number; operationId?: string | undefined },
): AuditLine {
  const { id, amount, createdAt } = intent;
  const name = intent.state === 'in_doubt' ? 'settled' : 'settled-late';
  return {
    id: `${name}-${id}-${createdAt}`,
    time,
    kind: 'settled',
    who,
    amount,
    ids: idsOf(intent, operationId),
    outcome: state === 'adopted' ? 'success' : 'failed',
  };
}

/** Returns the IDs of an audit log entry. A refund's entry also contains the ID of its payment. */
function idsOf(intent: Intent, operationId: string | undefined): AuditLine['ids'] {
  const { id, kind, organizationId, paymentId } = intent;
  const made = kind === 'refund' ? { refund: operationId } : { payment: operationId };
  const ids = { organization: String(organizationId), intent: id, payment: paymentId, ...made };
  return Object.fromEntries(
    Object.entries(ids).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** A call in progress that moves money, and the process that is making it. */
export interface RunningIntent {
  readonly intent: Intent;
  readonly holder: ActUnderWay['holder'];
}

/** Returns the calls in progress that move money, from all processes. */
export async function intentsUnderWay(audit: Pick<AuditLog, 'pending'>): Promise<RunningIntent[]> {
  const acts = await audit.pending();
  return acts.flatMap(({ record, holder }) =>
    isIntent(record) ? [{ intent: record, holder }] : [],
  );
}
