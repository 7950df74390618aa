import { createHash } from 'node:crypto';
import type { Clock } from '../../base/clock.js';
import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/database.js';
import { codesPerSignIn, mostSignIns, type SignInStore, signInLife } from '../store.js';

interface SignInRow {
  readonly phone: string;
  readonly wrongCodes: number;
}

/** Surplus rows deleted at a time, so that no statement holds locks for long. */
const removedAtOnce = 1_000;

/** Sign-ins under way in the table `sign_ins`; the sweeper removes those whose time is over. */
export function createPostgresSignInStore(database: Database, clock: Clock): SignInStore {
  const now = () => new Date(clock.now());
  return {
    async find(processId) {
      const [row] = await query<SignInRow>(database, 'sign-in by process')`
        select phone, wrong_codes from msgsite.sign_ins
        where id = ${idOf(processId)} and expires_at > ${now()}`;
      return row;
    },
    async setPhone(processId, phone) {
      const until = new Date(clock.now() + signInLife);
      await query(database, 'set the phone of a sign-in')`
        insert into msgsite.sign_ins (id, phone, expires_at)
        values (${idOf(processId)}, ${phone}, ${until})
        on conflict (id) do update set phone = excluded.phone`;
      await query(database, 'remove surplus sign-ins')`
        delete from msgsite.sign_ins where ctid = any(array(
          select ctid from msgsite.sign_ins
          order by expires_at desc offset ${mostSignIns} limit ${removedAtOnce}))`;
    },
    async takeCode(processId) {
      const rows = await query(database, 'count a code')`
        update msgsite.sign_ins set wrong_codes = wrong_codes + 1
        where id = ${idOf(processId)} and expires_at > ${now()}
          and wrong_codes < ${codesPerSignIn}
        returning 1`;
      return rows.length > 0;
    },
    async giveCodeBack(processId) {
      await query(database, 'give a code back')`
        update msgsite.sign_ins set wrong_codes = greatest(0, wrong_codes - 1)
        where id = ${idOf(processId)}`;
    },
    async remove(processId) {
      await query(database, 'remove a sign-in')`
        delete from msgsite.sign_ins where id = ${idOf(processId)}`;
    },
  };
}

/** Ids come from clients, and may hold what PostgreSQL does not store: rows are named by a digest. */
function idOf(processId: string): string {
  return createHash('sha256').update(processId, 'utf8').digest('hex');
}
