import { createSecretKey, randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';
import type { User } from './model.js';
import type { TokenStore } from './store.js';

/** What a good token says. */
export interface AccessToken {
  readonly userId: number;
  readonly jti: string;
  /** How often all tokens of the user had been ended when it was issued: it counts while that is so. */
  readonly generation: number;
  /** Seconds since the epoch. */
  readonly issued: number;
  readonly expires: number;
}

export interface TokenOptions {
  readonly secret: string;
  /** Life of a token in seconds. */
  readonly ttl: number;
  readonly clock: Clock;
  readonly store: Pick<TokenStore, 'revoke' | 'holderOf'>;
}

/** Milliseconds for which a token is valid after its renewal, as the answer with the new one may be lost. @bound */
const renewalGrace = 60_000;

const issuer = 'msgsite';
const algorithm = 'HS256';
/** The most verified tokens that are cached. */
const cachedTokens = 10_000;
/** Characters of all cached tokens together; one of ours has about 250. */
const cachedCharacters = 4 * 1024 * 1024;

export type Tokens = ReturnType<typeof createTokens>;

/** Signed access tokens: HS256 and nothing else. */
export function createTokens({ secret, ttl, clock, store }: TokenOptions) {
  // A prepared key: given a string, jsonwebtoken makes a key object of it on every call.
  const key = createSecretKey(Buffer.from(secret));
  const verified = new LRUCache<string, AccessToken>({
    max: cachedTokens,
    maxSize: cachedCharacters,
    sizeCalculation: (_, token) => token.length,
  });
  const seconds = () => Math.floor(clock.now() / 1000);

  /** Signature and claims; what time and revocation change is checked each time. */
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
   * The user of a valid token, asked again: `unauthorized` where it has expired or was revoked, or where the account or
   * all its tokens have ended.
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
    /** What the token says and whose it is; `unauthorized` where it is forged, expired, revoked or no token at all. */
    async verify(text: string): Promise<{ readonly user: User; readonly token: AccessToken }> {
      const token = read(text);
      return { user: await holderOf(token), token };
    },
    holderOf,
    revoke: ({ jti, expires }: AccessToken): Promise<void> => store.revoke(jti, expires * 1000),
    /** Ends a token in a minute; while it is good it may be renewed again. */
    revokeSoon: ({ jti, expires }: AccessToken): Promise<void> =>
      store.revoke(jti, expires * 1000, clock.now() + renewalGrace),
  };
}

/** A name for a token, with its generation in front: `3.<uuid>`, and only `<uuid>` in the first one. */
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
    throw new Error('A claim is missing.');
  }
  return { userId, jti, generation: generationOf(jti), issued: iat, expires: exp };
}

/** One answer for every reason, so that an attacker learns nothing from it. */
export function unauthorized(cause?: unknown): AppError {
  return new AppError('unauthorized', 'Sign in first: this needs a valid access token.', {
    headers: { 'WWW-Authenticate': 'Bearer realm="messaging"' },
    ...(cause === undefined ? {} : { cause }),
  });
}
