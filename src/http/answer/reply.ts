import { stringifyExact } from '../../json/exact-json.js';
import { etagOf } from './etag.js';
import { type ReadyText, readyText } from './ready-text.js';

/**
 * What a handler answers: one of `json` (stringified, bigints as their digits), `content` (sent as it is) and `ready`
 * (a text made before, with its own tag). Long texts are compressed on their way.
 */
export interface Reply {
  readonly status: number;
  readonly json?: unknown;
  readonly content?: Buffer | string;
  readonly ready?: ReadyText;
  /** The end of `ready` that is of this answer alone; the tag leaves it out, and is weak. */
  readonly tail?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Strong ETag, quoted; a request that names it in If-None-Match gets 304 without a body. */
  readonly etag?: string;
}

export type ReadyReply = Reply & { readonly ready: ReadyText };

/** Whether a reply is a text made before. */
export function isReady(reply: Reply): reply is ReadyReply {
  return reply.ready !== undefined;
}

/** 200 with a JSON body. */
export function ok(json: unknown): Reply {
  return { status: 200, json };
}

/** 201 with a JSON body. */
export function created(json: unknown): Reply {
  return { status: 201, json };
}

/** 200 with a JSON body that clients may keep but ask about every time, which its ETag makes cheap. */
export function tagged(json: unknown): Reply {
  const content = Buffer.from(stringifyExact(json));
  return { status: 200, content, etag: etagOf(content), headers: taggedHeaders };
}

const taggedHeaders = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-cache',
};

/**
 * A `tagged` reply that is made when its data changes, not when it is asked for: lazily, and at most once
 * between two changes, compressed ones too. `current()` gives it, `now()` where it is made; call `invalidate()` after every
 * change.
 */
export function prepareReply(read: () => unknown) {
  let ready: Reply | undefined;
  let generation = 0;
  async function rebuild(): Promise<Reply> {
    const started = generation;
    const text = stringifyExact(await read());
    const reply = { status: 200, ready: readyText(text), headers: taggedHeaders };
    // A change while reading makes this reply old: serve it this once, but do not keep it.
    if (started === generation) ready = reply;
    return reply;
  }
  return {
    current: () => ready ?? rebuild(),
    now: () => ready,
    invalidate() {
      generation += 1;
      ready = undefined;
    },
  };
}
