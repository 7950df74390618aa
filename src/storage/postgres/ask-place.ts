import postgres from '#postgres';
import { isDatabaseAway } from './database-errors.js';
import { createServerRanks, createServers, type Place } from './servers.js';
import type { Activity } from './watchdog.js';
import { within } from './within.js';

/** Milliseconds that a living server may take to answer a new connection. */
const patience = 3_000;

/**
 * What one server does for this user's sessions, asked over a connection of its own. Rejects where it gives no answer, or
 * says that it is starting or stopping; undefined where it answers and refuses to say, as with too many connections.
 */
export async function askPlace(
  address: string,
  place: Place,
): Promise<readonly Activity[] | undefined> {
  const settings = {
    socket: createServers(createServerRanks(), { places: [place], timeout: patience }),
    max: 1,
    connect_timeout: patience / 1000,
    fetch_types: false,
    onnotice() {},
    connection: { application_name: 'msgsite watchdog', statement_timeout: patience },
  };
  const sql = postgres(address, settings);
  try {
    return await within(patience, select(sql));
  } catch (error) {
    const { cause = error } = error as { readonly cause?: unknown };
    if (isAnswer(cause)) return undefined;
    throw error;
  } finally {
    // However the connection ends: what was asked is known.
    sql.end({ timeout: 0 }).catch(() => {});
  }
}

async function select(sql: postgres.Sql): Promise<Activity[]> {
  // A server that waits for its client has done its part.
  const rows = await sql<{ pid: number; working: boolean }[]>`
    select pid, coalesce(state = 'active' and wait_event_type is distinct from 'Client', true) as working
    from pg_stat_activity where usename = current_user`;
  return rows.map(({ pid, working }) => ({ pid, isWorking: working }));
}

/** Whether a server that works refused the connection or the question. */
function isAnswer(error: unknown): boolean {
  return (
    error instanceof postgres.PostgresError && !(isDatabaseAway(error) && /^57P/.test(error.code))
  );
}
