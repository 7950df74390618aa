import { type DatabaseHost, writeHost } from '../../base/database-address.js';
import { systemErrorCode } from '../../base/errors.js';
import { isDatabaseAway, isRefusedByDatabase } from './database-errors.js';
import type { ServerPlace, Session } from './session.js';

/** PostgreSQL's default port. */
const defaultPort = 5432;

export function createPlace({ host, port = defaultPort }: DatabaseHost): ServerPlace {
  return { name: writeHost(host, port), host, port };
}

/** The result of the last attempt to use a server. Servers with lower numbers are preferred. */
const standing = { works: 0, unknown: 1, refuses: 2, silent: 3 };

/** The last result of each server, by its name. All connections to a database share it. */
export type ServerRanks = Map<string, number>;

interface Fault {
  readonly place: ServerPlace;
  readonly error: unknown;
}

/**
 * Opens a session with the first usable server, in order of their last results. If none is usable, rejects with the
 * error of a single server, or with an error whose message lists the errors of all servers. `isLast` is true for the
 * last server.
 */
export async function openAtBest(
  places: readonly ServerPlace[],
  ranks: ServerRanks,
  open: (place: ServerPlace, isLast: boolean) => Promise<Session>,
): Promise<Session> {
  const faults: Fault[] = [];
  const rankOf = ({ name }: ServerPlace) => ranks.get(name) ?? standing.unknown;
  const best = [...places].sort((a, b) => rankOf(a) - rankOf(b));
  for (const [index, place] of best.entries()) {
    try {
      const session = await open(place, index === best.length - 1);
      ranks.set(place.name, standing.works);
      return session;
    } catch (error) {
      // Other servers would also reject the password or the name.
      if (isRefusedByDatabase(error) || !isDatabaseAway(error)) throw error;
      const isSilent = systemErrorCode(error) === 'CONNECT_TIMEOUT';
      ranks.set(place.name, isSilent ? standing.silent : standing.refuses);
      faults.push({ place, error });
    }
  }
  throw faultOfAll(faults);
}

function faultOfAll(faults: readonly Fault[]): unknown {
  const [first] = faults;
  if (faults.length < 2) return first?.error;
  const texts = faults.map(({ place, error }) => `${place.name}: ${messageOf(error)}`);
  return Object.assign(new Error(texts.join('; ')), { code: systemErrorCode(first?.error) });
}

function messageOf(error: unknown): string {
  // Several addresses of one name were attempted. The first failure is sufficient.
  if (error instanceof AggregateError) return messageOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

/** The current role of a server. */
interface Role {
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
}

/**
 * The roles that each value of `target_session_attrs` accepts. As in PostgreSQL's client programs, a standby is never
 * read-write.
 */
const accepted: Readonly<Record<string, (role: Role, isLast: boolean) => boolean>> = {
  'read-write': ({ isStandby, isReadOnly }) => !isStandby && !isReadOnly,
  'read-only': ({ isStandby, isReadOnly }) => isStandby || isReadOnly,
  primary: ({ isStandby }) => !isStandby,
  standby: ({ isStandby }) => isStandby,
  'prefer-standby': ({ isStandby }, isLast) => isStandby || isLast,
};

/** Rejects with `WRONG_SERVER_ROLE` if the server does not have the role that `target_session_attrs` requires. */
export async function assertRole(
  session: Session,
  required: string | undefined,
  isLast: boolean,
): Promise<void> {
  if (required === undefined || required === 'any') return;
  const { rows } = await session.run({
    text: `select pg_is_in_recovery() as is_standby,
      current_setting('transaction_read_only') = 'on' as is_read_only`,
    values: [],
    isPrepared: false,
  });
  const [role] = rows as unknown as readonly Role[]; // The statement selects these columns.
  if (role && accepted[required]?.(role, isLast)) return;
  throw Object.assign(new Error(`the server is not ${required}`), { code: 'WRONG_SERVER_ROLE' });
}
