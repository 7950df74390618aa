import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../base/errors.js';

/** Bytes of all headers of a request; Node.js refuses more with 431. */
export const maxHeadersBytes = 16_384;

/** The most characters of each header that handlers read; other headers may be as long as all headers together. */
const longest: Readonly<Record<string, number>> = {
  'Idempotency-Key': 255,
  'X-Profile-Id': 15,
  'X-Token-SN': 500,
  'X-Vtoken-Secret': 8_000,
};

/** Returns the most characters of a header. */
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
 * not authenticated yet, so no regular expression is used that many spaces could slow down.
 */
export function bearerToken(authorization: string): string | undefined {
  if (authorization.slice(0, scheme.length).toLowerCase() !== scheme) return undefined;
  return authorization.slice(scheme.length).trim() || undefined;
}
