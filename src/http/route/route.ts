import type { ErrorCode } from '../../base/errors.js';
import type { RateLimitRule } from '../../base/rate-limit.js';
import type { Violation } from '../../json/violations.js';
import type { Reply } from '../answer/reply.js';
import type { NumberForms } from '../request/number-forms.js';
import type { QueryParameters, QueryValues, ValuesOf } from '../request/query.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** An authenticated and validated request, as passed to a handler. */
export interface ApiRequest<Body = unknown, Principal = unknown, Query = QueryValues> {
  /** Path parameters. Those named `id` or ending in `Id` contain only digits; any other value causes a 404. */
  readonly params: Readonly<Record<string, string>>;
  /** The numeric path parameter `id`; NaN if the path has none. */
  readonly id: number;
  /** Values of the query parameters that the route declares. Integers are numbers. */
  readonly query: Query;
  readonly body: Body;
  /** The raw body if the route declares `content`; otherwise empty. */
  readonly bytes: Buffer;
  /** The caller, as returned by the route's authenticator. */
  readonly principal: Principal;
  /** Returns a request header, or '' if it is absent. */
  header(name: string): string;
  /** The client's address, as reported by trusted proxies. */
  readonly address: string;
  /**
   * Returns a signal that ends long waits. It aborts when the client disconnects (with the reason `closed`) or the
   * server shuts down (with the reason `shutdown`).
   */
  signal(): AbortSignal;
  /** Calls `listener` once, when the response has been sent or the connection has closed. */
  whenAnswered(listener: () => void): void;
}

/** A rate limit of a route, per address or per authenticated principal. */
export interface RouteLimit {
  readonly rule: RateLimitRule;
  readonly by: 'address' | 'principal';
}

/** A raw body. */
export interface RawContent {
  /** Media types, for the OpenAPI document. The handler checks the type that a client declares. */
  readonly types: readonly string[];
  /** Maximum size in bytes. A larger body is `too_large`. */
  readonly maxBytes: number;
}

/**
 * An endpoint as data, from which routing, validation, the OpenAPI document and the contract tests are derived. `body`
 * and `responses` name definitions in the group's schema file.
 */
export interface Route {
  readonly method: Method;
  /** In Koa-router notation: `/api/chats/:id/messages`. */
  readonly path: string;
  /** Unique camelCase name, which is also the OpenAPI operationId. */
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  /** Name of the authenticator. By default, the route is open to everyone. */
  readonly auth?: string;
  readonly limit?: RouteLimit;
  /** Examples of path parameters that are not numbers, for the OpenAPI document. */
  readonly pathExamples?: Readonly<Record<string, string>>;
  readonly query?: QueryParameters;
  readonly body?: string;
  /** A body other than JSON, which the handler receives as `bytes`. */
  readonly content?: RawContent;
  /**
   * True for a page or a part of one. Its responses have the headers of pages instead of the API's, and the OpenAPI
   * document omits it.
   */
  readonly page?: true;
  /** Request headers that the route reads, for the OpenAPI document. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers of its responses, including errors of the handler, for the OpenAPI document. */
  readonly answerHeaders?: Readonly<Record<string, string>>;
  /** Schema name by status; null for a response that is not JSON. */
  readonly responses: Readonly<Record<number, string | null>>;
  /**
   * Returns whether a request with these headers is for this route. Used if routes of several groups have the same
   * method and path on one listener. The first route that claims a request handles it.
   */
  claims?(header: (name: string) => string): boolean;
  /** Errors of this route besides those of every route. */
  readonly errors?: readonly ErrorCode[];
  /** The definitions in the group's schema whose properties the body of an error has in addition, by its code. */
  readonly errorFields?: Readonly<Partial<Record<ErrorCode, string>>>;
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

/** Returns whether undeclared query parameters are an error, as in the site's API. Pages ignore them. */
export function refusesUndeclared(
  { errorShape }: Pick<RouteGroup, 'errorShape'>,
  { path }: Pick<Route, 'path'>,
): boolean {
  return errorShape === 'site' && path.startsWith('/api/');
}

/** Names of the definitions of a schema file. `Schema` is the module of its validators. */
type DefinitionOf<Schema> = keyof Schema & string;

/** The type of body that a definition of a schema file allows; undefined if the route has no body. */
export type BodyOf<Schema, Name> = Name extends keyof Schema
  ? Schema[Name] extends (data: unknown) => data is infer Body
    ? Body
    : never
  : undefined;

/** A route with a handler whose types follow from the route's declarations. */
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
 * Returns the function that declares the routes of a group. `Schema` is the validator module of the group's schema
 * file. `Principals` contains the principal type of each authenticator by name.
 */
export function routesOf<Schema, Principals = Record<never, never>>() {
  return function defineRoute<
    Name extends DefinitionOf<Schema> | undefined = undefined,
    Auth extends (keyof Principals & string) | undefined = undefined,
    const Query extends QueryParameters = Record<never, never>,
  >(route: TypedRoute<Schema, Principals, Name, Auth, Query>): Route {
    // Safe, because the pipeline first validates the request with this schema and this authenticator.
    return route as Route;
  };
}

/** A standalone Ajv validator that the build generates. */
export interface Validator {
  (data: unknown): boolean;
  errors?: readonly Violation[] | null;
  /** The lenient properties of the body. If this is present, even if empty, all digits of numbers are preserved. */
  readonly numbers?: NumberForms;
}

/** The routes of one feature, with the schema file of their bodies and responses. */
export interface RouteGroup {
  readonly name: string;
  readonly description: string;
  /** Shape of errors. The site's envelope contains `ok: false`; the gateway's does not. */
  readonly errorShape: 'site' | 'gateway';
  /** Name of the schema file without `.schema.json`. */
  readonly schema: string;
  readonly validators: Readonly<Record<string, unknown>>;
  readonly routes: readonly Route[];
}
