import { stringifyExact } from '../../json/exact-json.js';
import { etagOf, jsonHeaders, type Representation } from './representation.js';

/**
 * A handler's response. It has at most one of `json` (stringified, with bigints as digits), `content` (sent unchanged)
 * and `representation` (created once, with its own ETag and headers). Long texts are compressed.
 */
export interface Reply {
  readonly status: number;
  readonly json?: unknown;
  readonly content?: Buffer | string;
  readonly representation?: Representation;
  /** Headers in addition to those of `representation`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The quoted ETag. A request that names it in If-None-Match receives 304 without a body. */
  readonly etag?: string;
}

/** Returns 200 with a JSON body. */
export function ok(json: unknown): Reply {
  return { status: 200, json };
}

/** Returns 201 with a JSON body. */
export function created(json: unknown): Reply {
  return { status: 201, json };
}

/** Returns 200 with a representation. */
export function okWith(representation: Representation, headers?: Reply['headers']): Reply {
  return { status: 200, representation, headers };
}

/** Returns 200 with a JSON body and its ETag. */
export function tagged(json: unknown): Reply & { readonly etag: string } {
  const content = Buffer.from(stringifyExact(json));
  return { status: 200, content, etag: etagOf(content), headers: jsonHeaders };
}
