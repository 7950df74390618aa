import { AppError, type ErrorCode } from '../../base/errors.js';
import type { Authenticator } from './endpoint.js';
import { type Definitions, type Json, jsonContent, reference } from './openapi-schemas.js';
import { type Route, type RouteGroup, refusesUndeclared } from './route.js';

/** pure: how the failures of routes are described. */

const bodyFailures = [
  'invalid_json',
  'validation_failed',
  'too_large',
  'unsupported_media_type',
] as const;

/** Failures that no route is without; all but the first come from whatever it does. */
const anyRoutes = [
  'misdirected',
  'internal_error',
  'storage_unavailable',
  'shutting_down',
] as const;

/** Failures that say when to come back. */
const passing: ReadonlySet<ErrorCode> = new Set(['rate_limited', 'storage_unavailable']);

const retryAfter: Json = {
  description: 'When to try again.',
  schema: { type: 'integer', description: 'Seconds.', minimum: 0 },
};

export interface FailureOptions {
  readonly authenticators: Readonly<Record<string, Authenticator>>;
  /** The components that the envelopes of failures are among. */
  readonly definitions: Definitions;
  /** The body of each failure but for what its envelope adds, by code. */
  readonly examples: Json;
}

/** The codes that a route can answer. */
function failuresOf(
  group: RouteGroup,
  route: Route,
  authenticators: FailureOptions['authenticators'],
): readonly ErrorCode[] {
  const authenticator = route.auth === undefined ? undefined : authenticators[route.auth];
  const codes: ErrorCode[] = [
    ...(route.errors ?? []),
    ...(route.auth ? (['unauthorized'] as const) : []),
    ...(authenticator?.errors ?? []),
    ...(route.limit ? (['rate_limited'] as const) : []),
    ...(route.path.includes(':') ? (['not_found'] as const) : []),
    ...(route.query || route.headers || refusesUndeclared(group, route)
      ? (['validation_failed'] as const)
      : []),
    ...(route.body ? bodyFailures : []),
    ...anyRoutes,
  ];
  return [...new Set(codes)];
}

/** Describes the failures of routes; what they share are components of the document. */
export function createFailures({ authenticators, definitions, examples }: FailureOptions) {
  const components = new Map<string, Json>();

  /** The envelope with the codes of one status: whoever branches on `code` is told all there are. */
  function schemaOf(shape: RouteGroup['errorShape'], codes: readonly ErrorCode[]): Json {
    const base = shape === 'site' ? 'SiteError' : 'GatewayError';
    const { properties, ...rest } = definitions[base] ?? {};
    const { code, ...others } = properties as Readonly<Record<'code', Json>>; // Every envelope has one.
    const name = `${base}${codes.map(pascal).join('Or')}`;
    components.set(name, {
      ...rest,
      properties: { ...others, code: { ...code, enum: codes } },
    });
    return reference(name);
  }

  function examplesOf(shape: RouteGroup['errorShape'], codes: readonly ErrorCode[]): Json {
    const shown = codes.filter((code) => code in examples);
    return Object.fromEntries(
      shown.map((code) => {
        const example = examples[code] as Json;
        return [code, { ...(shape === 'site' ? siteExample(example) : example), code }];
      }),
    );
  }

  return {
    /** The answers to failures by status; `headers` are what the route's own failures carry. */
    describe(group: RouteGroup, route: Route): Json {
      const { errorShape } = group;
      const byStatus = new Map<number, ErrorCode[]>();
      for (const code of failuresOf(group, route, authenticators)) {
        const { status } = new AppError(code, '');
        byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
      }
      return Object.fromEntries(
        [...byStatus].map(([status, found]) => {
          const codes = found.sort();
          const headers = {
            ...(codes.some((code) => passing.has(code)) ? { 'Retry-After': retryAfter } : {}),
            ...(codes.some((code) => isOfHandler(route, code)) ? answerHeaders(route) : {}),
          };
          return [
            String(status),
            {
              description: `code: ${codes.join(', ')}`,
              ...(Object.keys(headers).length > 0 ? { headers } : {}),
              content: jsonContent(schemaOf(errorShape, codes), examplesOf(errorShape, codes)),
            },
          ];
        }),
      );
    },
    /** The components that the failures described so far refer to. */
    components: (): Definitions => Object.fromEntries(components),
  };
}

/** An example as the site's envelope has it, which is closed: without what the gateway's may add. */
function siteExample({ error, details }: Json): Json {
  return { ok: false, error, ...(Array.isArray(details) ? { details } : {}) };
}

/** The headers that a route says its answers carry. */
export function answerHeaders({ answerHeaders: headers = {} }: Route): Json {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  );
}

/** Whether a failure can come of a route's handler, and not only of what stands before it. */
function isOfHandler({ errors = [] }: Route, code: ErrorCode): boolean {
  const [, ...ofHandlers] = anyRoutes;
  return [...errors, ...ofHandlers].includes(code);
}

/** `provider_error` -> `ProviderError`. */
function pascal(code: ErrorCode): string {
  return code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
