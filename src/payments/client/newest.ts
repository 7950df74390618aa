import { gatherNewest } from '../newest.js';
import { type Payment, type PaymentPosition, type PaymentState, paymentKey } from '../payment.js';
import type { IntentRow, RefundView } from '../payment-view.js';
import { intentsIn, type RecordStores, refundsIn } from '../record-pages.js';
import type { PaymentStore } from '../store.js';
import type { IntentQuery, Newest, RefundQuery } from './gateway-client.js';

/** Where lists are read from. */
export interface ListedStores extends RecordStores {
  readonly payments: Pick<PaymentStore, 'list'>;
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

/** Returns the newest refunds. Those that are in doubt or under way are included unless `only` excludes them. */
export function newestRefunds(
  stores: ListedStores,
  { only, since, limit, ...query }: RefundQuery & { readonly since?: number | undefined },
): Promise<Newest<RefundView>> {
  const isMeant = isOf(query);
  async function* all() {
    for await (const [key, record, row] of refundsIn(stores, { only, since })) {
      if (isMeant(record)) yield found(key, record, row);
    }
  }
  return newest(all(), limit);
}

export function newestIntents(
  stores: Pick<ListedStores, 'intents' | 'underWay' | 'isKeyTaken'>,
  { limit, state, kinds, ...query }: IntentQuery,
): Promise<Newest<IntentRow>> {
  const isMeant = isOf(query);
  async function* all() {
    for await (const [intent, row] of intentsIn(stores, state)) {
      if (isMeant(intent) && kinds.includes(intent.kind)) yield found(intent.id, intent, row);
    }
  }
  return newest(all(), limit);
}

/** Returns a predicate for records of a payment and an organization; an omitted one matches everything. */
function isOf({ paymentId, organizationId }: Pick<IntentQuery, 'paymentId' | 'organizationId'>) {
  return (each: { readonly organizationId: number; readonly paymentId?: string }) =>
    (paymentId === undefined || each.paymentId === paymentId) &&
    (organizationId === undefined || each.organizationId === organizationId);
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
