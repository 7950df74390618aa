import * as validators from '#validators/http';
import { ok, okWith } from '../answer/reply.js';
import { type Representation, representJson } from '../answer/representation.js';
import { type RouteGroup, routesOf } from './route.js';

const defineRoute = routesOf<typeof validators>();

export interface SystemRouteOptions {
  readonly errorShape: RouteGroup['errorShape'];
  /** Returns the OpenAPI document. Called once, for the first request. */
  describe(): unknown;
  /** Throws promptly if the service cannot handle requests, because its storage is unavailable or it is stopping. */
  assertReady(): Promise<void>;
}

/** Returns the routes that every listener has: health, readiness and the API description. */
export function systemRoutes({
  errorShape,
  describe,
  assertReady,
}: SystemRouteOptions): RouteGroup {
  let document: Representation | undefined;
  // All responses of the site contain `ok`. The payment gateway's contract does not have it.
  const body = (status: string) => (errorShape === 'site' ? { ok: true, status } : { status });
  return {
    name: 'service',
    description: 'Health, readiness and the API description.',
    errorShape,
    schema: 'http',
    validators,
    routes: [
      defineRoute({
        method: 'GET',
        path: '/health',
        name: 'getHealth',
        summary: 'Report that the service is running',
        responses: { 200: 'Health' },
        handle: () => ok(body('ok')),
      }),
      defineRoute({
        method: 'GET',
        path: '/ready',
        name: 'getReadiness',
        summary: 'Report whether the service is ready and its storage accepts writes',
        description:
          'For load balancers. Returns 503 while the storage is unavailable, full or unresponsive, and as soon as the service begins to stop. Responds within two seconds.',
        responses: { 200: 'Readiness' },
        async handle() {
          await assertReady();
          return ok(body('ready'));
        },
      }),
      defineRoute({
        method: 'GET',
        path: '/openapi.json',
        name: 'getApiDescription',
        summary: 'Describe every endpoint as an OpenAPI 3.1 document',
        responses: { 200: 'ApiDescription' },
        async handle() {
          document ??= representJson(await describe());
          return okWith(document);
        },
      }),
    ],
  };
}
