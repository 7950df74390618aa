import type { Intent, Refund } from '#validators/payment-records';
import { newestFirst, type Payment, type PaymentState } from '../payment.js';
import { doubtfulRefundView, type RefundView, refundView } from '../payment-view.js';
import type { IntentStore, PaymentStore, RefundStore } from '../store.js';
import type { IntentQuery, Newest } from './gateway-client.js';

/** Where lists are read from. */
export interface ListedStores {
  readonly payments: Pick<PaymentStore, 'list'>;
  readonly refunds: Pick<RefundStore, 'list'>;
  readonly intents: Pick<IntentStore, 'list'>;
}

export async function newestPayments(
  { payments }: ListedStores,
  states: readonly PaymentState[],
  limit: number,
): Promise<Newest<Payment>> {
  return newest(inTurn(states.map((state) => payments.list(state))), newestFirst, limit);
}

/** Refunds; without `ended` also those of which nobody knows yet whether they were made. */
export async function newestRefunds(
  { refunds, intents }: ListedStores,
  only: 'ended' | undefined,
  limit: number,
): Promise<Newest<RefundView>> {
  const known = refunds.list();
  const doubtful = listIntents(intents, { state: 'in_doubt', kinds: ['refund'] });
  const all = inTurn<Refund | Intent>(only ? [known] : [known, doubtful]);
  const { rows, more } = await newest(all, byTime, limit);
  const view = (row: Refund | Intent) => ('key' in row ? doubtfulRefundView(row) : refundView(row));
  return { rows: rows.map(view), more };
}

export function newestIntents(
  { intents }: Pick<ListedStores, 'intents'>,
  { limit, ...query }: IntentQuery,
): Promise<Newest<Intent>> {
  return newest(listIntents(intents, query), byTime, limit);
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

async function* inTurn<Row>(lists: readonly AsyncIterable<Row>[]): AsyncGenerator<Row> {
  for (const list of lists) yield* list;
}

function byTime<Row extends { readonly createdAt: number }>(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => b.createdAt - a.createdAt);
}

/** Holds at most twice the limit in memory, however much is stored. */
async function newest<Row>(
  all: AsyncIterable<Row>,
  sort: (rows: readonly Row[]) => Row[],
  limit: number,
): Promise<Newest<Row>> {
  let rows: Row[] = [];
  let count = 0;
  for await (const row of all) {
    count += 1;
    if (rows.push(row) >= 2 * limit) rows = sort(rows).slice(0, limit);
  }
  return { rows: sort(rows).slice(0, limit), more: count > limit };
}
