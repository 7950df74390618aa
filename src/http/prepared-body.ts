import { etagOf } from './etag.js';
import type { Reply } from './reply.js';

/**
 * A JSON answer that is serialised when its data changes, not when it is asked for. `current()`
 * gives the ready reply; call `invalidate()` after every change.
 */
export interface PreparedBody {
  current(): Promise<Reply> | Reply;
  invalidate(): void;
}

/** Prepares the answer `read()` gives, lazily and at most once between two changes. */
export function prepareBody(read: () => Promise<unknown> | unknown): PreparedBody {
  let ready: Reply | undefined;
  let generation = 0;
  async function rebuild(): Promise<Reply> {
    const started = generation;
    const content = Buffer.from(JSON.stringify(await read()));
    const reply: Reply = { status: 200, content, etag: etagOf(content), headers: jsonHeaders };
    // A change while reading makes this reply old: serve it this once, but do not keep it.
    if (started === generation) ready = reply;
    return reply;
  }
  return {
    current: () => ready ?? rebuild(),
    invalidate() {
      generation += 1;
      ready = undefined;
    },
  };
}

// no-cache: clients may keep it but ask every time, which the ETag makes cheap.
const jsonHeaders = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-cache',
};
