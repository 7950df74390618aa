import { createHash, timingSafeEqual } from 'node:crypto';
import { AppError } from '../errors.js';
import type { Authenticator } from './endpoint.js';

/**
 * Guards the admin endpoints with a bearer token; without one they are open, as the contract has it.
 */
export function adminAuthenticator(token: string | undefined): Authenticator {
  if (token === undefined) return { schemes: {}, authenticate: () => undefined };
  const expected = digest(token);
  return {
    schemes: { adminToken: { type: 'http', scheme: 'bearer', description: 'MSGSITE_ADMIN_TOKEN' } },
    authenticate(header) {
      const given = bearerToken(header('authorization'));
      if (given === undefined || !timingSafeEqual(digest(given), expected)) {
        throw new AppError('unauthorized', 'This needs the admin token.', {
          headers: { 'WWW-Authenticate': 'Bearer realm="admin"' },
        });
      }
    },
  };
}

/** The token of an `Authorization: Bearer …` header (RFC 6750; the scheme's case does not matter). */
export function bearerToken(authorization: string): string | undefined {
  return /^Bearer +(\S.*?) *$/i.exec(authorization)?.[1];
}

/** Digests have one length, so comparing them tells nothing of the token's. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
