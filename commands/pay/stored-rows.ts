import type { Intent, Refund } from '#validators/payment-records';
import { newestFirst, type Payment, type PaymentState } from '../../src/payments/payment.js';
import {
  doubtfulRefundView,
  type RefundView,
  refundView,
} from '../../src/payments/payment-view.js';
import type { IntentStore, ReadPaymentStores } from '../../src/payments/store.js';

/** The newest of a list, at most `limit`, and whether there are more. */
export interface Newest<Row> {
  readonly rows: readonly Row[];
  readonly more: boolean;
}

export async function newestPayments(
  { payments }: ReadPaymentStores,
  states: readonly PaymentState[],
  limit: number,
): Promise<Newest<Payment>> {
  return newest(inTurn(states.map((state) => payments.list(state))), newestFirst, limit);
}

/** Refunds; without `ended` also those of which nobody knows yet whether they were made. */
export async function newestRefunds(
  { refunds, intents }: ReadPaymentStores,
  only: 'ended' | undefined,
  limit: number,
): Promise<Newest<RefundView>> {
  const known = refunds.list();
  const all = inTurn<Refund | Intent>(only ? [known] : [known, doubtful(intents, ['refund'])]);
  const { rows, more } = await newest(all, byTime, limit);
  const view = (row: Refund | Intent) => ('key' in row ? doubtfulRefundView(row) : refundView(row));
  return { rows: rows.map(view), more };
}

export function newestInDoubt(
  { intents }: ReadPaymentStores,
  kinds: readonly Intent['kind'][],
  limit: number,
): Promise<Newest<Intent>> {
  return newest(doubtful(intents, kinds), byTime, limit);
}

async function* doubtful(
  intents: Pick<IntentStore, 'list'>,
  kinds: readonly Intent['kind'][],
): AsyncGenerator<Intent> {
  for await (const intent of intents.list('in_doubt')) {
    if (kinds.includes(intent.kind)) yield intent;
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
