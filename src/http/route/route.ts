import type { ErrorCode } from '../../base/errors.js';
import type { RateLimitRule } from '../../base/rate-limit.js';
import type { Violation } from '../../json/violations.js';
import type { Reply } from '../answer/reply.js';
import type { NumberForms } from '../request/number-forms.js';
import type { QueryParameters, QueryValues, ValuesOf } from '../request/query.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** What a handler is given: everything in it has been authenticated and validated already. */
export interface ApiRequest<Body = unknown, Principal = unknown, Query = QueryValues> {
  /** Path parameters. Those named `id` or ending in `Id` are numbers (anything else is a 404 before). */
  readonly params: Readonly<Record<string, string>>;
  /** The numeric path parameter `id`; NaN where the path has none. */
  readonly id: number;
  /** Query values of the parameters that the route declares, numbers where it says integer. */
  readonly query: Query;
  readonly body: Body;
  /** The body as it came, where the route takes `content`; else empty. */
  readonly bytes: Buffer;
  /** Who asks, as the route's authenticator found. */
  readonly principal: Principal;
  /** A request header, or '' where it is absent. */
  header(name: string): string;
  /** The client's address, seen through trusted proxies. */
  readonly address: string;
  /**
   * Aborts when the client has gone (its reason is then `closed`) or the server shuts down (`shutdown`):
   * long waits end then.
   */
  signal(): AbortSignal;
  /** Calls `listener` once, when the answer was sent or the connection closed. */
  whenAnswered(listener: () => void): void;
}

/** A limit on how often a route is called: counted per address, or per authenticated principal. */
export interface RouteLimit {
  readonly rule: RateLimitRule;
  readonly by: 'address' | 'principal';
}

/** A body that is read as it comes. */
export interface RawContent {
  /** What it is, for the OpenAPI document; the type that a client declares is the handler's to judge. */
  readonly types: readonly string[];
  /** Its size at most, in bytes; more is `too_large`. */
  readonly mostBytes: number;
}

/**
 * One endpoint as data. From this come the router, the validation, the OpenAPI document and the
 * contract tests. `body` and `responses` name definitions in the group's schema file.
 */
export interface Route {
  readonly method: Method;
  /** Koa-router notation: `/api/chats/:id/messages`. */
  readonly path: string;
  /** Unique camel-case name; the OpenAPI operationId. */
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  /** Name of the authenticator to pass; none = open to everyone. */
  readonly auth?: string;
  readonly limit?: RouteLimit;
  /** What path parameters that are no numbers look like, for the OpenAPI document. */
  readonly pathExamples?: Readonly<Record<string, string>>;
  readonly query?: QueryParameters;
  readonly body?: string;
  /** A body that is no JSON, which the handler is given as `bytes`. */
  readonly content?: RawContent;
  /**
   * A page for people, or a part of one: its answers carry the headers of pages instead of the API's, and the OpenAPI
   * document leaves it out.
   */
  readonly page?: true;
  /** Request headers that the route reads, for the OpenAPI document. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers that its answers carry, those of its own failures too, for the OpenAPI document. */
  readonly answerHeaders?: Readonly<Record<string, string>>;
  /** Schema name by status; null for an answer that is not JSON. */
  readonly responses: Readonly<Record<number, string | null>>;
  /**
   * Where another group's route has the same method and path of one listener: whether a
   * request with these headers is for this one. The first that claims it answers.
   */
  claims?(header: (name: string) => string): boolean;
  /** Failures the route itself can answer, beyond those every route shares. */
  readonly errors?: readonly ErrorCode[];
  handle(request: ApiRequest): Promise<Reply> | Reply;
}

export interface PathParameter {
  readonly name: string;
  /** Whether it is a number. */
  readonly isId: boolean;
}

/** The parameters in a route's path, in order. */
export function pathParameters(path: string): PathParameter[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    isId: /^id$|Id$/.test(name),
  }));
}

/** Whether a query parameter that the route does not declare is a failure: in the site's API, not on pages. */
export function refusesUndeclared(
  { errorShape }: Pick<RouteGroup, 'errorShape'>,
  { path }: Pick<Route, 'path'>,
): boolean {
  return errorShape === 'site' && path.startsWith('/api/');
}

/** Names of the definitions of a schema file, whose validators are the module `Schema`. */
type DefinitionOf<Schema> = keyof Schema & string;

/** What a definition of a schema file lets through; undefined where a route has no body. */
export type BodyOf<Schema, Name> = Name extends keyof Schema
  ? Schema[Name] extends (data: unknown) => data is infer Body
    ? Body
    : never
  : undefined;

/** A route whose handler is typed by what the route names and declares. */
interface TypedRoute<Schema, Principals, Name, Auth, Query extends QueryParameters>
  extends Omit<Route, 'handle'> {
  readonly auth?: Auth & string;
  readonly body?: Name & string;
  readonly query?: Query;
  readonly responses: Readonly<Record<number, DefinitionOf<Schema> | null>>;
  handle(
    request: ApiRequest<
      BodyOf<Schema, Name>,
      Auth extends keyof Principals ? Principals[Auth] : undefined,
      ValuesOf<Query>
    >,
  ): Promise<Reply> | Reply;
}

/**
 * Gives the function that declares the routes of a group. `Schema` is the module of validators of the
 * group's schema file, `Principals` has what each authenticator gives, under the authenticator's name.
 */
export function routesOf<Schema, Principals = Record<never, never>>() {
  return function defineRoute<
    Name extends DefinitionOf<Schema> | undefined = undefined,
    Auth extends (keyof Principals & string) | undefined = undefined,
    const Query extends QueryParameters = Record<never, never>,
  >(route: TypedRoute<Schema, Principals, Name, Auth, Query>): Route {
    // Sound because the pipeline validates with exactly that schema and that authenticator first.
    return route as Route;
  };
}

/** A standalone Ajv validator, as the build generates it. */
export interface Validator {
  (data: unknown): boolean;
  errors?: readonly Violation[] | null;
  /**
   * The lenient properties of its bodies. Where this is present, though empty, bodies are parsed with every digit.
   */
  readonly numbers?: NumberForms;
}

/** The routes of one feature, with the schema file that they name their shapes in. */
export interface RouteGroup {
  readonly name: string;
  readonly description: string;
  /** Shape of failures: the site's envelope carries `ok: false`, the gateway's does not. */
  readonly errorShape: 'site' | 'gateway';
  /** The schema file without `.schema.json`. */
  readonly schema: string;
  readonly validators: Readonly<Record<string, unknown>>;
  readonly routes: readonly Route[];
}
