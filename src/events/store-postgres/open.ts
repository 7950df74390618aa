import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/database.js';
import { createRecordTable } from '../../storage/postgres/record-table.js';
import { part, type Sql } from '../../storage/postgres/sql.js';
import { pagesOf } from '../../storage/postgres/sweep.js';
import type { Worker } from '../../storage/postgres/worker.js';
import { type Delivery, type DeliveryState, deliveryStates } from '../delivery.js';
import type { DeliveryCounts } from '../store.js';
import { type DeliveryStore, namedBy, nameOf } from '../store.js';
import { createDeliveryClaims, toRow } from './delivery-claims.js';
import { createPostgresEventStore, createPostgresReceiverStore } from './event-store.js';

interface DeliveryRow {
  readonly id: string;
  readonly record: Delivery;
  readonly listedAt: string;
}

interface UndeliveredRow {
  /** Type and ID. */
  readonly payment: string;
  /** Null if the event has no organization. */
  readonly organization: number | null;
}

interface PendingRow {
  readonly id: string;
  readonly receiver: string;
  readonly due: string;
}

/** Number of deliveries that one statement lists. */
const batch = 500;
/** Maximum number of pending deliveries of one subscription that a poll returns, earliest first. @internal */
const maxPerReceiver = 1_000;
/** Time before a delivery is due at which a poll finds it, in seconds. It is longer than the interval between polls. */
const lookAhead = 5;

/** Creates a store of deliveries in the table `deliveries`, which all processes share. */
export function createPostgresDeliveryStore(database: Database, worker: Worker): DeliveryStore {
  async function* listState(state: DeliveryState): AsyncGenerator<Delivery> {
    const pages = pagesOf<DeliveryRow>(batch, (last) =>
      database.run('list deliveries', (sql) => selectPage(sql, state, last)),
    );
    for await (const rows of pages) yield* rows.map(({ record }) => record);
  }

  const table = createRecordTable<Delivery>({
    ...{ database, table: 'msgsite.deliveries', key: 'id' },
    toRow,
  });
  return {
    events: createPostgresEventStore(database),
    receivers: createPostgresReceiverStore(database),
    add: table.add,
    async findPending({ isKnown, onFound }) {
      const rows = await database.run('pending deliveries', selectPending);
      const counts = new Map<string, number>();
      const fresh = rows.filter(({ id }) => !isKnown(id));
      for (const { receiver } of rows) counts.set(receiver, (counts.get(receiver) ?? 0) + 1);
      for (const { id, receiver, due } of fresh) onFound({ id, receiver, dueAt: Date.parse(due) });
      // If all rows of a receiver were already known, the receiver is slow, and reading further rows can wait.
      return fresh.some(({ receiver }) => counts.get(receiver) === maxPerReceiver);
    },
    read: table.find,
    claim: createDeliveryClaims(database, worker),
    async *list({ states = deliveryStates } = {}) {
      for (const state of deliveryStates) if (states.includes(state)) yield* listState(state);
    },
    async freeAbandoned() {
      await worker.renew();
    },
    async undeliveredOf(payments) {
      const names = new Map(payments.map((payment) => [nameOf(payment), payment]));
      const rows = await query<UndeliveredRow>(database, 'undelivered of payments')`
        select distinct payment, organization from msgsite.deliveries
        where state <> 'delivered' and payment = any(${[...names.keys()]}::text[])`;
      const undelivered = rows.flatMap(({ payment, organization }) => {
        const named = names.get(payment);
        return named ? [{ ...named, organizationId: organization ?? undefined }] : [];
      });
      return namedBy(payments, undelivered);
    },
    async removeEndedBefore(state, day) {
      const { days } = await table.remove({
        ...{ column: 'listed_at', before: day },
        where: part`and state = ${state} and worker is null`,
      });
      return days;
    },
    // The process that adds a delivery sends it. Regular polls find other deliveries.
    watch: () => () => {},
    close: () => worker.leave(),
  };
}

/**
 * Selects deliveries that are due soon, earliest first for each subscription. Finds the subscriptions by skipping from
 * one to the next in the index, so that the cost depends on the result and not on the backlog. Unlike
 * `clock_timestamp()`, `now()` can limit the index scan.
 */
function selectPending(sql: Sql) {
  return sql<PendingRow[]>`
    with recursive lanes as (
      (select lane from msgsite.deliveries where state = 'pending' and worker is null
        order by lane limit 1)
      union all
      select (select lane from msgsite.deliveries
        where state = 'pending' and worker is null and lane > lanes.lane order by lane limit 1)
      from lanes where lanes.lane is not null
    )
    select pending.* from lanes cross join lateral (
      select id, lane as receiver, next_attempt_at as due from msgsite.deliveries
      where state = 'pending' and worker is null and lane = lanes.lane
        and next_attempt_at <= now() + make_interval(secs => ${lookAhead})
      order by next_attempt_at limit ${maxPerReceiver}) as pending
    where lanes.lane is not null`;
}

/** Selects the next deliveries after `last`, latest first. */
function selectPage(sql: Sql, state: DeliveryState, last: DeliveryRow | undefined) {
  const position = last ? sql`and (listed_at, id) < (${last.listedAt}, ${last.id})` : sql``;
  return sql<DeliveryRow[]>`
    select id, record, listed_at from msgsite.deliveries where state = ${state} ${position}
    order by listed_at desc, id desc limit ${batch}`;
}

interface CountRow {
  readonly pending: number;
  readonly delivered: number;
  readonly dropped: number;
  /** Milliseconds since the epoch. */
  readonly oldest: number | null;
}

/**
 * Counts deliveries. Triggers maintain the counts in `delivery_counts`, because counting rows becomes slower as their
 * number grows.
 */
export async function countPostgresDeliveries(
  database: Pick<Database, 'run'>,
): Promise<DeliveryCounts> {
  const [row] = await query<CountRow>(database, 'count deliveries')`
    select
      coalesce(sum(number) filter (where state = 'pending'), 0)::bigint as pending,
      coalesce(sum(number) filter (where state = 'delivered'), 0)::bigint as delivered,
      coalesce(sum(number) filter (where state = 'dropped'), 0)::bigint as dropped,
      (select (extract(epoch from min(listed_at)) * 1000)::float8
        from msgsite.deliveries where state = 'pending') as oldest
    from msgsite.delivery_counts`;
  if (!row) throw new Error('The count returned no row.');
  const { oldest, ...states } = row;
  return { states, ...(oldest === null ? {} : { oldestPending: oldest }) };
}
