import type { Entry } from './record-stream.js';

/** A stream's entries, kind after kind. */
export interface EntryGroups {
  /** The records of a kind that come next; none where another kind comes. */
  of(kind: string): AsyncGenerator<object>;
  /** Reads to the end of the stream, which tells whether it was whole. */
  end(): Promise<void>;
}

/** Kinds have to be asked for in the order of the stream. */
export function createEntryGroups(entries: AsyncIterable<Entry>): EntryGroups {
  const iterator = entries[Symbol.asyncIterator]();
  let next: IteratorResult<Entry> | undefined;

  return {
    async *of(kind) {
      next ??= await iterator.next();
      while (!next.done && next.value.kind === kind) {
        yield next.value.record;
        next = await iterator.next();
      }
    },
    async end() {
      next ??= await iterator.next();
      if (!next.done) throw new Error(`Nobody takes records of the kind ${next.value.kind}.`);
    },
  };
}
