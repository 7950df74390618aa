import { AppError, systemErrorCode } from '../../base/errors.js';

/**
 * SQLSTATE classes and codes of a database that cannot work at this moment and may later: connection
 * lost (08), resources used up (53), shutting down or starting (57P), cancelled by the statement
 * time-out (57014), closed to connections (55000), no lock in time (55P03), read-only since it is a
 * standby (25006), ended as its transaction rested or lasted too long (25P03, 25P04), serialization and
 * deadlock victims (40), its disk (58).
 */
const passing = /^(08|53|57P|57014|55000|55P03|25006|25P0[34]|40|58)/;

/** Connections that failed, as `session.ts` and `pool.ts` name it and as the system does. */
const connectionFaults = new Set([
  'CONNECT_FAILED',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'QUEUE_TIMEOUT',
  'WRONG_SERVER_ROLE',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);

/** Whether the database is away, overloaded or stopping, and the same may work later. */
export function isDatabaseAway(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && (connectionFaults.has(code) || passing.test(code));
}

/** Address, name, user or password are wrong: waiting will not help. */
export function isRefusedByDatabase(error: unknown): boolean {
  return /^(28|3D)/.test(codeOf(error) ?? '');
}

/**
 * The same, or what waiting will not give either: rights (42501), or a setting in the address that the server does not
 * have (42704), not with this value (22023), or does not let a client change (55P02).
 */
export function isRefusedForGood(error: unknown): boolean {
  return (
    isRefusedByDatabase(error) ||
    lacksRights(error) ||
    /^(42704|22023|55P02)$/.test(codeOf(error) ?? '')
  );
}

/** The role may not do this: its rights were taken away, or were never given. */
export function lacksRights(error: unknown): boolean {
  return codeOf(error) === '42501';
}

/** Schema or table are not there: another database stands at the address, one that is being restored for instance. */
function isReplaced(error: unknown): boolean {
  return /^(3F000|42P01)$/.test(codeOf(error) ?? '');
}

/** A failure of the database as an `AppError`; other errors are given back unchanged. */
export function databaseError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  if (isDatabaseAway(error) || isRefusedByDatabase(error) || isReplaced(error)) {
    return unavailable(error);
  }
  if (lacksRights(error)) return rightsMissing(error);
  return error;
}

const runsHint = 'Check that PostgreSQL runs and accepts connections at the --database address.';

export const rightsHint =
  'Give the role of --database the rights to make, read and change the schema msgsite';

/** The refusal of work that the role may not do. */
export function rightsMissing(cause: unknown): AppError {
  return unavailable(cause, `${rightsHint}: ${cause instanceof Error ? cause.message : cause}.`);
}

/** The refusal of work that needs the database while there is none. */
export function unavailable(cause: unknown, hint = runsHint): AppError {
  return new AppError('storage_unavailable', 'The database is not available. Try again later.', {
    headers: { 'Retry-After': '5' },
    hint,
    cause,
  });
}

/** Whether an error says that the database is away, or too slow. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'storage_unavailable';
}

function codeOf(error: unknown): string | undefined {
  // Several addresses of one name were tried: the first failure is enough.
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return systemErrorCode(error);
}
