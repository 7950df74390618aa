// Makes one change to many things, a few at a time. No page needed.

import type { ApiError } from './api.ts';

/** Calls at a time: a small server stays responsive for its visitors. */
const together = 4;

interface Failure {
  id: number;
  error: ApiError;
}

/**
 * Calls `act` for each ID; a failure is reported with its reason and does not stop the others.
 * @returns `left` were not started
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
        // These would fail the same way for every other ID.
        if (['offline', 'timeout', 'unauthorized'].includes(error.code)) break;
      }
      progress(done.length + failed.length);
      if (signal.aborted) break;
    }
  };
  await Promise.all(Array.from({ length: together }, work));
  return { done, failed, left: waiting };
}
