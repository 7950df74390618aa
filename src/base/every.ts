import type { Clock } from './clock.js';

export interface EveryOptions {
  /** Clock for the sleep between two rounds. An alarm can end the sleep early. */
  readonly clock: Pick<Clock, 'sleep'>;
  /** Stops the repetition. A running round is aborted and awaited. */
  readonly signal: AbortSignal;
  /** True to sleep before the first round as well. */
  readonly sleepFirst?: boolean;
  /**
   * Called with the error of a failed round, unless the signal has aborted. The next round still runs. Without this
   * callback, an error stops the repetition and is thrown.
   */
  onError?(error: unknown): void;
}

/** Repeats `work` until the signal aborts, with `interval` milliseconds between the end of a round and the next one. */
export async function every(
  interval: number,
  work: (signal: AbortSignal) => unknown,
  options: EveryOptions,
): Promise<void> {
  const { clock, signal, sleepFirst = false, onError } = options;
  if (sleepFirst) await clock.sleep(interval, signal);
  while (!signal.aborted) {
    try {
      await work(signal);
    } catch (error) {
      if (!onError) throw error;
      if (!signal.aborted) onError(error);
    }
    await clock.sleep(interval, signal);
  }
}

/** Runs `every` in the background. `stop` stops it and waits for a running round. */
export function startEvery(
  interval: number,
  work: (signal: AbortSignal) => unknown,
  options: Omit<EveryOptions, 'signal'>,
) {
  const running = inBackground((signal) => every(interval, work, { ...options, signal }));
  running.start();
  return running;
}

/** Runs `work` from `start` until `stop`, which aborts its signal and waits for it. */
export function inBackground(work: (signal: AbortSignal) => Promise<unknown>) {
  const stopping = new AbortController();
  let running: Promise<unknown> | undefined;
  return {
    isRunning: () => running !== undefined,
    start(): void {
      running ??= work(stopping.signal);
    },
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}

/** A sleep that can be ended early. Only one caller may sleep at a time. */
export interface Alarm extends Pick<Clock, 'sleep'> {
  /** Ends the current sleep, or the next one if no caller is sleeping, so that no call is missed. */
  ring(): void;
}

export function createAlarm(clock: Pick<Clock, 'sleep'>): Alarm {
  let bell = new AbortController();

  /** Skips repeated aborts, because each abort creates an error object. */
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

/** Returns the result of `work`, or undefined as soon as the signal aborts. The work itself continues. */
export async function untilInterrupted<T>(
  signal: AbortSignal,
  work: Promise<T>,
): Promise<T | undefined> {
  let stop = (): void => {};
  const interrupted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([work, interrupted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
