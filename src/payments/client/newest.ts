import type { Intent } from '#validators/payment-records';
import { gatherNewest } from '../newest.js';
import { type Payment, type PaymentPosition, type PaymentState, paymentKey } from '../payment.js';
import { doubtfulRefundView, type RefundView, refundView } from '../payment-view.js';
import type { IntentStore, PaymentStore, RefundStore } from '../store.js';
import type { IntentQuery, Newest } from './gateway-client.js';

/** Where lists are read from. */
export interface ListedStores {
  readonly payments: Pick<PaymentStore, 'list'>;
  readonly refunds: Pick<RefundStore, 'list'>;
  readonly intents: Pick<IntentStore, 'list'>;
}

export function newestPayments(
  { payments }: ListedStores,
  states: readonly PaymentState[],
  limit: number,
): Promise<Newest<Payment>> {
  async function* all() {
    for (const state of states) {
      for await (const row of payments.list(state)) yield found(paymentKey(row), row, row);
    }
  }
  return newest(all(), limit);
}

/** Refunds; without `ended` also those of which nobody knows yet whether they were made. */
export function newestRefunds(
  { refunds, intents }: ListedStores,
  only: 'ended' | undefined,
  limit: number,
): Promise<Newest<RefundView>> {
  // First those in doubt: what is settled meanwhile is met again among the others, and counts as that.
  async function* all() {
    if (!only) {
      for await (const intent of listIntents(intents, { state: 'in_doubt', kinds: ['refund'] }))
        yield found(intent.id, intent, doubtfulRefundView(intent));
    }
    for await (const refund of refunds.list())
      yield found(refund.intentId, refund, refundView(refund));
  }
  return newest(all(), limit);
}

export function newestIntents(
  { intents }: Pick<ListedStores, 'intents'>,
  { limit, ...query }: IntentQuery,
): Promise<Newest<Intent>> {
  async function* all() {
    for await (const intent of listIntents(intents, query)) yield found(intent.id, intent, intent);
  }
  return newest(all(), limit);
}

async function* listIntents(
  intents: Pick<IntentStore, 'list'>,
  { state, kinds, paymentId, organizationId }: Omit<IntentQuery, 'limit'>,
): AsyncGenerator<Intent> {
  for await (const intent of intents.list(state)) {
    const isOfPayment = paymentId === undefined || intent.paymentId === paymentId;
    const isOwn = organizationId === undefined || intent.organizationId === organizationId;
    if (isOfPayment && isOwn && kinds.includes(intent.kind)) yield intent;
  }
}

type Found<Row> = PaymentPosition & { readonly row: Row };

function found<Row>(
  key: string,
  { createdAt }: Pick<PaymentPosition, 'createdAt'>,
  row: Row,
): Found<Row> {
  return { key, createdAt, row };
}

/** Holds at most twice the limit in memory, however much is stored. */
async function newest<Row>(all: AsyncIterable<Found<Row>>, limit: number): Promise<Newest<Row>> {
  const gathered = gatherNewest<Found<Row>>(limit + 1, undefined);
  for await (const each of all) gathered.add(each);
  const rows = gathered.sorted().map(({ row }) => row);
  return { rows: rows.slice(0, limit), more: rows.length > limit };
}
