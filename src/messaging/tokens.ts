import { createSecretKey, randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';
import type { User } from './model.js';
import type { TokenStore } from './store.js';

/** The claims of a valid token. */
export interface AccessToken {
  readonly userId: number;
  readonly jti: string;
  /**
   * How often all of the user's tokens had been revoked when this one was issued. It is valid until that happens again.
   */
  readonly generation: number;
  /** Seconds since the epoch. */
  readonly issued: number;
  readonly expires: number;
}

export interface TokenOptions {
  readonly secret: string;
  /** Lifetime of a token in seconds. */
  readonly ttl: number;
  readonly clock: Clock;
  readonly store: Pick<TokenStore, 'revoke' | 'holderOf'>;
}

/**
 * Time after its renewal for which a token remains valid, in milliseconds. The response with the new token may be lost.
 * @bound
 */
const renewalGrace = 60_000;

const issuer = 'msgsite';
const algorithm = 'HS256';
/** Maximum number of cached tokens. */
const cachedTokens = 10_000;
/** Maximum length of all cached tokens together, in characters. A token has about 250. */
const cachedCharacters = 4 * 1024 * 1024;

export type Tokens = ReturnType<typeof createTokens>;

/** Issues and verifies access tokens. Only HS256 is accepted. */
export function createTokens({ secret, ttl, clock, store }: TokenOptions) {
  // With a string, jsonwebtoken would create a key object on every call.
  const key = createSecretKey(Buffer.from(secret));
  const verified = new LRUCache<string, AccessToken>({
    max: cachedTokens,
    maxSize: cachedCharacters,
    sizeCalculation: (_, token) => token.length,
  });
  const seconds = () => Math.floor(clock.now() / 1000);

  /** Verifies the signature and the claims. `holderOf` checks expiry and revocation on every request. */
  function read(token: string): AccessToken {
    const known = verified.get(token);
    if (known) return known;
    try {
      const claims = jwt.verify(token, key, {
        algorithms: [algorithm],
        issuer,
        clockTimestamp: seconds(),
      });
      const access = accessOf(claims);
      verified.set(token, access);
      return access;
    } catch (cause) {
      throw unauthorized(cause);
    }
  }

  /**
   * Returns the user of a verified token. Throws `unauthorized` if the token has expired or was revoked, or if the
   * account is deleted.
   */
  async function holderOf({
    expires,
    jti,
    issued,
    userId,
    generation,
  }: AccessToken): Promise<User> {
    if (expires <= seconds()) throw unauthorized();
    const user = await store.holderOf({ jti, userId, issued: issued * 1000 });
    if (!user || user.deleted || (user.sessions ?? 0) !== generation) throw unauthorized();
    return user;
  }

  return {
    issue({ id, sessions = 0 }: Pick<User, 'id' | 'sessions'>): string {
      const now = seconds();
      const claims = { sub: String(id), jti: makeJti(sessions), iat: now, exp: now + ttl };
      return jwt.sign({ ...claims, iss: issuer }, key, { algorithm });
    },
    /** Returns the claims and the user of a token. Throws `unauthorized` if it is invalid, expired or revoked. */
    async verify(text: string): Promise<{ readonly user: User; readonly token: AccessToken }> {
      const token = read(text);
      return { user: await holderOf(token), token };
    },
    holderOf,
    revoke: ({ jti, expires }: AccessToken): Promise<void> => store.revoke(jti, expires * 1000),
    /** Revokes a token after a minute. Until then, it can be renewed again. */
    revokeSoon: ({ jti, expires }: AccessToken): Promise<void> =>
      store.revoke(jti, expires * 1000, clock.now() + renewalGrace),
  };
}

/** Returns a unique token ID: `<uuid>` in generation 0, otherwise `<generation>.<uuid>`. */
function makeJti(generation: number): string {
  return generation === 0 ? randomUUID() : `${generation}.${randomUUID()}`;
}

function generationOf(jti: string): number {
  return Number(/^(\d{1,15})\./.exec(jti)?.[1] ?? 0);
}

function accessOf(claims: string | jwt.JwtPayload): AccessToken {
  const { sub, jti, iat, exp } = typeof claims === 'string' ? {} : claims;
  const userId = Number(sub);
  const hasTimes = typeof iat === 'number' && typeof exp === 'number';
  if (!Number.isSafeInteger(userId) || typeof jti !== 'string' || !hasTimes) {
    throw new Error('The token lacks a required claim.');
  }
  return { userId, jti, generation: generationOf(jti), issued: iat, expires: exp };
}

/** Returns the same error in every case, so that it reveals nothing to an attacker. */
export function unauthorized(cause?: unknown): AppError {
  return new AppError('unauthorized', 'A valid access token is required. Sign in first.', {
    headers: { 'WWW-Authenticate': 'Bearer realm="messaging"' },
    ...(cause === undefined ? {} : { cause }),
  });
}
