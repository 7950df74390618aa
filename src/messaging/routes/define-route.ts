import type * as schema from '#validators/messaging';
import { routesOf } from '../../http/route.js';
import type { Principal } from './principal.js';

/** Declares a route of messaging, which may ask for a signed-in user. */
export const defineRoute = routesOf<typeof schema, { user: Principal }>();
