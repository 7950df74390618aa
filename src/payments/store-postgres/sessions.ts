import { createHash } from 'node:crypto';
import type { Clock } from '../../base/clock.js';
import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/database.js';
import { json } from '../../storage/postgres/sql.js';
import {
  codesPerSignIn,
  maxSignIns,
  type PendingSignIn,
  type StoredSession,
  signInLife,
  withMarksOf,
} from '../records.js';
import type { SessionStore, SignInStore } from '../store.js';

interface ChangedRow {
  readonly id: string;
  readonly erased: boolean;
  /** Milliseconds since the epoch, by the database's clock. */
  readonly changed: number;
}

/**
 * Overlap of two reads of changes, in milliseconds. A change may become visible later than its timestamp, by up to the
 * time limit of a statement.
 */
const overlap = 15_000;
/** Retention of an erased session's row, in milliseconds. Other processes detect the erasure from it. */
const erasedFor = 86_400_000;

/** Stores sessions in the table `sessions`. Caches all IDs and reads only changes. */
export function createPostgresSessionStore(database: Database, clock: Clock): SessionStore {
  const known = new Set<string>();
  let latest = 0;

  return {
    async add(session) {
      await query(database, 'add a session')`
          insert into msgsite.sessions (id, record)
          values (${session.id}, ${json(session)})
          on conflict (id) do nothing`;
    },
    async find(id) {
      const [row] = await query<{ record: StoredSession | null }>(database, 'session by id')`
        select record from msgsite.sessions where id = ${id}`;
      return row?.record ?? undefined;
    },
    async update(session) {
      await database.transaction('update a session', async (sql) => {
        const [row] = await sql<{ record: StoredSession | null }[]>`
          select record from msgsite.sessions where id = ${session.id} for update`;
        if (!row?.record) return;
        const record = json(withMarksOf(row.record, session));
        await sql`
          update msgsite.sessions set record = ${record}, changed_at = clock_timestamp()
          where id = ${session.id}`;
      });
    },
    async erase({ id }) {
      await query(database, 'erase a session')`
        update msgsite.sessions set record = null, changed_at = clock_timestamp()
        where id = ${id}`;
      await query(database, 'forget erased sessions')`
        delete from msgsite.sessions
        where record is null and changed_at <= ${new Date(clock.now() - erasedFor)}`;
    },
    async ids() {
      const since = new Date(Math.max(0, latest - overlap));
      const rows = await query<ChangedRow>(database, 'changed sessions')`
        select id, record is null as erased,
          (extract(epoch from changed_at) * 1000)::float8 as changed
        from msgsite.sessions where changed_at >= ${since}`;
      for (const { id, erased, changed } of rows) {
        if (erased) known.delete(id);
        else known.add(id);
        latest = Math.max(latest, changed);
      }
      return [...known];
    },
  };
}

/** Maximum number of surplus rows that one statement deletes, so that it does not hold locks for long. */
const maxRemoved = 1_000;

/** Stores sign-ins in the table `sign_ins`. The sweeper removes expired ones. */
export function createPostgresSignInStore(database: Database, clock: Clock): SignInStore {
  const now = () => new Date(clock.now());
  return {
    async find(processId) {
      const [row] = await query<PendingSignIn>(database, 'sign-in by process')`
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
          order by expires_at desc offset ${maxSignIns} limit ${maxRemoved}))`;
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

/** Returns a digest, because clients may send IDs with characters that PostgreSQL cannot store. */
function idOf(processId: string): string {
  return createHash('sha256').update(processId, 'utf8').digest('hex');
}
