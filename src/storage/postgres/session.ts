import { Socket } from 'node:net';
import {
  Client,
  type ClientConfig,
  type CustomTypesConfig,
  DatabaseError,
  type QueryArrayResult,
} from 'pg';
import { parseExact } from '../../json/exact-json.js';
import { isDatabaseAway } from './database-errors.js';
import type { Query, Row } from './sql.js';
import { fromStorable } from './sql.js';

export interface Result {
  readonly rows: readonly Row[];
  /** The first word of the server's command tag: `COMMIT`. */
  readonly command: string;
}

/** The result of `pg`: a list if the text contained several statements. */
type Answer = QueryArrayResult | readonly QueryArrayResult[];

/** The address of a database server. */
export interface ServerPlace {
  /** Host and port, for messages. */
  readonly name: string;
  /** A name, an IP address, or the folder of a Unix socket, which begins with a slash. */
  readonly host: string;
  readonly port: number;
}

export interface SessionOptions {
  readonly place: ServerPlace;
  /** User, password, database and settings. */
  readonly client: ClientConfig;
  /** Time after which connecting fails, in milliseconds. */
  readonly timeout: number;
  /** Time without a received byte after which a connection with running statements is lost, in seconds. */
  readonly maxSilence: number;
  /** Sends statements without waiting for the results of earlier ones. */
  readonly isPipelined: boolean;
  /** Receives the payload of each notification. */
  readonly onNotify?: ((payload: string) => void) | undefined;
  /** Receives the text of each notice. */
  readonly onNotice?: ((message: string) => void) | undefined;
}

/** A connection to a server. */
export interface Session {
  readonly place: ServerPlace;
  /** Sends a statement; rejects with `CONNECTION_CLOSED` if the connection is lost before its result has arrived. */
  run(query: Query): Promise<Result>;
  /** Calls `listener` once, when the connection is lost or has been closed. */
  onEnd(listener: () => void): void;
  /** Closes an idle connection. */
  end(): Promise<void>;
  /** Closes the connection immediately. Running statements are rejected. */
  destroy(): void;
}

/** Time until the system checks an idle connection, in seconds. A dead one is closed ten seconds later. */
const keepAlive = 10;
/** Maximum time that the server may take to close a connection, in milliseconds. @internal */
const closeTimeout = 1_000;

/** Connects to a server. Rejects with the server's error, or with a code of `isDatabaseAway`. */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { place, timeout, isPipelined } = options;
  const socket = new Socket();
  const client = new Client({
    ...options.client,
    ...{ host: place.host, port: place.port, stream: () => socket, pipeline: isPipelined },
    ...{ keepAlive: true, keepAliveInitialDelayMillis: 1000 * keepAlive },
    // The declared type expects an overload for every built-in type.
    types: valueParsers as CustomTypesConfig,
  });
  /** The names of the prepared statements, by their text. */
  const names = new Map<string, string>();
  let count = 0;
  let pending = 0;
  let isLost = false;
  let isGathering = false;
  let last: Promise<unknown> = Promise.resolve();
  let onLost = () => {};
  let bytesRead = 0;
  let silence = 0;
  const checking = setInterval(checkSilence, 1_000).unref();

  /**
   * Counts the seconds without a received byte. TCP detects a hanging server or an unplugged cable only after about 15
   * minutes.
   */
  function checkSilence(): void {
    silence = pending > 0 && socket.bytesRead === bytesRead ? silence + 1 : 0;
    bytesRead = socket.bytesRead;
    if (silence < options.maxSilence) return;
    const late = new Error(`No response from ${place.name}.`);
    socket.destroy(Object.assign(late, { code: 'ETIMEDOUT' }));
  }

  function lose(): void {
    if (isLost) return;
    isLost = true;
    clearInterval(checking);
    onLost();
  }

  function destroy(): void {
    lose();
    socket.destroy();
  }

  client.on('error', lose).on('end', lose);
  client.on('notification', ({ payload = '' }) => options.onNotify?.(payload));
  client.on('notice', ({ message = '' }) => options.onNotice?.(message));
  await connect();

  async function connect(): Promise<void> {
    const late = Object.assign(new Error(`connect CONNECT_TIMEOUT ${place.name}`), {
      code: 'CONNECT_TIMEOUT',
    });
    const timer = setTimeout(() => socket.destroy(late), timeout);
    try {
      await client.connect();
    } catch (error) {
      destroy();
      if (error instanceof DatabaseError || isDatabaseAway(error)) throw error;
      throw withCode('CONNECT_FAILED', error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Returns the name of a prepared statement. */
  function nameOf(text: string): string {
    let name = names.get(text);
    if (name === undefined) {
      count += 1;
      name = `s${count}`;
      names.set(text, name);
    }
    return name;
  }

  /** Writes the statements of one turn of the event loop in a single system call. */
  function gather(): void {
    if (isGathering) return;
    isGathering = true;
    socket.cork();
    setImmediate(() => {
      isGathering = false;
      socket.uncork();
    });
  }

  function send({ text, values, isPrepared }: Query): Promise<Result> {
    gather();
    return new Promise((resolve, reject) => {
      const name = isPrepared ? { name: nameOf(text) } : {};
      const config = { ...name, text, values: [...values], rowMode: 'array' as const };
      client.query(config, (error: Error | undefined, answer: Answer) => {
        if (!error) return resolve(resultOf(answer));
        if (endsSession(error)) destroy();
        // A migration changed the columns, or parsing the statement failed. The next call sends its text again.
        if (isOutdated(error)) names.delete(text);
        reject(isLost && !hasCode(error) ? withCode('CONNECTION_CLOSED', error) : error);
      });
    });
  }

  async function run(query: Query): Promise<Result> {
    pending += 1;
    try {
      if (isPipelined) return await send(query);
      const answer = last.then(() => send(query));
      last = answer.catch(() => {});
      return await answer;
    } finally {
      pending -= 1;
    }
  }

  return {
    place,
    run,
    onEnd(listener) {
      onLost = listener;
      if (isLost) listener();
    },
    async end() {
      lose();
      const timer = setTimeout(() => socket.destroy(), closeTimeout);
      await client.end();
      clearTimeout(timer);
    },
    destroy,
  };
}

/** Returns the rows of the last statement, with column names in camelCase. */
function resultOf(answer: Answer): Result {
  const last = 'rows' in answer ? answer : answer.at(-1);
  if (!last) return { rows: [], command: '' };
  const names = last.fields.map(({ name }) =>
    name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
  );
  const rows = last.rows.map((values) => {
    const row: Record<string, unknown> = {};
    for (const [index, name] of names.entries()) row[name] = values[index];
    return row;
  });
  return { rows, command: last.command };
}

/** Returns whether the server's plan for a statement is outdated, or the server has no such statement. */
export function isOutdated(error: unknown): boolean {
  return (
    error instanceof DatabaseError &&
    (error.code === '26000' || error.routine === 'RevalidateCachedQuery')
  );
}

/** Returns whether the server ends the session because it shuts down, or a transaction was idle or too slow. */
function endsSession(error: Error): boolean {
  return error instanceof DatabaseError && /^(57P|25P0[34])/.test(error.code ?? '');
}

function hasCode(error: Error): boolean {
  return 'code' in error && error.code !== undefined;
}

function withCode(code: string, cause: unknown): Error {
  const message = cause instanceof Error ? cause.message : String(cause);
  return Object.assign(new Error(message, { cause }), { code });
}

type Parse = (text: string) => unknown;

/**
 * Parsers of PostgreSQL's types, by the type's OID. 64-bit integers become numbers (IDs are far below 2^53), times
 * become ISO 8601 in UTC with milliseconds, bytes become hex digits, and integers in JSON keep every digit.
 */
const parsers = new Map<number, Parse>([
  [16, (text) => text === 't'],
  [17, (text) => text.slice(2)],
  [20, Number],
  [21, Number],
  [23, Number],
  [25, fromStorable],
  [26, Number],
  [114, parseExact],
  [700, Number],
  [701, Number],
  [1184, (text) => new Date(text).toISOString()],
]);

/** The parsers of a client. Values of all other types remain strings. */
const valueParsers = {
  getTypeParser: (type: number): Parse => parsers.get(type) ?? String,
};
