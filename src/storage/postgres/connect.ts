import { Client, type ClientConfig } from 'pg';
import { type DatabaseAddress, parseDatabaseAddress } from '../../base/database-address.js';
import { systemErrorCode } from '../../base/errors.js';
import { unavailable } from './database-errors.js';
import { createPool, type Pool } from './pool.js';
import { assertRole, createPlace, openAtBest, type ServerRanks } from './servers.js';
import type { ServerPlace, Session, SessionOptions } from './session.js';
import { openSession } from './session.js';
import { createSql, type Sql } from './sql.js';

/** Time after which an attempt to connect to a single server fails, in milliseconds. */
const connectTimeout = 5_000;
/** Time after which an attempt to connect to one of several servers fails, in milliseconds. */
const connectTimeoutOfMany = 3_000;

/** The servers of a database and how to connect to them. */
interface DatabaseTarget {
  readonly places: readonly ServerPlace[];
  readonly client: ClientConfig;
  /** Time after which connecting to one server fails, in milliseconds. */
  readonly timeout: number;
  /** Encryption settings, attempted in order until one works. */
  readonly encryption: readonly NonNullable<ClientConfig['ssl']>[];
  /** A value of `target_session_attrs`; undefined if any server is accepted. */
  readonly role: string | undefined;
}

interface TargetOptions {
  /** `postgres://user:password@host:port,host:port/name?sslmode=…` */
  readonly url: string;
  /** Time after which the database cancels a statement, in milliseconds; 0 = never. */
  readonly statementTimeout: number;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  /** Further settings of each session. */
  readonly session?: Readonly<Record<string, string>> | undefined;
}

/** Parses an address. Throws if it is not a PostgreSQL address. */
function readTarget(options: TargetOptions): DatabaseTarget {
  const { url, statementTimeout, applicationName, session } = options;
  const address = parseDatabaseAddress(url);
  const { user, password, path, parameters } = address;
  const {
    sslmode = 'disable',
    target_session_attrs,
    connect_timeout,
    ...others
  } = Object.fromEntries(parameters);
  const database = decodeURIComponent(path.slice(1));
  const settings = {
    datestyle: 'ISO',
    statement_timeout: statementTimeout,
    // A process that stops in a transaction must not hold its locks forever.
    idle_in_transaction_session_timeout: 2 * statementTimeout,
    ...session,
    ...others,
  };
  const client = {
    ...{ user, password, database },
    application_name: applicationName,
    options: Object.entries(settings).map(settingFlag).join(' '),
  };
  const places = placesOf(address, client);
  const defaultTimeout = places.length > 1 ? connectTimeoutOfMany : connectTimeout;
  return {
    ...{ client, places },
    timeout: Number(connect_timeout) > 0 ? 1000 * Number(connect_timeout) : defaultTimeout,
    encryption: encryptions[sslmode] ?? [false],
    role: target_session_attrs ?? (places.length > 1 ? 'read-write' : undefined),
  };
}

/** Returns the hosts of an address. If it has none, the client reads `PGHOST` and `PGPORT` from the environment. */
function placesOf({ hosts }: DatabaseAddress, client: ClientConfig): ServerPlace[] {
  if (hosts.length > 0) return hosts.map(createPlace);
  const { host, port } = new Client(client);
  return host.split(',').map((each) => createPlace({ host: each, port }));
}

/** Returns a setting in the form that the start-up parameter `options` requires. */
function settingFlag([name, value]: readonly [string, string | number]): string {
  return `-c ${name}=${String(value).replace(/[\\\s]/g, '\\$&')}`;
}

const unchecked = { rejectUnauthorized: false };

/** The encryption settings of each `sslmode`; docs/operate/postgresql.md explains them. */
const encryptions: Readonly<Record<string, DatabaseTarget['encryption']>> = {
  disable: [false],
  prefer: [unchecked, false],
  allow: [unchecked],
  require: [unchecked],
  'verify-ca': [{}],
  'verify-full': [{}],
};

type OpenOptions = Omit<SessionOptions, 'place' | 'client' | 'timeout'>;

/** Opens a session with a server, encrypted as the address specifies. */
async function openTarget(
  { client, timeout, encryption }: DatabaseTarget,
  place: ServerPlace,
  options: OpenOptions,
): Promise<Session> {
  const isUnix = place.host.startsWith('/');
  const settings = isUnix ? [false] : encryption;
  for (const [index, ssl] of settings.entries()) {
    try {
      return await openSession({ ...options, place, client: { ...client, ssl }, timeout });
    } catch (error) {
      const isFailed = systemErrorCode(error) === 'CONNECT_FAILED';
      if (!isFailed || index === settings.length - 1) throw error;
    }
  }
  throw new Error('No encryption setting is available.');
}

export interface ConnectOptions
  extends TargetOptions,
    Pick<SessionOptions, 'onNotify' | 'onNotice'> {
  /** Shared with other connections to the same servers. */
  readonly ranks?: ServerRanks;
  /** Maximum number of connections. */
  readonly connections: number;
  /** Sends statements without waiting for the results of earlier ones on the same connection; true by default. */
  readonly isPipelined?: boolean;
  /**
   * Never replaces a connection, because locks end with it. By default, connections are replaced after 30 to 60 min.
   */
  readonly isLasting?: boolean;
}

/** A pool of connections to a database. */
export interface SqlPool extends Sql, Pick<Pool, 'begin' | 'end'> {}

/** Maximum number of statements on one connection that wait for a result. @internal */
const maxPipelined = 100;
/** Time after which a connection is replaced, in milliseconds, because the server's processes grow over time. */
const lifetime = 30 * 60_000;

/** Time that a result may take to arrive after the statement time-out, in milliseconds. */
const lateness = 2_000;

/** Time for finding a server and connecting, in addition to the time of a statement, in milliseconds. */
export const roomForConnecting = 3_000;

/** Returns a pool of connections, which are opened when they are needed. */
export function connect(options: ConnectOptions): SqlPool {
  const { connections, statementTimeout, isPipelined = true, isLasting = false } = options;
  const { ranks = new Map(), onNotify, onNotice } = options;
  const target = readTarget(options);
  // The server cancels a statement after the time-out, so a result must have arrived by then.
  const maxSilence =
    statementTimeout === 0 ? Number.POSITIVE_INFINITY : (statementTimeout + lateness) / 1000;

  async function openAt(place: ServerPlace, isLast: boolean): Promise<Session> {
    const session = await openTarget(target, place, {
      ...{ isPipelined, maxSilence, onNotify, onNotice },
    });
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
    depth: isPipelined ? maxPipelined : 1,
    patience:
      statementTimeout === 0 ? Number.POSITIVE_INFINITY : statementTimeout + roomForConnecting,
    leavesReadOnly: [undefined, 'read-write', 'primary'].includes(target.role),
    lifetime: isLasting ? undefined : lifetime,
  });
  return Object.assign(createSql(pool.run), { begin: pool.begin, end: pool.end });
}

/** Returns the result of `work`; rejects with `storage_unavailable` if that takes longer than `milliseconds`. */
export async function within<Result>(
  milliseconds: number,
  work: PromiseLike<Result>,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(unavailable(new Error(`No response within ${milliseconds} ms.`))),
      milliseconds,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
