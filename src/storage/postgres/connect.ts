import { askPlace } from './ask-place.js';
import { createPool, type Pool } from './pool.js';
import { assertRole, createServerRanks, openAtBest, type ServerRanks } from './servers.js';
import type { Place, Session, SessionOptions } from './session.js';
import { createSql, type Sql } from './sql.js';
import { openTarget, readTarget, type TargetOptions } from './target.js';
import { createWatchdog } from './watchdog.js';

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
