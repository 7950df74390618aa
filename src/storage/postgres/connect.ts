import { DatabaseError } from 'pg';
import { isDatabaseAway } from './database-errors.js';
import { createPool, type Pool } from './pool.js';
import { assertRole, createServerRanks, openAtBest, type ServerRanks } from './servers.js';
import type { Place, Session, SessionOptions } from './session.js';
import { createSql, type Sql } from './sql.js';
import { openTarget, readTarget, type Target, type TargetOptions } from './target.js';
import { type Activity, createWatchdog } from './watchdog.js';
import { within } from './within.js';

export interface ConnectOptions
  extends TargetOptions,
    Pick<SessionOptions, 'onNotify' | 'onNotice'> {
  /** Shared with other connections to the same servers. */
  readonly ranks?: ServerRanks;
  /** Most connections at once. */
  readonly connections: number;
  /** Sends statements before earlier ones on the same connection are answered; true by default. */
  readonly isPipelined?: boolean;
  /** Never replaces a connection, because locks end with it; by default, one is replaced after 30 to 60 minutes. */
  readonly isLasting?: boolean;
}

/** Connections to a database; statements are sent over any of them. */
export interface SqlPool extends Sql, Pick<Pool, 'begin' | 'end'> {}

/** The most statements on one connection that have no answer yet. @internal */
const mostPipelined = 100;
/** Milliseconds after which a connection is replaced, because the server's processes grow over time. */
const lifetime = 30 * 60_000;

/** Milliseconds that finding a server and connecting may take on top of a statement's own time. */
export const roomForConnecting = 3_000;

/** A pool of connections, opened when they are needed. */
export function connect(options: ConnectOptions): SqlPool {
  const { connections, statementTimeout, isPipelined = true, isLasting = false } = options;
  const { ranks = createServerRanks(), onNotify, onNotice } = options;
  const target = readTarget(options);
  const watchdog = createWatchdog({
    ask: (place) => askPlace(target, place),
    statementTimeout,
    onSilent: ranks.isSilent,
  });

  async function openAt(place: Place, isLast: boolean): Promise<Session> {
    const session = await openTarget(target, place, { isPipelined, onNotify, onNotice });
    watchdog.watch(session);
    try {
      await assertRole(session, target.role, isLast);
    } catch (error) {
      session.destroy();
      throw error;
    }
    return session;
  }

  const pool = createPool({
    open: () => openAtBest(target.places, ranks, openAt),
    connections,
    depth: isPipelined ? mostPipelined : 1,
    patience:
      statementTimeout === 0 ? Number.POSITIVE_INFINITY : statementTimeout + roomForConnecting,
    leavesReadOnly: [undefined, 'read-write', 'primary'].includes(target.role),
    lifetime: isLasting ? undefined : lifetime,
  });
  return Object.assign(createSql(pool.run), { begin: pool.begin, end: pool.end });
}

/** Milliseconds that a living server may take to answer a new connection. @internal */
const patience = 3_000;

/**
 * What one server does for this user's sessions, asked over a connection of its own. Rejects where it gives no answer, or
 * says that it is starting or stopping; undefined where it answers and refuses to say, as with too many connections.
 */
async function askPlace(target: Target, place: Place): Promise<readonly Activity[] | undefined> {
  const client = { ...target.client, application_name: 'msgsite watchdog' };
  let session: Session | undefined;
  try {
    session = await openTarget({ ...target, client, timeout: patience }, place, {
      isPipelined: false,
    });
    return await within(patience, readActivities(session));
  } catch (error) {
    const { cause = error } = error as { readonly cause?: unknown };
    if (isAnswer(cause)) return undefined;
    throw error;
  } finally {
    session?.destroy();
  }
}

async function readActivities(session: Session): Promise<readonly Activity[]> {
  // A server that waits for its client has done its part.
  const { rows } = await session.run({
    text: `select pid, coalesce(state = 'active' and wait_event_type is distinct from 'Client', true) as is_working
      from pg_stat_activity where usename = current_user`,
    values: [],
    isPrepared: false,
  });
  return rows as unknown as readonly Activity[]; // What the statement selects.
}

/** Whether a server that works refused the connection or the question. */
function isAnswer(error: unknown): boolean {
  return (
    error instanceof DatabaseError && !(isDatabaseAway(error) && /^57P/.test(error.code ?? ''))
  );
}
