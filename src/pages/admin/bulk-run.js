// One change for many things, a few at a time. No page needed.

/** So many at once keep a small server free for its visitors. */
const together = 4;

/** @typedef {{ id: number, message: string }} Failure */

/**
 * Does something for each; what fails is told with its reason and keeps nothing else from being done.
 *
 * @param {readonly number[]} ids
 * @param {object} options
 * @param {(id: number) => Promise<unknown>} options.act
 * @param {(done: number) => void} options.progress
 * @param {AbortSignal} options.signal stops before the next one
 * @returns {Promise<{ done: number[], failed: Failure[], left: number[] }>} `left` were not begun
 */
export async function runForAll(ids, { act, progress, signal }) {
  const waiting = [...ids];
  /** @type {number[]} */
  const done = [];
  /** @type {Failure[]} */
  const failed = [];
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      try {
        await act(id);
        done.push(id);
      } catch (error) {
        failed.push({ id, message: error.message });
        // Nobody wants the same two thousand times over.
        if (['offline', 'timeout', 'unauthorized'].includes(error.code)) break;
      }
      progress(done.length + failed.length);
      if (signal.aborted) break;
    }
  };
  await Promise.all(Array.from({ length: together }, work));
  return { done, failed, left: waiting };
}
