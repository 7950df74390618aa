import type * as schema from '#validators/gateway';
import { routesOf } from '../../http/route.js';
import type { Cashier } from '../sessions/sessions.js';

/** Declares a route of the gateway, which may ask for a cashier who is signed in. */
export const defineRoute = routesOf<typeof schema, { cashier: Cashier }>();
