import { AppError } from '../../errors.js';
import { jsonParameter, type Sql } from '../../storage/postgres/connect.js';
import type { Database } from '../../storage/postgres/database.js';
import type { Worker } from '../../storage/postgres/worker.js';
import { type Delivery, type DeliveryState, deliveryStates } from '../delivery.js';
import type { ClaimedDelivery, DeliveryStore, PaymentName } from '../delivery-store.js';

interface DeliveryRow {
  readonly id: string;
  readonly state: DeliveryState;
  readonly record: Delivery;
  readonly listed_at: Date;
}

/** Deliveries listed or removed by one statement. */
const batch = 500;
/** Pending deliveries that one look gives, the earliest due first. */
const mostPending = 10_000;

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

  function take(id: string, states: readonly DeliveryState[]) {
    return worker.claim(async (name) => {
      const [row] = await database.run(
        'claim a delivery',
        (sql) => sql<DeliveryRow[]>`
          update msgsite.deliveries set worker = ${name}
          where id = any(array(
            select id from msgsite.deliveries
            where id = ${id} and state = any(${[...states]}::text[])
              and (worker is null or worker = ${name})
            for update skip locked))
          returning record`,
      );
      return row && claimOf(row.record, name);
    });
  }

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
    async pendingIds() {
      const rows = await database.run(
        'pending deliveries',
        (sql) => sql<{ id: string }[]>`
          select id from msgsite.deliveries where state = 'pending' and worker is null
          order by next_attempt_at limit ${mostPending}`,
      );
      return rows.map(({ id }) => id);
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
        claim = await take(id, states);
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

function columnsOf(sql: Sql, delivery: Delivery) {
  const { state, nextAttemptAt, endedAt, arisenAt, facts } = delivery;
  return {
    state,
    payment: nameOf({ type: facts.type, id: facts.paymentId }),
    next_attempt_at: nextAttemptAt,
    listed_at: endedAt ?? arisenAt,
    record: jsonParameter(sql, delivery),
  };
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
