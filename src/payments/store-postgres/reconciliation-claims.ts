import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/query.js';
import type { ReconciliationClaims } from '../store.js';

/** Minutes for which a claim lasts; after that, another process takes over from one that died. */
const claimMinutes = 60;
/** Days after which claims of dead processes are deleted. */
const keptDays = 31;

/** Claims of organizations in the table `reconciliations`; the database's clock counts. */
export function createReconciliationClaims(database: Database): ReconciliationClaims {
  return {
    async claim(organizationId) {
      const claimed = await query(database, 'claim a reconciliation')`
        insert into msgsite.reconciliations as known (organization_id, claimed_until)
        values (${organizationId}, clock_timestamp() + make_interval(mins => ${claimMinutes}))
        on conflict (organization_id) do update set claimed_until = excluded.claimed_until
          where known.claimed_until < clock_timestamp()
        returning 1`;
      return claimed.length > 0;
    },
    async release(organizationId) {
      await query(database, 'release a reconciliation')`
        delete from msgsite.reconciliations where organization_id = ${organizationId}
          or claimed_until < clock_timestamp() - make_interval(days => ${keptDays})`;
    },
  };
}
