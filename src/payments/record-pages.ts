import type { IntentRow } from '#validators/gateway';
import type { Intent, Refund } from '#validators/payment-records';
import { AppError } from '../base/errors.js';
import type { IntentKind, RunningIntent } from './intents/intent.js';
import { gatherNewest, type PaymentPosition } from './payment.js';
import {
  doubtfulRefundView,
  intentRow,
  type RefundView,
  refundView,
  runningRow,
} from './payment-view.js';
import type { IntentStore, RefundStore } from './store.js';

export interface RecordStores {
  readonly intents: Pick<IntentStore, 'list'>;
  readonly refunds: Pick<RefundStore, 'list'>;
  /** Returns whether the Idempotency-Key of an adopted intent still identifies it. */
  isKeyTaken(intent: Intent): boolean;
  /** Returns the calls in progress that move money, from all processes. */
  underWay(): Promise<readonly RunningIntent[]>;
}

interface RecordQuery {
  /** All organizations by default. */
  readonly organizationId?: number | undefined;
  /** Includes only refunds of this operation. */
  readonly paymentId?: string | undefined;
  /** The page begins after the row with this cursor. */
  readonly after?: string | undefined;
  /** May be Infinity. */
  readonly limit: number;
  /** Stops reading when it aborts. The call then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface RefundQuery extends RecordQuery {
  /** Excludes refunds that are in doubt or in progress. */
  readonly only?: 'ended' | undefined;
  /** Includes only refunds made at this time (milliseconds since the epoch) or later. */
  readonly since?: number | undefined;
}

export interface IntentQuery extends RecordQuery {
  /** `running` is in progress in any process. `adopted` was in doubt until its operation was found. */
  readonly state: 'running' | 'in_doubt' | 'adopted';
  /** All kinds by default. */
  readonly kinds?: readonly IntentKind[] | undefined;
}

export interface RecordPage<Row> {
  readonly rows: readonly (Row & { readonly cursor: string })[];
  readonly hasMore: boolean;
}

/** Returns a page of refunds, newest first. */
export function pageRefunds(
  stores: RecordStores,
  query: RefundQuery,
): Promise<RecordPage<RefundView>> {
  async function* all() {
    for await (const [key, record, row] of refundsIn(stores, query)) {
      if (isOf(record, query)) yield { createdAt: record.createdAt, key, row };
    }
  }
  return pageOf(all(), query);
}

/**
 * Yields refunds with their intent IDs and rows. Includes refunds in doubt or in progress unless `only` excludes them.
 * Reads the states in the order in which a refund passes through them. A refund whose state changes during the read is
 * yielded twice, and the later row is the valid one. Skips a failed refund while a later attempt is open.
 */
async function* refundsIn(
  { intents, refunds, underWay }: RecordStores,
  { only, since }: Pick<RefundQuery, 'only' | 'since'>,
): AsyncGenerator<readonly [key: string, record: Intent | Refund, row: RefundView]> {
  async function* open() {
    for (const { intent } of await underWay()) yield intent;
    yield* intents.list('in_doubt');
  }
  /** The creation times of open attempts, by intent. */
  const begun = new Map<string, number>();
  if (!only) {
    for await (const intent of open()) {
      if (intent.kind !== 'refund') continue;
      begun.set(intent.id, intent.createdAt);
      yield [intent.id, intent, doubtfulRefundView(intent)];
    }
  }
  for await (const refund of refunds.list({ since })) {
    const { intentId, outcome, createdAt } = refund;
    const isRepeated = outcome === 'failed' && createdAt !== (begun.get(intentId) ?? createdAt);
    if (!isRepeated) yield [intentId, refund, refundView(refund)];
  }
}

/** Returns a page of intents that are running, in doubt or adopted, newest first. */
export function pageIntents(
  stores: Pick<RecordStores, 'intents' | 'underWay' | 'isKeyTaken'>,
  query: IntentQuery,
): Promise<RecordPage<IntentRow>> {
  async function* all() {
    for await (const [intent, row] of intentsIn(stores, query.state)) {
      const matches = isOf(intent, query) && (query.kinds?.includes(intent.kind) ?? true);
      if (matches) yield { createdAt: intent.createdAt, key: intent.id, row };
    }
  }
  return pageOf(all(), query);
}

function isOf(
  each: { readonly organizationId: number; readonly paymentId?: string },
  { paymentId, organizationId }: RecordQuery,
): boolean {
  return (
    (paymentId === undefined || each.paymentId === paymentId) &&
    (organizationId === undefined || each.organizationId === organizationId)
  );
}

/**
 * Yields the intents in a state with their rows. An intent whose process has died is in doubt, even if this is not
 * stored yet.
 */
async function* intentsIn(
  { intents, underWay, isKeyTaken }: Pick<RecordStores, 'intents' | 'underWay' | 'isKeyTaken'>,
  state: IntentQuery['state'],
): AsyncGenerator<readonly [Intent, IntentRow]> {
  if (state !== 'adopted') {
    for (const running of await underWay()) {
      const row = runningRow(running);
      if (row.state === state) yield [running.intent, row];
    }
  }
  if (state === 'running') return;
  for await (const intent of intents.list(state)) yield [intent, intentRow(intent, isKeyTaken)];
}

/** Creation time and intent ID. */
const cursorForm = /^(\d{1,16})-([0-9a-f]{24})$/;
/** The pattern of cursors, for parameter descriptions. */
export const recordCursor = cursorForm.source;

type Found<Row> = PaymentPosition & { readonly row: Row };

/** Returns a page of the rows. Keeps at most two pages in memory. */
async function pageOf<Row>(
  all: AsyncIterable<Found<Row>>,
  { after, limit, signal }: RecordQuery,
): Promise<RecordPage<Row>> {
  const newest = gatherNewest<Found<Row>>(
    limit + 1,
    after === undefined ? undefined : parseCursor(after),
  );
  for await (const found of all) {
    signal?.throwIfAborted();
    newest.add(found);
  }
  const found = newest.sorted();
  const rows = found
    .slice(0, limit)
    .map(({ createdAt, key, row }) => ({ ...row, cursor: `${createdAt}-${key}` }));
  return { rows, hasMore: found.length > limit };
}

function parseCursor(cursor: string): PaymentPosition {
  const [, time, key] = cursorForm.exec(cursor) ?? [];
  if (time !== undefined && key !== undefined) return { createdAt: Number(time), key };
  throw new AppError('validation_failed', 'The cursor is not valid for this list.', {
    details: [{ path: '/after', message: 'must be the cursor of a row from this list' }],
  });
}
