import { AppError } from '../../base/errors.js';
import { createBatch } from '../../storage/postgres/batch.js';
import { jsonParameter, type Sql, type TransactionSql } from '../../storage/postgres/connect.js';
import type { Database } from '../../storage/postgres/database.js';
import type { Worker } from '../../storage/postgres/worker.js';
import { type Delivery, type DeliveryState, deliveryStates } from '../delivery.js';
import type { ClaimedDelivery, DeliveryStore, PaymentName } from '../store.js';

interface DeliveryRow {
  readonly id: string;
  readonly state: DeliveryState;
  readonly record: Delivery;
  readonly listed_at: Date;
}

interface Wanted {
  readonly id: string;
  readonly states: readonly DeliveryState[];
}

interface PendingRow {
  readonly id: string;
  readonly lane: string;
  readonly due: Date;
}

/** Deliveries listed or removed by one statement. */
const batch = 500;
/** Pending deliveries of one subscription that one look gives, the earliest due first. */
const mostOfLane = 1_000;
/** Seconds ahead that a look sees what will be due: longer than until the next look. */
const lookAhead = 5;

/**
 * Deliveries in the table `deliveries`. A claim is the worker's name in the row; claims of a worker that
 * dies are free when its lease ends.
 */
export function createPostgresDeliveryStore(database: Database, worker: Worker): DeliveryStore {
  /**
   * What is acted on here. A row in this process's name beyond these was left by a statement whose
   * answer was lost, or that failed: it is free for this process.
   */
  const held = new Set<string>();

  function claimOf(delivery: Delivery, name: string): ClaimedDelivery {
    return {
      delivery,
      async settle(next) {
        held.delete(delivery.id);
        const { count } = await database.run(
          'settle a delivery',
          (sql) => sql`
            update msgsite.deliveries set ${sql(columnsOf(sql, next))}, worker = null
            where id = ${delivery.id} and worker = ${name}`,
        );
        if (count === 0) throw lostClaim(delivery.id);
      },
      async release() {
        held.delete(delivery.id);
        await database.run(
          'release a delivery',
          (sql) => sql`
            update msgsite.deliveries set worker = null
            where id = ${delivery.id} and worker = ${name}`,
        );
      },
    };
  }

  /** Several processes meet in a backlog: asking for many at once keeps cheap what others have. */
  const take = createBatch<Wanted, ClaimedDelivery | undefined>({
    most: 200,
    concurrency: 2,
    run: (wanted) =>
      worker.claim(async (name) => {
        const rows = await database.run('claim deliveries', (sql) => claimRows(sql, wanted, name));
        const byId = new Map(rows.map(({ id, record }) => [id, record]));
        return wanted.map(({ id }) => {
          const record = byId.get(id);
          return record && claimOf(record, name);
        });
      }),
  });

  async function* listState(state: DeliveryState): AsyncGenerator<Delivery> {
    let last: DeliveryRow | undefined;
    for (let count = batch; count === batch; ) {
      const rows = await database.run('list deliveries', (sql) => selectPage(sql, state, last));
      count = rows.length;
      last = rows.at(-1);
      yield* rows.map(({ record }) => record);
    }
  }

  return {
    async add(delivery) {
      const rows = await database.run(
        'add a delivery',
        (sql) => sql`
          insert into msgsite.deliveries
            ${sql({ id: delivery.id, ...columnsOf(sql, delivery) })}
          on conflict (id) do nothing
          returning id`,
      );
      return rows.length > 0;
    },
    async lookForPending({ isKnown, onFound }) {
      const rows = await database.run('pending deliveries', selectPending);
      const counts = new Map<string, number>();
      const fresh = rows.filter(({ id }) => !isKnown(id));
      for (const { lane } of rows) counts.set(lane, (counts.get(lane) ?? 0) + 1);
      for (const { id, lane, due } of fresh) onFound({ id, lane, dueAt: due.getTime() });
      // Where all was known, a receiver is slow: there is no hurry to look behind what waits for it.
      return fresh.some(({ lane }) => counts.get(lane) === mostOfLane);
    },
    async read(id) {
      const [row] = await database.run(
        'delivery by id',
        (sql) => sql<DeliveryRow[]>`select record from msgsite.deliveries where id = ${id}`,
      );
      return row?.record;
    },
    async claim(id, states) {
      if (held.has(id)) return undefined;
      held.add(id);
      let claim: ClaimedDelivery | undefined;
      try {
        claim = await take({ id, states });
        return claim;
      } finally {
        if (!claim) held.delete(id);
      }
    },
    async *list({ states = deliveryStates } = {}) {
      for (const state of deliveryStates) if (states.includes(state)) yield* listState(state);
    },
    async tend() {
      await worker.renew();
    },
    async undeliveredOf(payments) {
      const names = new Map(payments.map((payment) => [nameOf(payment), payment]));
      const rows = await database.run(
        'undelivered of payments',
        (sql) => sql<{ payment: string }[]>`
          select distinct payment from msgsite.deliveries
          where state <> 'delivered' and payment = any(${[...names.keys()]}::text[])`,
      );
      return rows.map(({ payment }) => names.get(payment)).filter((name) => name !== undefined);
    },
    async removeEndedBefore(state, day) {
      const days = new Set<string>();
      for (let count = batch; count === batch; ) {
        const rows = await database.run(
          'remove old deliveries',
          (sql) => sql<DeliveryRow[]>`
            delete from msgsite.deliveries where id = any(array(
              select id from msgsite.deliveries
              where state = ${state} and listed_at < ${new Date(`${day}T00:00:00Z`)}
                and worker is null
              order by listed_at limit ${batch} for update skip locked))
            returning listed_at`,
        );
        count = rows.length;
        for (const { listed_at: at } of rows) days.add(at.toISOString().slice(0, 10));
      }
      return days.size;
    },
    // Who adds a delivery sends it; what others left is found by the regular look.
    watch: () => () => {},
    close: () => worker.leave(),
  };
}

function nameOf({ type, id }: PaymentName): string {
  return `${type}-${id}`;
}

/**
 * What is due soon, the earliest of each subscription. The subscriptions are found by jumping from one to
 * the next in the index, so that this costs what it gives, not what is stored; `now()` bounds the way
 * through the index, which `clock_timestamp()` cannot.
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
      select id, lane, next_attempt_at as due from msgsite.deliveries
      where state = 'pending' and worker is null and lane = lanes.lane
        and next_attempt_at <= now() + make_interval(secs => ${lookAhead})
      order by next_attempt_at limit ${mostOfLane}) as pending
    where lanes.lane is not null`;
}

/** The columns beside a delivery's record, by which it is looked for. */
export function columnsOf(sql: Sql | TransactionSql, delivery: Delivery) {
  const { state, nextAttemptAt, endedAt, arisenAt, facts, subscription } = delivery;
  return {
    state,
    payment: nameOf({ type: facts.type, id: facts.paymentId }),
    next_attempt_at: nextAttemptAt,
    lane: subscription.id,
    listed_at: endedAt ?? arisenAt,
    record: jsonParameter(sql, delivery),
  };
}

/** Those of the wanted that are in one of their states and are nobody else's. */
function claimRows(sql: Sql, wanted: readonly Wanted[], name: string) {
  const ids = wanted.map(({ id }) => id);
  const states = wanted.map((each) => each.states.join(' '));
  return sql<DeliveryRow[]>`
    update msgsite.deliveries set worker = ${name}
    where id = any(array(
      select stored.id from unnest(${ids}::text[], ${states}::text[]) as wanted (id, states)
      join msgsite.deliveries as stored on stored.id = wanted.id
        and stored.state = any(string_to_array(wanted.states, ' '))
        and (stored.worker is null or stored.worker = ${name})
      for update of stored skip locked))
    returning id, record`;
}

/** The latest first, from behind the last one on. */
function selectPage(sql: Sql, state: DeliveryState, last: DeliveryRow | undefined) {
  const place = last ? sql`and (listed_at, id) < (${last.listed_at}, ${last.id})` : sql``;
  return sql<DeliveryRow[]>`
    select id, record, listed_at from msgsite.deliveries where state = ${state} ${place}
    order by listed_at desc, id desc limit ${batch}`;
}

function lostClaim(id: string): AppError {
  return new AppError('conflict', `Delivery ${id} was taken over by another process.`);
}
