import type { RateLimiter } from '../../base/rate-limit.js';
import type { RouteGroup } from '../../http/route.js';
import type { Gateway } from '../gateway.js';
import type { Sessions } from '../sessions/sessions.js';
import type { SignIn } from '../sessions/sign-in.js';

/** What the endpoints of the gateway work with. */
export interface PaymentRouteOptions {
  readonly signIn: SignIn;
  readonly sessions: Sessions;
  readonly gateway: Gateway;
  readonly rateLimiter: RateLimiter;
  /** The definitions of schemas/gateway.schema.json. */
  readonly validators: RouteGroup['validators'];
}
