import postgres from 'postgres';
import { fromStorable, toStorable } from './storable-text.js';

/** Types beyond the client's own: 64-bit integers are numbers here (ids stay far below 2^53). */
interface OwnTypes extends Record<string, postgres.PostgresType> {
  readonly bigint: postgres.PostgresType<number>;
  readonly text: postgres.PostgresType<string>;
}

interface TypeValues extends Record<string, unknown> {
  readonly bigint: number;
  readonly text: string;
}

/** Tagged templates that become statements; values in them are always parameters. */
export type Sql = postgres.Sql<TypeValues>;
export type TransactionSql = postgres.TransactionSql<TypeValues>;

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
}

/** Seconds until an attempt to connect counts as failed. */
const connectTimeout = 5;

/** A pool of connections, opened when they are needed. */
export function connect(options: ConnectOptions): Sql {
  const { url, connections, statementTimeout, applicationName, session, onNotify } = options;
  const { isLasting = false } = options;
  return postgres<OwnTypes>(url, {
    max: connections,
    connect_timeout: connectTimeout,
    backoff: secondsToNextAttempt,
    onnotice() {},
    ...(isLasting ? { max_lifetime: null } : {}),
    ...(onNotify ? { onnotify: onNotify } : {}),
    connection: {
      application_name: applicationName,
      // Milliseconds. A process that stops in a transaction must not hold its locks for ever.
      statement_timeout: statementTimeout,
      idle_in_transaction_session_timeout: 2 * statementTimeout,
      ...session,
    },
    types: {
      bigint: { to: 20, from: [20], serialize: String, parse: Number },
      text: { to: 25, from: [25], serialize: toStorable, parse: fromStorable },
    },
  }) as Sql;
}

/** Seconds to the next attempt to connect: 0.1, 0.2, 0.4 … 2, each shortened by chance. */
function secondsToNextAttempt(failures: number): number {
  return Math.min(2, 0.05 * 2 ** Math.min(failures, 10)) * (0.5 + Math.random() / 2);
}

/** The type `json`, which keeps its text as it is; `jsonb` refuses the character U+0000. */
const jsonType = 114;

/** A value for a column of the type `json`. */
export function jsonParameter(sql: Sql | TransactionSql, value: unknown) {
  // The client's types ask for what its own types take; a value of JSON is all that is taken here.
  return sql.typed(value as string, jsonType);
}
