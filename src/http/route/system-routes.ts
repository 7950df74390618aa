import * as validators from '#validators/http';
import { ok, okWith } from '../answer/reply.js';
import { type Representation, representJson } from '../answer/representation.js';
import { type RouteGroup, routesOf } from './route.js';

const defineRoute = routesOf<typeof validators>();

export interface SystemRouteOptions {
  readonly errorShape: RouteGroup['errorShape'];
  /** The OpenAPI document; made when it is first asked for. */
  describe(): unknown;
  /** Throws, soon, where the service cannot work at this moment: its storage is away, or it is stopping. */
  assertReady(): Promise<void>;
}

/** What every listener answers about itself. */
export function systemRoutes({
  errorShape,
  describe,
  assertReady,
}: SystemRouteOptions): RouteGroup {
  let document: Representation | undefined;
  // The payment gateway's contract has no `ok`; the site's answers all carry it.
  const say = (status: string) => (errorShape === 'site' ? { ok: true, status } : { status });
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
        handle: () => ok(say('ok')),
      }),
      defineRoute({
        method: 'GET',
        path: '/ready',
        name: 'getReadiness',
        summary: 'Say that the service can work now: its storage takes writes',
        description:
          'For load balancers: 503 while the storage is away, full or does not answer, and from the moment that the service is asked to stop. It answers within two seconds.',
        responses: { 200: 'Readiness' },
        async handle() {
          await assertReady();
          return ok(say('ready'));
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
