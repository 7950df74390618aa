import { maxHeaderLength } from '../request/headers.js';
import { maxTextLength } from '../request/query.js';
import { type Authenticator, maxParameterLength, validatorOf } from './endpoint.js';
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

/** A schema file with examples of its definitions. */
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
  /** Parsed schema files by name, including `http`. */
  readonly schemas: Readonly<Record<string, SchemaFile>>;
  /** The webhooks that the service sends, and the schema file of their payloads. */
  readonly webhooks?: {
    readonly schema: string;
    readonly events: readonly WebhookDescription[];
  };
}

/** Returns the OpenAPI 3.1 document of a listener, which is derived from its routes and their schemas. */
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
  const webhooks = describeWebhooks(options);
  const described = { ...definitions, ...failures.components() };
  return {
    openapi: '3.1.0',
    info: { title, description, version, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: serverUrl }],
    tags: [
      ...groups.map(({ name, description }) => ({ name, description })),
      ...(options.webhooks ? [webhookTag] : []),
    ],
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

const webhookTag = {
  name: 'webhooks',
  description: 'Requests that the service sends to your systems.',
};

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
      // If two groups share a method and path (on a shared port), the first one is described.
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
  const parameters = describeParameters(route);
  const { name, summary, description, body, content } = route;
  return {
    operationId: name,
    summary,
    ...(description ? { description } : {}),
    tags: [group.name],
    security: describeSecurity(authenticator),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: describeBody(group, body, examples) } : {}),
    ...(content ? { requestBody: { required: true, content: rawContent(content) } } : {}),
  };
}

/**
 * Describes the security requirements of a route: all schemes of its authenticator together, or none if they are
 * optional.
 */
function describeSecurity(authenticator: Authenticator | undefined): Json[] {
  const schemes = Object.keys(authenticator?.schemes ?? {});
  if (schemes.length === 0) return [];
  const all = Object.fromEntries(schemes.map((each) => [each, []]));
  return authenticator?.isOptional ? [all, {}] : [all];
}

/** Describes a body. A request without a body is validated as `{}`. If that is valid, the body is optional. */
function describeBody(group: RouteGroup, body: string, examples: Examples): Json {
  const required = !validatorOf(group, body)({});
  return { required, content: jsonContent(reference(body), examples[body]) };
}

/** Describes a raw body with its allowed media types. */
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
      : { type: 'string', maxLength: maxParameterLength },
    ...(pathExamples?.[name] ? { example: pathExamples[name] } : {}),
  }));
  const ofQuery = Object.entries(query).map(
    ([name, { description, required = false, example, takesFirst: _, ...schema }]) => ({
      name,
      in: 'query',
      required,
      description,
      schema: schema.type === 'string' ? { maxLength: maxTextLength, ...schema } : schema,
      ...(example === undefined ? {} : { example }),
    }),
  );
  const ofHeaders = Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string', maxLength: maxHeaderLength(name) },
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
  304: 'Not modified since the response with this ETag.',
};

/** Describes a webhook request. */
interface WebhookDescription {
  /** The event's name. */
  readonly name: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** Name of the payload definition. */
  readonly body: string;
  readonly headers: Readonly<Record<string, WebhookHeader>>;
  /** Meanings of the receiver's responses, by status: a number, `2XX` or `default`. */
  readonly answers: Readonly<Record<string, string>>;
}

interface WebhookHeader {
  readonly description: string;
  /** True if every request contains the header. */
  readonly always: boolean;
  readonly schema: Json;
  readonly example?: string | number;
}

/** Returns the `webhooks` of an OpenAPI document. Payload examples are named after their events. */
function describeWebhooks({ webhooks, schemas }: OpenApiOptions): Json {
  if (!webhooks) return {};
  return Object.fromEntries(
    webhooks.events.map(({ name, operationId, summary, description, body, headers, answers }) => {
      const parameters = Object.entries(headers).map(([header, { always, ...described }]) => ({
        name: header,
        in: 'header',
        required: always,
        ...described,
      }));
      const { [name]: payload } = schemas[webhooks.schema]?.examples[body] ?? {};
      const example = payload === undefined ? {} : { [name]: payload as Json };
      const post = {
        operationId,
        summary,
        description,
        tags: [webhookTag.name],
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
