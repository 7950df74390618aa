import type { Clock } from './clock.js';

/** A sleep that can be ended early, of one sleeper at a time. */
export interface Alarm extends Pick<Clock, 'sleep'> {
  /** Ends the sleep, or the next one where nobody sleeps: what rings is never missed. */
  ring(): void;
}

export function createAlarm(clock: Pick<Clock, 'sleep'>): Alarm {
  let bell = new AbortController();

  /** Aborting again what is aborted would cost an error object each time. */
  function ring(): void {
    if (!bell.signal.aborted) bell.abort();
  }

  return {
    ring,
    async sleep(milliseconds, signal) {
      if (signal?.aborted) return;
      signal?.addEventListener('abort', ring, { once: true });
      await clock.sleep(milliseconds, bell.signal);
      signal?.removeEventListener('abort', ring);
      if (bell.signal.aborted) bell = new AbortController();
    },
  };
}
