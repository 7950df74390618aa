import type { RecordReader } from '../../base/records.js';

/** A kind of which all records are in memory at once. */
export function listed(kind: string, list: () => Promise<Iterable<object>>): RecordReader {
  return {
    kind,
    async *read() {
      yield* await list();
    },
  };
}
