import type { ErrorCode } from '../../base/errors.js';
import type { RateLimitRule } from '../../base/rate-limit.js';
import type { Violation } from '../../json/violations.js';
import type { Reply } from '../answer/reply.js';
import type { NumberForms } from '../request/number-forms.js';
import type { QueryParameters, QueryValues, ValuesOf } from '../request/query.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A request for a handler, already authenticated and validated. */
export interface ApiRequest<Body = unknown, Principal = unknown, Query = QueryValues> {
  /** Path parameters. Those named `id` or ending in `Id` are digits; any other value is a 404 before the handler. */
  readonly params: Readonly<Record<string, string>>;
  /** The numeric path parameter `id`; NaN if the path has none. */
  readonly id: number;
  /** Values of the query parameters that the route declares; an integer is a number. */
  readonly query: Query;
  readonly body: Body;
  /** The raw body if the route takes `content`; otherwise empty. */
  readonly bytes: Buffer;
  /** The caller, as returned by the route's authenticator. */
  readonly principal: Principal;
  /** Returns a request header, or '' if it is absent. */
  header(name: string): string;
  /** The client's address, as reported by trusted proxies. */
  readonly address: string;
  /**
   * Returns a signal that ends long waits: it aborts when the client disconnects (its reason is then `closed`) or the
   * server shuts down (`shutdown`).
   */
  signal(): AbortSignal;
  /** Calls `listener` once, when the answer has been sent or the connection has closed. */
  whenAnswered(listener: () => void): void;
}

/** A limit on how often a route is called: counted per address, or per authenticated principal. */
export interface RouteLimit {
  readonly rule: RateLimitRule;
  readonly by: 'address' | 'principal';
}

/** A raw body. */
export interface RawContent {
  /** Media types, for the OpenAPI document. The handler checks the type that a client declares. */
  readonly types: readonly string[];
  /** The most bytes; more are `too_large`. */
  readonly maxBytes: number;
}

/**
 * One endpoint as data: the source of routing, validation, the OpenAPI document and the contract tests. `body` and
 * `responses` name definitions in the group's schema file.
 */
export interface Route {
  readonly method: Method;
  /** Koa-router notation: `/api/chats/:id/messages`. */
  readonly path: string;
  /** Unique camel-case name; the OpenAPI operationId. */
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  /** Name of the authenticator; without one, the route is open to everyone. */
  readonly auth?: string;
  readonly limit?: RouteLimit;
  /** Examples of path parameters that are not numbers, for the OpenAPI document. */
  readonly pathExamples?: Readonly<Record<string, string>>;
  readonly query?: QueryParameters;
  readonly body?: string;
  /** A body other than JSON, which the handler gets as `bytes`. */
  readonly content?: RawContent;
  /**
   * A page for people, or a part of one: its answers have the headers of pages instead of the API's, and the OpenAPI
   * document omits it.
   */
  readonly page?: true;
  /** Request headers that the route reads, for the OpenAPI document. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers of its answers and of its own failures, for the OpenAPI document. */
  readonly answerHeaders?: Readonly<Record<string, string>>;
  /** Schema name by status; null for an answer that is not JSON. */
  readonly responses: Readonly<Record<number, string | null>>;
  /**
   * Returns whether a request with these headers is for this route, if routes of several groups have the same method and
   * path on one listener. The first route that claims a request answers it.
   */
  claims?(header: (name: string) => string): boolean;
  /** Failures the route itself can answer, beyond those every route shares. */
  readonly errors?: readonly ErrorCode[];
  handle(request: ApiRequest): Promise<Reply> | Reply;
}

export interface PathParameter {
  readonly name: string;
  /** True if it is a number. */
  readonly isId: boolean;
}

/** Returns the parameters in a route's path, in order. */
export function pathParameters(path: string): PathParameter[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    isId: /^id$|Id$/.test(name),
  }));
}

/** Returns whether undeclared query parameters are an error: in the site's API, but not on pages. */
export function refusesUndeclared(
  { errorShape }: Pick<RouteGroup, 'errorShape'>,
  { path }: Pick<Route, 'path'>,
): boolean {
  return errorShape === 'site' && path.startsWith('/api/');
}

/** Names of the definitions of a schema file, whose validators are the module `Schema`. */
type DefinitionOf<Schema> = keyof Schema & string;

/** The type of bodies that a definition of a schema file allows; undefined if the route has no body. */
export type BodyOf<Schema, Name> = Name extends keyof Schema
  ? Schema[Name] extends (data: unknown) => data is infer Body
    ? Body
    : never
  : undefined;

/** A route whose handler has the types that the route declares. */
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
 * Returns the function that declares the routes of a group. `Schema` is the module of validators of the group's schema
 * file; `Principals` has the principal of each authenticator by its name.
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
   * The lenient properties of its bodies. If this is present, even if it is empty, bodies are parsed with all digits.
   */
  readonly numbers?: NumberForms;
}

/** The routes of one feature, with the schema file of their bodies and answers. */
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
