/** Files that a thread takes at a time: few enough to share evenly, enough to make taking them cheap. */
const batchSize = 8;

/** Batches that may be ahead of the oldest one that is not done: so much is kept in memory at most. */
const furthestAhead = 32;

/** Places in the shared memory. */
const [nextBatch, doneBatches] = [0, 1];

/**
 * Files in a fixed order, dealt out to threads in batches; each batch is taken once. Joins in the work that
 * another thread has started with this memory; without memory, starts it.
 */
export function openSharedWork(
  files: readonly string[],
  memory = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT),
) {
  const state = new Int32Array(memory);
  const batches = Math.ceil(files.length / batchSize);
  /** The number of a batch to do now; undefined where there is none, or none yet. */
  const take = (): number | undefined => {
    for (;;) {
      const batch = Atomics.load(state, nextBatch);
      if (batch >= Math.min(batches, Atomics.load(state, doneBatches) + furthestAhead)) {
        return undefined;
      }
      if (Atomics.compareExchange(state, nextBatch, batch, batch + 1) === batch) return batch;
    }
  };
  return {
    memory,
    batches,
    take,
    /** The same, but blocks the thread while all batches that are left are too far ahead. */
    waitToTake(): number | undefined {
      for (;;) {
        const done = Atomics.load(state, doneBatches);
        const batch = take();
        if (batch !== undefined || Atomics.load(state, nextBatch) >= batches) return batch;
        Atomics.wait(state, doneBatches, done);
      }
    },
    filesOf: (batch: number): readonly string[] =>
      files.slice(batch * batchSize, (batch + 1) * batchSize),
    /** Says that all batches before this one are done and let go of. */
    setDone(batch: number): void {
      Atomics.store(state, doneBatches, batch);
      Atomics.notify(state, doneBatches);
    },
  };
}
