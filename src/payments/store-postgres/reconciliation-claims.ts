import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/query.js';
import type { ReconciliationClaims } from '../store.js';

/** How long a claim holds, in minutes: a process that dies leaves its day to another one then. */
const claimMinutes = 60;
/** Days that are remembered, more than any wall clock steps back. */
const keptDays = 400;

/** Claims in the table `reconciliations`; the database's clock counts. */
export function createReconciliationClaims(database: Database): ReconciliationClaims {
  return {
    async claim(day) {
      const claimed = await query(database, 'claim a reconciliation')`
        insert into msgsite.reconciliations as known (day, claimed_until)
        values (${day}, clock_timestamp() + make_interval(mins => ${claimMinutes}))
        on conflict (day) do update set claimed_until = excluded.claimed_until
          where not known.is_done and known.claimed_until < clock_timestamp()
        returning 1`;
      if (claimed.length > 0) return 'mine';
      const [known] = await query<{ isDone: boolean }>(database, 'reconciliation of a day')`
        select is_done from msgsite.reconciliations where day = ${day}`;
      return known?.isDone === false ? 'busy' : 'done';
    },
    async finish(day) {
      await query(database, 'finish a reconciliation')`
        update msgsite.reconciliations set is_done = true where day = ${day}`;
      await query(database, 'forget old reconciliations')`
        delete from msgsite.reconciliations
        where claimed_until < clock_timestamp() - make_interval(days => ${keptDays})`;
    },
  };
}
