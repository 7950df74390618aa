import type * as schema from '#validators/messaging';
import type { RateLimiter, RateLimitRule } from '../../base/rate-limit.js';
import { bearerToken } from '../../http/route/admin-auth.js';
import type { ConcurrencyLimit } from '../../http/route/concurrency-limit.js';
import type { Authenticator } from '../../http/route/endpoint.js';
import { routesOf } from '../../http/route/route.js';
import type { Messaging } from '../messaging.js';
import type { User } from '../model.js';
import { type AccessToken, type Tokens, unauthorized } from '../tokens.js';
import type { Views } from '../views.js';
import type { PageRoom } from './paging.js';

/** What the routes of messaging work with. */
export interface RouteContext extends Omit<Messaging, 'close'> {
  readonly views: Views;
  readonly rateLimiter: RateLimiter;
  /** Pages and lists that are read for one user or on their way to one. */
  readonly reads: ConcurrencyLimit;
  readonly room: PageRoom;
}

/** Declares a route of messaging, which may ask for a signed-in user. */
export const defineRoute = routesOf<typeof schema, { user: Principal; operator: undefined }>();

/** Who asks, with the token that says so. */
export interface Principal {
  /** What limits per user count under. */
  readonly key: number;
  /** What log lines say of who asks. */
  readonly logged: { readonly user: number };
  readonly user: User;
  readonly token: AccessToken;
}

/** Reads the access token of `Authorization: Bearer …`. */
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

/** How often the routes of messaging are called; what is done to chats is counted by `chatRules`. */

const hour = 3600;

/** Sign-ins from one address, and everything else that compares a password, which costs processor time. */
export const signIns: RateLimitRule = { name: 'sign-in', amount: 60, periodSeconds: 60 };

/** Token renewals of a user: every renewed token is remembered until it would have expired. */
export const renewals: RateLimitRule = {
  name: 'renewal',
  amount: 120,
  periodSeconds: hour,
  burst: 30,
};

/** Read marks that a user moves, about as often as messages are posted. */
export const readMarks: RateLimitRule = {
  name: 'read-mark',
  amount: 1200,
  periodSeconds: 60,
  burst: 300,
};

/** Searches of a user among names: each looks at every name. */
export const searches: RateLimitRule = {
  name: 'search',
  amount: 240,
  periodSeconds: 60,
  burst: 60,
};

/** Changes of a user to profile, chats and members: everybody who sees them is notified. */
export const changes: RateLimitRule = {
  name: 'change',
  amount: 600,
  periodSeconds: hour,
  burst: 300,
};
