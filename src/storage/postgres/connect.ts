import postgres from '#postgres';
import { parseDatabaseAddress } from '../../base/database-address.js';
import { parseExact, stringifyExact } from '../../json/exact-json.js';
import { askPlace } from './ask-place.js';
import { createPlace, createServerRanks, createServers, type ServerRanks } from './servers.js';
import { fromStorable, toStorable } from './storable-text.js';
import { createWatchdog } from './watchdog.js';

/** The type `json`, which keeps its text as it is; `jsonb` refuses the character U+0000. */
const jsonType = 114;

/**
 * Values as records keep them: 64-bit integers are numbers (ids stay far below 2^53), times are ISO 8601
 * in UTC with milliseconds, bytes are hex digits, and integers in JSON keep every digit.
 */
const types = {
  bigint: { to: 20, from: [20], serialize: String, parse: Number },
  text: { to: 25, from: [25], serialize: toStorable, parse: fromStorable },
  date: {
    to: 1184,
    from: [1184],
    serialize: (time: Date | string) => new Date(time).toISOString(),
    parse: (text: string) => new Date(text).toISOString(),
  },
  bytea: {
    to: 17,
    from: [17],
    serialize: (hex: string) => `\\x${hex}`,
    parse: (text: string) => text.slice(2),
  },
  exactJson: {
    to: jsonType,
    from: [jsonType],
    serialize: (value: unknown) => stringifyExact(value),
    parse: parseExact,
  },
};

interface TypeValues extends Record<string, unknown> {
  readonly bigint: number;
  readonly text: string;
  readonly date: Date | string;
  readonly bytea: string;
  readonly exactJson: unknown;
}

/**
 * Tagged templates that become statements; values in them are always parameters. Columns have names in
 * camelCase here (`owner_id` is `ownerId`), both in rows that are read and in objects that are written.
 */
export type Sql = postgres.Sql<TypeValues>;
export type TransactionSql = postgres.TransactionSql<TypeValues>;
/** Inside a transaction or not. */
export type AnySql = Sql | TransactionSql;

export interface ConnectOptions {
  /** `postgres://user:password@host:port,host:port/name?sslmode=…` */
  readonly url: string;
  /** What other connections to the same servers have found out about them. */
  readonly ranks?: ServerRanks;
  /** Most connections at once. */
  readonly connections: number;
  /** The database ends a statement that takes longer, in milliseconds. */
  readonly statementTimeout: number;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  /** Settings of each session beyond the time-outs. */
  readonly session?: Readonly<Record<string, string>>;
  /** Keeps a connection for good, for locks that end with it; else it is renewed after half an hour or so. */
  readonly isLasting?: boolean;
  onNotify?(channel: string, payload: string): void;
  /** What the server says besides its answers; nobody by default. */
  onNotice?(notice: postgres.Notice): void;
}

/** Milliseconds until an attempt to connect fails if there is one server. */
const connectTimeout = 5_000;
/** Milliseconds for each of several servers, so that one that hangs leaves time for the others. */
const connectTimeoutOfMany = 3_000;
/** Seconds until a connection that rests is checked; ten seconds later one that is dead is closed. */
const keepAlive = 10;

/** A pool of connections, opened when they are needed. */
export function connect(options: ConnectOptions): Sql {
  const { url, connections, statementTimeout, applicationName, session, onNotify } = options;
  const { isLasting = false, ranks = createServerRanks() } = options;
  const { address, places, timeout } = clientAddress(url);
  const watchdog = createWatchdog({
    ask: (place) => askPlace(address, place),
    statementTimeout,
    onSilent: ranks.isSilent,
  });
  const settings = {
    // The mended client's own: docs/decisions/0025.
    socket: createServers(ranks, { places, timeout, onSocket: watchdog.watch }),
    queue_timeout: statementTimeout === 0 ? 0 : statementTimeout + roomForConnecting,
    max: connections,
    connect_timeout: timeout / 1000,
    keep_alive: keepAlive,
    backoff: secondsToNextAttempt,
    onnotice: (notice: postgres.Notice) => options.onNotice?.(notice),
    ...(isLasting ? { max_lifetime: null } : {}),
    ...(onNotify ? { onnotify: onNotify } : {}),
    connection: {
      application_name: applicationName,
      // Milliseconds. A process that stops in a transaction must not hold its locks for ever.
      statement_timeout: statementTimeout,
      idle_in_transaction_session_timeout: 2 * statementTimeout,
      ...session,
    },
    types,
    transform: { column: { from: postgres.toCamel, to: postgres.fromCamel }, undefined: null },
  };
  return postgres<typeof types>(address, settings) as Sql;
}

/** Milliseconds that finding a server and connecting may take on top of a statement's own time. */
export const roomForConnecting = 3_000;

/**
 * The address as the client takes it: of its own reading of several hosts nothing is used, which knows neither IPv6
 * addresses nor sockets. Without hosts it takes those of the environment.
 */
function clientAddress(url: string) {
  const { protocol, user, password, hosts, path, parameters } = parseDatabaseAddress(url);
  const login = [user, password].map(encodeURIComponent).join(':');
  const query = parameters.size > 0 ? `?${parameters}` : '';
  const given = Number(parameters.get('connect_timeout'));
  const usual = hosts.length > 1 ? connectTimeoutOfMany : connectTimeout;
  return {
    address: `${protocol}//${login === ':' ? '' : `${login}@`}${hosts.length > 0 ? 'server' : ''}${path}${query}`,
    places: hosts.map(createPlace),
    timeout: given > 0 ? given * 1000 : usual,
  };
}

/** Seconds to the next attempt to connect: 0.1, 0.2, 0.4 … 2, each shortened by chance. */
function secondsToNextAttempt(failures: number): number {
  return Math.min(2, 0.05 * 2 ** Math.min(failures, 10)) * (0.5 + Math.random() / 2);
}

/** A value for a column of the type `json`. */
export function jsonParameter(sql: AnySql, value: unknown) {
  // The client's types ask for what its own types take; a value of JSON is all that is taken here.
  return sql.typed(value as string, jsonType);
}
