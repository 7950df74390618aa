import { Client, type ClientConfig } from 'pg';
import { type DatabaseAddress, parseDatabaseAddress } from '../../base/database-address.js';
import { systemErrorCode } from '../../base/errors.js';
import { createPlace } from './servers.js';
import { openSession, type Place, type Session, type SessionOptions } from './session.js';

/** Milliseconds until an attempt to connect fails if there is one server. */
const connectTimeout = 5_000;
/** Milliseconds for each of several servers, so that one that hangs leaves time for the others. */
const connectTimeoutOfMany = 3_000;

/** A database: where its servers are and how to connect to them. */
export interface Target {
  readonly places: readonly Place[];
  readonly client: ClientConfig;
  /** Milliseconds until connecting to one place fails. */
  readonly timeout: number;
  /** Ways to encrypt, tried in order until one works. */
  readonly encryption: readonly NonNullable<ClientConfig['ssl']>[];
  /** A value of `target_session_attrs`; undefined if any server is accepted. */
  readonly role: string | undefined;
}

export interface TargetOptions {
  /** `postgres://user:password@host:port,host:port/name?sslmode=…` */
  readonly url: string;
  /** The database ends a statement that takes longer, in milliseconds; 0 = never. */
  readonly statementTimeout: number;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  /** Settings of each session beyond the time-outs. */
  readonly session?: Readonly<Record<string, string>> | undefined;
}

/** Reads an address. Throws if it is not an address of PostgreSQL. */
export function readTarget(options: TargetOptions): Target {
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
    // A process that stops in a transaction must not hold its locks for ever.
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
  const usual = places.length > 1 ? connectTimeoutOfMany : connectTimeout;
  return {
    ...{ client, places },
    timeout: Number(connect_timeout) > 0 ? 1000 * Number(connect_timeout) : usual,
    encryption: encryptions[sslmode] ?? [false],
    role: target_session_attrs ?? (places.length > 1 ? 'read-write' : undefined),
  };
}

/** The hosts of an address; without any, those of the environment (`PGHOST`, `PGPORT`), which the client reads. */
function placesOf({ hosts }: DatabaseAddress, client: ClientConfig): Place[] {
  if (hosts.length > 0) return hosts.map(createPlace);
  const { host, port } = new Client(client);
  return host.split(',').map((each) => createPlace({ host: each, port }));
}

/** Returns a setting in the form that the start-up parameter `options` requires. */
function settingFlag([name, value]: readonly [string, string | number]): string {
  return `-c ${name}=${String(value).replace(/[\\\s]/g, '\\$&')}`;
}

const unchecked = { rejectUnauthorized: false };

/** The ways to encrypt of each `sslmode`; docs/operate/postgresql.md explains them. */
const encryptions: Readonly<Record<string, Target['encryption']>> = {
  disable: [false],
  prefer: [unchecked, false],
  allow: [unchecked],
  require: [unchecked],
  'verify-ca': [{}],
  'verify-full': [{}],
};

type OpenOptions = Omit<SessionOptions, 'place' | 'client' | 'timeout'>;

/** Opens a session at a place, encrypted as the address says. */
export async function openTarget(
  { client, timeout, encryption }: Target,
  place: Place,
  options: OpenOptions,
): Promise<Session> {
  const isUnix = place.host.startsWith('/');
  const ways = isUnix ? [false] : encryption;
  for (const [index, ssl] of ways.entries()) {
    try {
      return await openSession({ ...options, place, client: { ...client, ssl }, timeout });
    } catch (error) {
      const isRefused = systemErrorCode(error) === 'CONNECT_FAILED';
      if (!isRefused || index === ways.length - 1) throw error;
    }
  }
  throw new Error('There is no way to connect.');
}
