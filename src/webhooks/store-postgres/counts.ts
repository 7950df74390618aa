import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/query.js';
import type { DeliveryCounts } from '../counts.js';

interface CountRow {
  readonly pending: number;
  readonly delivered: number;
  readonly dropped: number;
  /** Milliseconds since the epoch. */
  readonly oldest: number | null;
}

/**
 * Counts deliveries: a trigger adds up in `delivery_counts` what statements change, since counting all of a month
 * takes longer the more there are.
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
  if (!row) throw new Error('A count gave no row.');
  const { oldest, ...states } = row;
  return { states, ...(oldest === null ? {} : { oldestPending: oldest }) };
}
