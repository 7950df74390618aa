import type { Intent } from '#validators/payment-records';
import { AppError } from '../base/errors.js';
import { gatherNewest } from './newest.js';
import type { PaymentPosition } from './payment.js';
import {
  doubtfulRefundView,
  type IntentRow,
  intentRow,
  type RefundView,
  refundView,
} from './payment-view.js';
import type { IntentStore, RefundStore } from './store.js';

export interface RecordStores {
  readonly intents: Pick<IntentStore, 'list'>;
  readonly refunds: Pick<RefundStore, 'list'>;
  /** Whether the key of an adopted intent still stands for it. */
  isKeyTaken(intent: Intent): boolean;
}

interface RecordQuery {
  readonly organizationId: number;
  /** The cursor of the row behind which the page begins. */
  readonly after?: string | undefined;
  readonly limit: number;
  /** Ends the reading; it throws the signal's reason then. */
  readonly signal: AbortSignal;
}

export interface RefundQuery extends RecordQuery {
  /** Without those of which nobody knows whether they were made. */
  readonly only?: 'ended' | undefined;
}

export interface IntentQuery extends RecordQuery {
  readonly state: 'in_doubt' | 'adopted';
  readonly kind?: Intent['kind'] | undefined;
  /** Only those of refunds of this operation. */
  readonly paymentId?: string | undefined;
}

/** A row with what goes into `after`, to go on behind it. */
export type WithCursor<Row> = Row & { readonly cursor: string };

export interface RecordPage<Row> {
  readonly rows: readonly WithCursor<Row>[];
  readonly hasMore: boolean;
}

/** A page of an organization's refunds, newest first. */
export function pageRefunds(
  { intents, refunds }: Pick<RecordStores, 'intents' | 'refunds'>,
  query: RefundQuery,
): Promise<RecordPage<RefundView>> {
  const { organizationId, only } = query;
  // First those in doubt: what is settled meanwhile is met again among the others, and counts as that.
  async function* all() {
    if (!only) {
      for await (const intent of intents.list('in_doubt')) {
        const isOne = intent.kind === 'refund' && intent.organizationId === organizationId;
        if (isOne) yield { ...positionOf(intent.id, intent), row: doubtfulRefundView(intent) };
      }
    }
    for await (const refund of refunds.list()) {
      if (refund.organizationId !== organizationId) continue;
      yield { ...positionOf(refund.intentId, refund), row: refundView(refund) };
    }
  }
  return pageOf(all(), query);
}

/** A page of an organization's requests that are or were in doubt, newest first. */
export function pageIntents(
  { intents, isKeyTaken }: Pick<RecordStores, 'intents' | 'isKeyTaken'>,
  query: IntentQuery,
): Promise<RecordPage<IntentRow>> {
  const { organizationId, state, kind, paymentId } = query;
  async function* all() {
    for await (const intent of intents.list(state)) {
      if (intent.organizationId !== organizationId) continue;
      if (kind !== undefined && intent.kind !== kind) continue;
      if (paymentId !== undefined && intent.paymentId !== paymentId) continue;
      yield { ...positionOf(intent.id, intent), row: intentRow(intent, isKeyTaken) };
    }
  }
  return pageOf(all(), query);
}

/** When it was made, and the name of its intent. */
const cursorForm = /^(\d{1,16})-([0-9a-f]{24})$/;
/** What cursors of these lists look like, for the description of parameters. */
export const recordCursor = cursorForm.source;

type Found<Row> = PaymentPosition & { readonly row: Row };

function positionOf(key: string, { createdAt }: Pick<Intent, 'createdAt'>): PaymentPosition {
  return { createdAt, key };
}

/** Twice a page is held in memory at most, however much is stored. */
async function pageOf<Row>(
  all: AsyncIterable<Found<Row>>,
  { after, limit, signal }: RecordQuery,
): Promise<RecordPage<Row>> {
  const newest = gatherNewest<Found<Row>>(limit + 1, after === undefined ? undefined : read(after));
  for await (const found of all) {
    signal.throwIfAborted();
    newest.add(found);
  }
  const found = newest.sorted();
  const rows = found
    .slice(0, limit)
    .map(({ createdAt, key, row }) => ({ ...row, cursor: `${createdAt}-${key}` }));
  return { rows, hasMore: found.length > limit };
}

function read(cursor: string): PaymentPosition {
  const [, time, key] = cursorForm.exec(cursor) ?? [];
  if (time !== undefined && key !== undefined) return { createdAt: Number(time), key };
  throw new AppError('validation_failed', 'The cursor is not one of this list.', {
    details: [{ path: '/after', message: 'must be the cursor of a row, as a list gives it' }],
  });
}
