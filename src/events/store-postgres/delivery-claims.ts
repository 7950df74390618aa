import { AppError } from '../../base/errors.js';
import { createBatch } from '../../storage/postgres/batch.js';
import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/database.js';
import { assignments, json, type Sql } from '../../storage/postgres/sql.js';

import type { Worker } from '../../storage/postgres/worker.js';
import type { Delivery, DeliveryState } from '../delivery.js';
import type { ClaimedDelivery, DeliveryStore } from '../store.js';
import { nameOf } from '../store.js';

interface ClaimRequest {
  readonly id: string;
  readonly states: readonly DeliveryState[];
}

/**
 * Returns a function that claims deliveries. A claim is the worker's name in the row. The claims of a dead worker end
 * when its lease expires.
 */
export function createDeliveryClaims(database: Database, worker: Worker): DeliveryStore['claim'] {
  /**
   * IDs of the deliveries that this process has claimed. Any other row with this worker's name is left over from a
   * statement that failed or lost its response, so this process may claim it again.
   */
  const claimed = new Set<string>();

  function claimOf(record: Delivery, name: string): ClaimedDelivery {
    const { id } = record;
    return {
      record,
      async settle(next) {
        claimed.delete(id);
        const settled = await query(database, 'settle a delivery')`
          update msgsite.deliveries set ${assignments(toRow(next))}, worker = null
          where id = ${id} and worker = ${name} returning 1`;
        if (settled.length === 0) throw lostClaim(id);
      },
      async release() {
        claimed.delete(id);
        await query(database, 'release a delivery')`
          update msgsite.deliveries set worker = null
          where id = ${id} and worker = ${name}`;
      },
    };
  }

  /**
   * Claims deliveries in batches. In a backlog, this makes attempts to claim deliveries of other processes inexpensive.
   */
  const take = createBatch<ClaimRequest, ClaimedDelivery | undefined>({
    most: 200,
    concurrency: 2,
    run: (requests) =>
      worker.claim(async (name) => {
        const rows = await database.run('claim deliveries', (sql) =>
          claimRows(sql, requests, name),
        );
        const byId = new Map(rows.map(({ id, record }) => [id, record]));
        return requests.map(({ id }) => {
          const record = byId.get(id);
          return record && claimOf(record, name);
        });
      }),
  });

  return async (id, states) => {
    if (claimed.has(id)) return undefined;
    claimed.add(id);
    let claim: ClaimedDelivery | undefined;
    try {
      claim = await take({ id, states });
      return claim;
    } finally {
      if (!claim) claimed.delete(id);
    }
  };
}

/** Claims the requested rows that are in one of their requested states and are not claimed by another worker. */
function claimRows(sql: Sql, requests: readonly ClaimRequest[], name: string) {
  const ids = requests.map(({ id }) => id);
  const states = requests.map((each) => each.states.join(' '));
  return sql<{ id: string; record: Delivery }[]>`
    update msgsite.deliveries set worker = ${name}
    where id = any(array(
      select stored.id from unnest(${ids}::text[], ${states}::text[]) as wanted (id, states)
      join msgsite.deliveries as stored on stored.id = wanted.id
        and stored.state = any(string_to_array(wanted.states, ' '))
        and (stored.worker is null or stored.worker = ${name})
      for update of stored skip locked))
    returning id, record`;
}

function lostClaim(id: string): AppError {
  return new AppError('conflict', `Delivery ${id} was taken over by another process.`);
}

/** Returns the row of a delivery, with the columns that queries use. */
export function toRow(delivery: Delivery) {
  const { id, state, nextAttemptAt, endedAt, occurredAt, facts, subscription } = delivery;
  const payment =
    'subject' in facts
      ? { payment: facts.subject.join('-'), organization: null }
      : {
          payment: nameOf({ type: facts.type, id: facts.paymentId }),
          organization: facts.organizationId ?? null,
        };
  return {
    id,
    state,
    ...payment,
    nextAttemptAt,
    lane: subscription.id,
    listedAt: endedAt ?? occurredAt,
    record: json(delivery),
  };
}
