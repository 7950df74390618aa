import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/database.js';
import type { PaymentCounts } from '../counts.js';

interface CountRow extends Omit<PaymentCounts, 'oldestOpen'> {
  readonly oldestOpen: number | null;
}

/** Counts payments by indexes of what is not over: it costs what it counts, not what is stored. */
export async function countPostgresPayments(
  database: Pick<Database, 'run'>,
): Promise<PaymentCounts> {
  const [row] = await query<CountRow>(database, 'count payments')`
    select
      (select count(*) from msgsite.payments where state = 'open') as open,
      (select count(*) from msgsite.payments where state = 'unknown') as unknown,
      (select count(*) from msgsite.intents where state = 'in_doubt') as in_doubt,
      (select min(created_at)::float8 from msgsite.payments where state = 'open') as oldest_open,
      (select count(*) from msgsite.sessions where record is not null) as sessions`;
  if (!row) throw new Error('A count gave no row.');
  const { oldestOpen, ...counts } = row;
  return { ...counts, ...(oldestOpen === null ? {} : { oldestOpen }) };
}

/** Returns whether any payment is stored. */
export async function hasPostgresPayments(database: Pick<Database, 'run'>): Promise<boolean> {
  const [row] = await query<{ isThere: boolean }>(database, 'whether there are payments')`
    select exists (select from msgsite.payments) as is_there`;
  return row?.isThere ?? false;
}
