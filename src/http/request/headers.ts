import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../base/errors.js';

/** Maximum size of all headers of a request, in bytes. Node.js rejects larger ones with 431. */
export const maxHeadersBytes = 16_384;

/**
 * Maximum length of each header that handlers read, in characters. Other headers may be as long as all headers
 * together.
 */
const longest: Readonly<Record<string, number>> = {
  'Idempotency-Key': 255,
  'X-Profile-Id': 15,
  'X-Token-SN': 500,
  'X-Vtoken-Secret': 8_000,
};

/** Returns the maximum length of a header, in characters. */
export function maxHeaderLength(name: string): number {
  return longest[name] ?? maxHeadersBytes;
}

/** Throws `validation_failed` if a declared header of a request is too long. */
export function assertHeaders(names: readonly string[], headers: IncomingHttpHeaders): void {
  const lengthOf = (name: string) => headers[name.toLowerCase()]?.length ?? 0;
  const tooLong = names.filter((name) => lengthOf(name) > maxHeaderLength(name));
  if (tooLong.length === 0) return;
  throw new AppError('validation_failed', 'A header has a value that is not allowed.', {
    details: tooLong.map((name) => ({
      path: `/${name}`,
      message: `must have at most ${maxHeaderLength(name)} characters`,
    })),
  });
}

const scheme = 'bearer ';

/**
 * Returns the token of an `Authorization: Bearer …` header (RFC 6750; the case of the scheme is ignored). Callers are
 * not authenticated yet, so this does not use a regular expression, which many spaces could slow down.
 */
export function bearerToken(authorization: string): string | undefined {
  if (authorization.slice(0, scheme.length).toLowerCase() !== scheme) return undefined;
  return authorization.slice(scheme.length).trim() || undefined;
}
