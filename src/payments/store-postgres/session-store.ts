import type { Clock } from '../../base/clock.js';
import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/database.js';
import { json } from '../../storage/postgres/sql.js';
import { type SessionStore, type StoredSession, withMarksOf } from '../store.js';

interface ChangedRow {
  readonly id: string;
  readonly erased: boolean;
  /** Milliseconds since the epoch, by the database's clock. */
  readonly changed: number;
}

/**
 * Milliseconds that a change may become visible after the time it carries: longer than any statement
 * may take, so that reading from so long before the latest change known misses none.
 */
const overlap = 15_000;
/** Milliseconds that the row of an erased session stays for other processes to see. */
const erasedFor = 86_400_000;

/** Sessions in the table `sessions`. The names of all are remembered, and only changes are read. */
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
