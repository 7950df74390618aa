import type { Clock } from './clock.js';

export interface EveryOptions {
  /** Sleeps between two rounds; an alarm does as well, which ends the sleep early. */
  readonly clock: Pick<Clock, 'sleep'>;
  /** Ends it; a round under way is aborted and waited for. */
  readonly signal: AbortSignal;
  /** Sleep before the first round, too. */
  readonly sleepFirst?: boolean;
  /**
   * Called with a round's failure, unless the signal has aborted; the next one follows all the same.
   * Without it a failure ends the whole and is thrown.
   */
  onError?(error: unknown): void;
}

/** Does `work` again and again, `interval` milliseconds after its last end, until the signal aborts. */
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

/** `every` with a signal of its own: `stop` ends it and waits for the round under way. */
export function startEvery(
  interval: number,
  work: (signal: AbortSignal) => unknown,
  options: Omit<EveryOptions, 'signal'>,
) {
  const running = inBackground((signal) => every(interval, work, { ...options, signal }));
  running.start();
  return running;
}

/** Runs `work` once, from `start` until `stop`, which aborts its signal and waits for it. */
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

/** What comes of the work, or undefined as soon as the signal aborts: nobody waits for the rest. */
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
