import { AppError, type ErrorCode } from '../../base/errors.js';
import { longestHeader } from '../request/headers.js';
import { longestText } from '../request/query.js';
import { type Authenticator, longestParameter } from './endpoint.js';
import { openForms } from './open-forms.js';
import { pathParameters, type Route, type RouteGroup } from './route.js';

export interface OpenApiOptions {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly serverUrl: string;
  readonly groups: readonly RouteGroup[];
  readonly authenticators: Readonly<Record<string, Authenticator>>;
  /** Parsed schema files by their name. */
  readonly schemas: Readonly<Record<string, { readonly $defs?: object }>>;
}

type Json = Readonly<Record<string, unknown>>;

/** The OpenAPI 3.1 document of a listener, made from nothing but its routes and their schemas. */
export function describeApi(options: OpenApiOptions): Json {
  const { title, description, version, serverUrl, groups, authenticators, schemas } = options;
  const definitions = groups.map(({ schema }) => localised(schemas[schema]?.$defs ?? {}));
  const paths = describePaths(groups, authenticators);
  return {
    openapi: '3.1.0',
    info: { title, description, version, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: serverUrl }],
    tags: groups.map((group) => ({ name: group.name, description: group.description })),
    security: [],
    paths,
    components: {
      securitySchemes: Object.assign(
        {},
        ...Object.values(authenticators).map(({ schemes }) => schemes),
      ),
      schemas: usedBy(paths, Object.assign({}, ...definitions)),
    },
  };
}

function describePaths(
  groups: readonly RouteGroup[],
  authenticators: OpenApiOptions['authenticators'],
): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const group of groups) {
    for (const route of group.routes) {
      const path = route.path.replace(/:(\w+)/g, '{$1}');
      paths[path] ??= {};
      // Where two groups answer at one method and path (a shared port), the first one describes it.
      paths[path][route.method.toLowerCase()] ??= describeRoute(group, route, authenticators);
    }
  }
  return paths;
}

function describeRoute(
  group: RouteGroup,
  route: Route,
  authenticators: OpenApiOptions['authenticators'],
): Json {
  const authenticator = route.auth === undefined ? undefined : authenticators[route.auth];
  const schemes = Object.keys(authenticator?.schemes ?? {});
  const parameters = describeParameters(route);
  return {
    operationId: route.name,
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    tags: [group.name],
    security: schemes.length > 0 ? [Object.fromEntries(schemes.map((name) => [name, []]))] : [],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body ? { requestBody: { required: true, content: jsonContent(route.body) } } : {}),
    responses: { ...describeAnswers(route), ...describeFailures(group, route, authenticator) },
  };
}

function describeParameters({ path, query = {}, headers = {} }: Route): Json[] {
  const ofPath = pathParameters(path).map(({ name, isId }) => ({
    name,
    in: 'path',
    required: true,
    schema: isId
      ? { type: 'integer', minimum: 0, maximum: 999_999_999_999_999 }
      : { type: 'string', maxLength: longestParameter },
  }));
  const ofQuery = Object.entries(query).map(
    ([name, { description, required = false, ...schema }]) => ({
      name,
      in: 'query',
      required,
      description,
      schema: schema.type === 'string' ? { maxLength: longestText, ...schema } : schema,
    }),
  );
  const ofHeaders = Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string', maxLength: longestHeader(name) },
  }));
  return [...ofPath, ...ofQuery, ...ofHeaders];
}

function describeAnswers({ responses }: Route): Json {
  return Object.fromEntries(
    Object.entries(responses).map(([status, schema]) => [
      status,
      {
        description: statusWords[status] ?? 'Done.',
        ...(schema ? { content: jsonContent(schema) } : {}),
      },
    ]),
  );
}

const statusWords: Readonly<Record<string, string>> = {
  200: 'Done.',
  201: 'Created.',
  304: 'Not changed since the answer that the given ETag names.',
};

function describeFailures(
  { errorShape }: RouteGroup,
  route: Route,
  authenticator: Authenticator | undefined,
): Json {
  const codes: ErrorCode[] = [
    ...(route.errors ?? []),
    ...(route.auth ? (['unauthorized'] as const) : []),
    ...(authenticator?.errors ?? []),
    ...(route.limit ? (['rate_limited'] as const) : []),
    ...(route.path.includes(':') ? (['not_found'] as const) : []),
    ...(route.query ? (['validation_failed'] as const) : []),
    ...(route.body ? bodyFailures : []),
    'misdirected',
    'internal_error',
    'storage_unavailable',
  ];
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set(codes)) {
    const { status } = new AppError(code, '');
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const schema = errorShape === 'site' ? 'SiteError' : 'GatewayError';
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [
      String(status),
      { description: `code: ${names.join(', ')}`, content: jsonContent(schema) },
    ]),
  );
}

const bodyFailures = [
  'invalid_json',
  'validation_failed',
  'too_large',
  'unsupported_media_type',
] as const;

function jsonContent(schema: string): Json {
  return { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } };
}

/** References into a schema file's `$defs` become references into the document's components; ours its keywords. */
function localised(definitions: object): unknown {
  const text = JSON.stringify(definitions);
  return JSON.parse(
    text.replace(/"(?:[\w-]+\.schema\.json)?#\/\$defs\//g, '"#/components/schemas/'),
    openForms,
  );
}

/** Those definitions that something points to, from the paths or from one another. */
function usedBy(paths: Json, definitions: Json): Json {
  const used = new Set<string>();
  const texts = [JSON.stringify(paths)];
  for (let text = texts.pop(); text !== undefined; text = texts.pop()) {
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      texts.push(JSON.stringify(definitions[name] ?? {}));
    }
  }
  return Object.fromEntries(Object.entries(definitions).filter(([name]) => used.has(name)));
}
