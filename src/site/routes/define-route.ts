import type * as validators from '#validators/site';
import { routesOf } from '../../http/route/route.js';

/** Writes down that something was changed, by names of what and how; never what it says. */
export type AuditChange = (ids: Readonly<Record<string, string>>) => Promise<void>;

export const defineRoute = routesOf<typeof validators, { admin: unknown }>();
