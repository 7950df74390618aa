import * as validators from '#validators/http';
import { ok, prepareReply } from '../answer/reply.js';
import { type RouteGroup, routesOf } from './route.js';

const defineRoute = routesOf<typeof validators>();

export interface SystemRouteOptions {
  readonly errorShape: RouteGroup['errorShape'];
  /** The OpenAPI document; made when it is first asked for. */
  describe(): unknown;
}

/** What every listener answers about itself. */
export function systemRoutes({ errorShape, describe }: SystemRouteOptions): RouteGroup {
  const document = prepareReply(describe);
  // The payment gateway's contract has no `ok`; the site's answers all carry it.
  const healthy = errorShape === 'site' ? { ok: true, status: 'ok' } : { status: 'ok' };
  return {
    name: 'service',
    description: 'What the service says about itself.',
    errorShape,
    schema: 'http',
    validators,
    routes: [
      defineRoute({
        method: 'GET',
        path: '/health',
        name: 'getHealth',
        summary: 'Say that the service answers',
        responses: { 200: 'Health' },
        handle: () => ok(healthy),
      }),
      defineRoute({
        method: 'GET',
        path: '/openapi.json',
        name: 'getApiDescription',
        summary: 'Describe every endpoint as an OpenAPI 3.1 document',
        responses: { 200: 'ApiDescription' },
        handle: () => document.current(),
      }),
    ],
  };
}
