import postgres from '#postgres';
import { parseExact, stringifyExact } from '../../json/exact-json.js';
import { fromStorable, toStorable } from './storable-text.js';

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
  /** `postgres://user:password@host:port/name?sslmode=…` */
  readonly url: string;
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

/** Seconds until an attempt to connect counts as failed. */
const connectTimeout = 5;

/** A pool of connections, opened when they are needed. */
export function connect(options: ConnectOptions): Sql {
  const { url, connections, statementTimeout, applicationName, session, onNotify } = options;
  const { isLasting = false } = options;
  return postgres<typeof types>(url, {
    max: connections,
    connect_timeout: connectTimeout,
    backoff: secondsToNextAttempt,
    onnotice: (notice) => options.onNotice?.(notice),
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
  }) as Sql;
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
