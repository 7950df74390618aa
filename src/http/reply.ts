/** What a handler answers. `json` is stringified; `content` is sent as it is. */
export interface Reply {
  readonly status: number;
  readonly json?: unknown;
  readonly content?: Buffer | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Strong ETag, quoted; a request that names it in If-None-Match gets 304 without a body. */
  readonly etag?: string;
}

/** 200 with a JSON body. */
export function ok(json: unknown): Reply {
  return { status: 200, json };
}

/** 201 with a JSON body. */
export function created(json: unknown): Reply {
  return { status: 201, json };
}
