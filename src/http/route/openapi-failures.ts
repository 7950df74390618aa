import { type ErrorCode, statusOf } from '../../base/errors.js';
import type { Authenticator } from './endpoint.js';
import { type Definitions, type Json, jsonContent, reference } from './openapi-schemas.js';
import { type Route, type RouteGroup, refusesUndeclared } from './route.js';

/** pure: describes the error responses of routes. */

const bodyFailures = [
  'invalid_json',
  'validation_failed',
  'too_large',
  'unsupported_media_type',
] as const;

/** Errors of every route. All but the first come from its handler. */
const anyRoutes = [
  'misdirected',
  'internal_error',
  'storage_unavailable',
  'shutting_down',
] as const;

/** Errors with a `Retry-After` header. */
const passing: ReadonlySet<ErrorCode> = new Set(['rate_limited', 'storage_unavailable']);

const retryAfter: Json = {
  description: 'When to retry.',
  schema: { type: 'integer', description: 'Seconds.', minimum: 0 },
};

export interface FailureOptions {
  readonly authenticators: Readonly<Record<string, Authenticator>>;
  /** The document's components, which include the error envelopes. */
  readonly definitions: Definitions;
  /** The body of each error by code, without the fields that its envelope adds. */
  readonly examples: Json;
}

/** Returns the error codes with which a route can respond. */
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

/** Describes the error responses of routes. Their envelopes become components of the document. */
export function createFailures({ authenticators, definitions, examples }: FailureOptions) {
  const components = new Map<string, Json>();

  /** Returns a reference to the envelope with the codes of one status, so that clients can branch on all of them. */
  function schemaOf(
    shape: RouteGroup['errorShape'],
    codes: readonly ErrorCode[],
    { errorFields }: Route,
  ): Json {
    const base = shape === 'site' ? 'SiteError' : 'GatewayError';
    const { properties, ...rest } = definitions[base] ?? {};
    const { code, ...others } = properties as Readonly<Record<'code', Json>>; // Every envelope has a code.
    const name = `${base}${codes.map(pascal).join('Or')}`;
    const added = codes.map((each) => definitions[errorFields?.[each] ?? '']?.properties);
    components.set(name, {
      ...rest,
      properties: Object.assign({ ...others, code: { ...code, enum: codes } }, ...added),
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
    /** Returns the error responses by status. */
    describe(group: RouteGroup, route: Route): Json {
      const { errorShape } = group;
      const byStatus = new Map<number, ErrorCode[]>();
      for (const code of failuresOf(group, route, authenticators)) {
        const status = statusOf(code);
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
              content: jsonContent(
                schemaOf(errorShape, codes, route),
                examplesOf(errorShape, codes),
              ),
            },
          ];
        }),
      );
    },
    /** Returns the components that the described errors use. */
    components: (): Definitions => Object.fromEntries(components),
  };
}

/** Returns an example for the site's envelope, which does not allow the additional fields of the gateway's. */
function siteExample({ error, details }: Json): Json {
  return { ok: false, error, ...(Array.isArray(details) ? { details } : {}) };
}

/** Returns the headers that a route declares for its responses. */
export function answerHeaders({ answerHeaders: headers = {} }: Route): Json {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  );
}

/** Returns whether an error can come from a route's handler and not only from the steps before it. */
function isOfHandler({ errors = [] }: Route, code: ErrorCode): boolean {
  const [, ...ofHandlers] = anyRoutes;
  return [...errors, ...ofHandlers].includes(code);
}

/** `provider_error` -> `ProviderError`. */
function pascal(code: ErrorCode): string {
  return code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
