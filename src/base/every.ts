import type { Clock } from './clock.js';

export interface EveryOptions {
  /** Sleeps between two rounds. An alarm can end the sleep early. */
  readonly clock: Pick<Clock, 'sleep'>;
  /** Ends the repetition. A running round is aborted and awaited. */
  readonly signal: AbortSignal;
  /** Sleeps before the first round, too. */
  readonly sleepFirst?: boolean;
  /**
   * Called with a round's failure, unless the signal has aborted; the next round still follows. Without it, a failure
   * ends the repetition and is thrown.
   */
  onError?(error: unknown): void;
}

/** Repeats `work`, `interval` milliseconds after it has ended, until the signal aborts. */
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

/** Starts `every` in the background. `stop` ends it and waits for a running round. */
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

/** A sleep that can be ended early, for one caller at a time. */
export interface Alarm extends Pick<Clock, 'sleep'> {
  /** Ends the current sleep, or the next one if nobody sleeps, so that no call is missed. */
  ring(): void;
}

export function createAlarm(clock: Pick<Clock, 'sleep'>): Alarm {
  let bell = new AbortController();

  /** Aborts only once, because each abort creates an error object. */
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

/** Returns the result of the work, or undefined as soon as the signal aborts; the work then continues unobserved. */
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
