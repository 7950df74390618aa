import { longestHeader } from '../request/headers.js';
import { longestText } from '../request/query.js';
import { type Authenticator, longestParameter, validatorOf } from './endpoint.js';
import { answerHeaders, createFailures } from './openapi-failures.js';
import {
  componentsOf,
  type Examples,
  type Json,
  jsonContent,
  reference,
  usedBy,
} from './openapi-schemas.js';
import { pathParameters, type RawContent, type Route, type RouteGroup } from './route.js';

/** A schema file and what its definitions look like in use. */
export interface SchemaFile {
  readonly $defs?: object;
  readonly examples: Examples;
}

export interface OpenApiOptions {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly serverUrl: string;
  readonly groups: readonly RouteGroup[];
  readonly authenticators: Readonly<Record<string, Authenticator>>;
  /** Parsed schema files by their name; `http` is among them. */
  readonly schemas: Readonly<Record<string, SchemaFile>>;
  /** What the service sends to others, and the schema file that names its payload. */
  readonly webhooks?: {
    readonly schema: string;
    readonly events: readonly WebhookDescription[];
  };
}

/** The OpenAPI 3.1 document of a listener, made from nothing but its routes and their schemas. */
export function describeApi(options: OpenApiOptions): Json {
  const { title, description, version, serverUrl, groups, authenticators, schemas } = options;
  const files = new Set([
    ...groups.map(({ schema }) => schema),
    options.webhooks?.schema ?? 'http',
  ]);
  const definitions = Object.assign(
    {},
    ...[...files].map((file) => componentsOf({ ...schemas[file]?.$defs })),
  );
  const failures = createFailures({
    authenticators,
    definitions,
    examples: schemas.http?.examples.errors ?? {},
  });
  const paths = describePaths(options, failures.describe);
  const webhooks = describeEvents(options);
  const described = { ...definitions, ...failures.components() };
  return {
    openapi: '3.1.0',
    info: { title, description, version, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: serverUrl }],
    tags: tagsOf(options),
    security: [],
    paths,
    ...(options.webhooks ? { webhooks } : {}),
    components: {
      securitySchemes: Object.assign(
        {},
        ...Object.values(authenticators).map(({ schemes }) => schemes),
      ),
      schemas: usedBy([paths, webhooks], described),
    },
  };
}

const webhookTag = { name: 'webhooks', description: 'What the service tells your systems.' };

function tagsOf({ groups, webhooks }: OpenApiOptions): Json[] {
  const tags = groups.map(({ name, description }) => ({ name, description }));
  return webhooks ? [...tags, webhookTag] : tags;
}

function describeEvents({ webhooks, schemas }: OpenApiOptions): Json {
  if (!webhooks) return {};
  const examples = webhooks.events.map(({ body }) => schemas[webhooks.schema]?.examples[body]);
  return describeWebhooks(webhooks.events, webhookTag.name, Object.assign({}, ...examples));
}

type DescribeFailures = (group: RouteGroup, route: Route) => Json;

function describePaths(
  { groups, authenticators, schemas }: OpenApiOptions,
  describeFailures: DescribeFailures,
): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const group of groups) {
    const examples = schemas[group.schema]?.examples ?? {};
    for (const route of group.routes) {
      if (route.page) continue;
      const path = route.path.replace(/:(\w+)/g, '{$1}');
      paths[path] ??= {};
      // Where two groups answer at one method and path (a shared port), the first one describes it.
      paths[path][route.method.toLowerCase()] ??= {
        ...describeRoute(group, route, authenticators, examples),
        responses: { ...describeAnswers(route, examples), ...describeFailures(group, route) },
      };
    }
  }
  return paths;
}

function describeRoute(
  group: RouteGroup,
  route: Route,
  authenticators: OpenApiOptions['authenticators'],
  examples: Examples,
): Json {
  const authenticator = route.auth === undefined ? undefined : authenticators[route.auth];
  const schemes = Object.keys(authenticator?.schemes ?? {});
  const parameters = describeParameters(route);
  const { name, summary, description, body, content } = route;
  return {
    operationId: name,
    summary,
    ...(description ? { description } : {}),
    tags: [group.name],
    security: schemes.length > 0 ? [Object.fromEntries(schemes.map((each) => [each, []]))] : [],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: describeBody(group, body, examples) } : {}),
    ...(content ? { requestBody: { required: true, content: rawContent(content) } } : {}),
  };
}

/** Describes a body. A request without one is validated as `{}`; if that is valid, the body is optional. */
function describeBody(group: RouteGroup, body: string, examples: Examples): Json {
  const required = !validatorOf(group, body)({});
  return { required, content: jsonContent(reference(body), examples[body]) };
}

/** Bytes as they are, of each of the types. */
function rawContent({ types }: RawContent): Json {
  return Object.fromEntries(types.map((type) => [type, {}]));
}

function describeParameters({ path, pathExamples, query = {}, headers = {} }: Route): Json[] {
  const ofPath = pathParameters(path).map(({ name, isId }) => ({
    name,
    in: 'path',
    required: true,
    schema: isId
      ? { type: 'integer', minimum: 0, maximum: 999_999_999_999_999 }
      : { type: 'string', maxLength: longestParameter },
    ...(pathExamples?.[name] ? { example: pathExamples[name] } : {}),
  }));
  const ofQuery = Object.entries(query).map(
    ([name, { description, required = false, example, takesFirst: _, ...schema }]) => ({
      name,
      in: 'query',
      required,
      description,
      schema: schema.type === 'string' ? { maxLength: longestText, ...schema } : schema,
      ...(example === undefined ? {} : { example }),
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

function describeAnswers(route: Route, examples: Examples): Json {
  return Object.fromEntries(
    Object.entries(route.responses).map(([status, schema]) => [
      status,
      {
        description: statusWords[status] ?? 'Done.',
        ...(route.answerHeaders ? { headers: answerHeaders(route) } : {}),
        ...(schema ? { content: jsonContent(reference(schema), examples[schema]) } : {}),
      },
    ]),
  );
}

const statusWords: Readonly<Record<string, string>> = {
  200: 'Done.',
  201: 'Created.',
  304: 'Not changed since the answer that the given ETag names.',
};

/** A request that the service makes to others, as data. */
interface WebhookDescription {
  /** The event's name. */
  readonly name: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** Name of the payload's definition. */
  readonly body: string;
  readonly headers: Readonly<Record<string, WebhookHeader>>;
  /** What answers mean, by status: a number, `2XX` or `default`. */
  readonly answers: Readonly<Record<string, string>>;
}

interface WebhookHeader {
  readonly description: string;
  /** Whether every request carries it. */
  readonly always: boolean;
  readonly schema: Json;
  readonly example?: string | number;
}

/** pure: the `webhooks` of an OpenAPI document. `examples` are payloads by the event's name. */
function describeWebhooks(
  webhooks: readonly WebhookDescription[],
  tag: string,
  examples: Json,
): Json {
  return Object.fromEntries(
    webhooks.map(({ name, operationId, summary, description, body, headers, answers }) => {
      const parameters = Object.entries(headers).map(([header, { always, ...described }]) => ({
        name: header,
        in: 'header',
        required: always,
        ...described,
      }));
      const example = name in examples ? { [name]: examples[name] } : {};
      const post = {
        operationId,
        summary,
        description,
        tags: [tag],
        security: [],
        parameters,
        requestBody: { required: true, content: jsonContent(reference(body), example) },
        responses: Object.fromEntries(
          Object.entries(answers).map(([status, words]) => [status, { description: words }]),
        ),
      };
      return [name, { post }];
    }),
  );
}
