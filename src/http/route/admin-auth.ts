import { createHash, timingSafeEqual } from 'node:crypto';
import { addressKey } from '../../base/addresses.js';
import { AppError } from '../../base/errors.js';
import type { RateLimiter, RateLimitRule } from '../../base/rate-limit.js';
import type { Authenticator } from './endpoint.js';

/** Wrong admin tokens from one address; beyond, the right one is refused too, so that it cannot be guessed. */
const wrongTokens: RateLimitRule = { name: 'wrong admin tokens', amount: 10, periodSeconds: 60 };

/**
 * Guards the admin endpoints with a bearer token. If none is set, they are open, as the contract says. A request
 * without a token is not a guess and does not count.
 */
export function adminAuthenticator(token: string | undefined, limiter: RateLimiter): Authenticator {
  if (token === undefined) return { schemes: {}, authenticate: () => undefined };
  const expected = digest(token);
  return {
    schemes,
    errors: ['rate_limited'],
    async authenticate(header, address) {
      const given = bearerToken(header('authorization'));
      if (given === undefined) throw refusal();
      const key = addressKey(address);
      if (timingSafeEqual(digest(given), expected)) return limiter.check(wrongTokens, key);
      await limiter.take(wrongTokens, key);
      throw refusal();
    },
  };
}

/** Guards the endpoints about people like the admin endpoints, but refuses every request if no token is set. */
export function operatorAuthenticator(
  token: string | undefined,
  limiter: RateLimiter,
): Authenticator {
  if (token !== undefined) return adminAuthenticator(token, limiter);
  return {
    schemes,
    authenticate() {
      throw refusal('No token is set: set MSGSITE_ADMIN_TOKEN and restart the service.');
    },
  };
}

const schemes = {
  adminToken: { type: 'http', scheme: 'bearer', description: 'MSGSITE_ADMIN_TOKEN' },
} as const;

function refusal(more?: string): AppError {
  const message = ['This needs the admin token.', more].filter(Boolean).join(' ');
  return new AppError('unauthorized', message, {
    headers: { 'WWW-Authenticate': 'Bearer realm="admin"' },
  });
}

const scheme = 'bearer ';

/**
 * Returns the token of an `Authorization: Bearer …` header (RFC 6750; the scheme's case does not matter). It uses no
 * regular expression, because anybody may send a header with thousands of spaces.
 */
export function bearerToken(authorization: string): string | undefined {
  if (authorization.slice(0, scheme.length).toLowerCase() !== scheme) return undefined;
  return authorization.slice(scheme.length).trim() || undefined;
}

/** Returns a digest. All digests have one length, so comparing them does not reveal the token's length. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
