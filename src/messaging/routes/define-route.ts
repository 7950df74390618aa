import type * as schema from '#validators/messaging';
import type { Actor } from '../../base/audit.js';
import type { RateLimiter } from '../../base/rate-limit.js';
import { bearerToken } from '../../http/request/headers.js';
import type { ConcurrencyLimit } from '../../http/route/concurrency-limit.js';
import type { Authenticator } from '../../http/route/endpoint.js';
import { routesOf } from '../../http/route/route.js';
import type { Messaging } from '../messaging.js';
import type { User } from '../model.js';
import { type AccessToken, type Tokens, unauthorized } from '../tokens.js';
import type { Views } from '../views.js';
import type { PageRoom } from './paging.js';

/** The services that all routes of messaging share. */
export interface RouteContext extends Omit<Messaging, 'close'> {
  readonly views: Views;
  readonly rateLimiter: RateLimiter;
  /** Limits the pages and lists that are read for and sent to each user concurrently. */
  readonly reads: ConcurrencyLimit;
  readonly room: PageRoom;
}

/** Declares a route of messaging; `auth` can require a signed-in user or the operator. */
export const defineRoute = routesOf<typeof schema, { user: Principal; operator: Actor }>();

/** The signed-in user, with the access token of the request. */
export interface Principal {
  /** The key of per-user limits. */
  readonly key: number;
  /** Fields for log lines. */
  readonly logged: { readonly user: number };
  readonly user: User;
  readonly token: AccessToken;
}

/** Authenticates users by the access token in `Authorization: Bearer …`. */
export function userAuthenticator(tokens: Tokens): Authenticator {
  return {
    schemes: { accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    async authenticate(header): Promise<Principal> {
      const text = bearerToken(header('authorization'));
      if (text === undefined) throw unauthorized();
      const { user, token } = await tokens.verify(text);
      return { key: user.id, logged: { user: user.id }, user, token };
    },
  };
}

const hour = 3600;

/**
 * Rate limit for sign-ins and other requests that verify a password, per address. Verification takes processor time.
 */
export const signIns = { name: 'sign-in', amount: 60, periodSeconds: 60 };

/** Rate limit for token renewals, per user. Every renewed token is recorded until its expiry time. */
export const renewals = { name: 'renewal', amount: 120, periodSeconds: hour, burst: 30 };

/** Rate limit for moving read marks, per user. It equals the limit for posting messages. */
export const readMarks = { name: 'read-mark', amount: 1200, periodSeconds: 60, burst: 300 };

/** Rate limit for name searches, per user. Each search compares all names. */
export const searches = { name: 'search', amount: 240, periodSeconds: 60, burst: 60 };

/** Rate limit for changes to profiles, chats and members, per user. Everyone who sees a change is notified. */
export const changes = { name: 'change', amount: 600, periodSeconds: hour, burst: 300 };
