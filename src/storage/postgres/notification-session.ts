import type { Sql } from './sql.js';

/** Name under which the database lists the sessions that send and hear notifications. */
export const sessionName = 'msgsite notifications';

/** What a check finds. */
export interface SessionState {
  /** False for a session that is another one than at the last check: what was sent in between is lost. */
  readonly isListening: boolean;
  /** This session. */
  readonly own: string;
  /** Those of all processes on this database, which end when their process does. */
  readonly all: readonly string[];
}

/** Process numbers come again, and soon where the database restarts in a container: the time of their start does not. */
export async function readSession(sql: Sql): Promise<SessionState> {
  const rows = await sql<{ id: string; isOwn: boolean; isListening: boolean }[]>`
    select pid || '@' || extract(epoch from backend_start) as id, pid = pg_backend_pid() as is_own,
      exists (
        select from pg_listening_channels() as heard (channel) where channel = 'msgsite'
      ) as is_listening
    from pg_stat_activity
    where pid = pg_backend_pid()
      or application_name = ${sessionName} and datname = current_database()`;
  const own = rows.find(({ isOwn }) => isOwn);
  return {
    isListening: own?.isListening ?? false,
    own: own?.id ?? '',
    all: rows.map(({ id }) => id),
  };
}

/**
 * The sessions of other processes. One that ends without a word may have stored something that it did not get
 * to notify anybody of.
 */
export function createPeers() {
  let known = new Set<string>();
  /** They said that they end; they may still be listed for a moment. */
  let leaving = new Set<string>();
  return {
    add(id: string): void {
      known.add(id);
    },
    remove(id: string): void {
      known.delete(id);
      leaving.add(id);
    },
    /** Takes over who is listed; true where somebody is missing. */
    compare(listed: readonly string[]): boolean {
      const now = new Set(listed);
      const isAnyMissing = [...known].some((id) => !now.has(id));
      known = new Set(listed.filter((id) => !leaving.has(id)));
      leaving = new Set([...leaving].filter((id) => now.has(id)));
      return isAnyMissing;
    },
  };
}
