import type { Clock } from './clock.js';

/** Calls `expire` after `milliseconds`, unless the returned function is called first. */
export function startDeadline(
  clock: Pick<Clock, 'sleep'>,
  milliseconds: number,
  expire: () => void,
): () => void {
  const ended = new AbortController();
  void clock.sleep(milliseconds, ended.signal).then(() => {
    if (!ended.signal.aborted) expire();
  });
  return () => ended.abort();
}
