// One change for many things, a few at a time. No page needed.

import type { ApiError } from './api.ts';

/** So many at once keep a small server free for its visitors. */
const together = 4;

interface Failure {
  id: number;
  error: ApiError;
}

/**
 * Does something for each; what fails is told with its reason and keeps nothing else from being done.
 * @returns `left` were not begun
 */
export async function runForAll(
  ids: readonly number[],
  {
    act,
    progress,
    signal,
  }: {
    act: (id: number) => Promise<unknown>;
    progress: (done: number) => void;
    /** stops before the next one */
    signal: AbortSignal;
  },
): Promise<{ done: number[]; failed: Failure[]; left: number[] }> {
  const waiting = [...ids];
  const done: number[] = [];
  const failed: Failure[] = [];
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      try {
        await act(id);
        done.push(id);
      } catch (error) {
        failed.push({ id, error });
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
