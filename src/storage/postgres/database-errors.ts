import { AppError, systemErrorCode } from '../../base/errors.js';

/**
 * SQLSTATE classes and codes of temporary faults: connection lost (08), insufficient resources (53), shutting down or
 * starting (57P), cancelled by the statement time-out (57014), closed to connections (55000), lock not available
 * (55P03), read-only because it is a standby (25006), transaction idle or open for too long (25P03, 25P04),
 * serialization failure or deadlock (40), disk (58).
 */
const passing = /^(08|53|57P|57014|55000|55P03|25006|25P0[34]|40|58)/;

/** Codes of failed connections, from `session.ts`, `pool.ts` and the system. */
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

/** Returns whether the database is unreachable, overloaded or stopping, so a retry may succeed. */
export function isDatabaseAway(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && (connectionFaults.has(code) || passing.test(code));
}

/** Returns whether the server rejected the database name, the user or the password, so a retry cannot succeed. */
export function isRefusedByDatabase(error: unknown): boolean {
  return /^(28|3D)/.test(codeOf(error) ?? '');
}

/**
 * Returns whether a retry cannot succeed because the login was rejected, privileges are missing (42501), or a setting
 * in the address is unknown (42704), has an invalid value (22023) or cannot be changed by a client (55P02).
 */
export function isPermanent(error: unknown): boolean {
  return (
    isRefusedByDatabase(error) ||
    lacksRights(error) ||
    /^(42704|22023|55P02)$/.test(codeOf(error) ?? '')
  );
}

/** Returns whether the role lacks the privileges for a statement. */
export function lacksRights(error: unknown): boolean {
  return codeOf(error) === '42501';
}

/** Returns whether the schema or a table is missing, for example while the database is being restored. */
function isReplaced(error: unknown): boolean {
  return /^(3F000|42P01)$/.test(codeOf(error) ?? '');
}

/** Returns a failure of the database as an `AppError`, and other errors unchanged. */
export function databaseError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  if (isDatabaseAway(error) || isRefusedByDatabase(error) || isReplaced(error)) {
    return unavailable(error);
  }
  if (lacksRights(error)) return rightsMissing(error);
  return error;
}

const runsHint =
  'Check that PostgreSQL is running and accepts connections at the --database address.';

export const rightsHint =
  'Grant the role of --database the privileges to create, read and change the schema msgsite';

/** Returns the error for an operation for which the role lacks privileges. */
export function rightsMissing(cause: unknown): AppError {
  return unavailable(cause, `${rightsHint}: ${cause instanceof Error ? cause.message : cause}.`);
}

/** Returns the error for an operation that failed because the database is unavailable. */
export function unavailable(cause: unknown, hint = runsHint): AppError {
  return new AppError('storage_unavailable', 'The database is not available. Try again later.', {
    headers: { 'Retry-After': '5' },
    hint,
    cause,
  });
}

/** Returns whether an error means that the database is unavailable or too slow. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'storage_unavailable';
}

function codeOf(error: unknown): string | undefined {
  // Several addresses of one host name were tried. The first failure is enough.
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return systemErrorCode(error);
}
