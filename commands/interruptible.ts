import { AppError } from '../src/base/errors.js';

/** Time that a command has to exit after a signal, in milliseconds. @bound */
const grace = 500;

/** The abort reason when the reader of the output has closed it. */
const outputGone = 'output';

/** Tracks work of a command that a signal may leave unfinished. */
export interface UnfinishedWork {
  /**
   * Runs `work`. If a signal ends the command before `work` has finished, or if `work` then fails without a clear
   * outcome, the command fails with the error from `lastWords`, which reports what is unfinished. If `work` succeeds
   * after that error was reported, this call throws it too, so that the command does nothing else.
   */
  during<Result>(lastWords: () => AppError, work: () => Promise<Result>): Promise<Result>;
}

/** Tracks unfinished work and provides the error to report when the command is abandoned. */
export interface LastWords extends UnfinishedWork {
  /** Returns the error for the latest unfinished work and marks it as reported. */
  current(): AppError | undefined;
}

export function createLastWords(signal: AbortSignal): LastWords {
  const begun: (() => AppError)[] = [];
  let isReported = false;
  return {
    async during(lastWords, work) {
      begun.push(lastWords);
      try {
        const result = await work();
        if (isReported) throw lastWords();
        return result;
      } catch (error) {
        throw signal.aborted && !isClear(error) ? lastWords() : error;
      } finally {
        begun.splice(begun.lastIndexOf(lastWords), 1);
      }
    },
    current() {
      isReported = true;
      return begun.at(-1)?.();
    },
  };
}

/** Returns whether a failure has a clear outcome. */
function isClear(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  return error.code !== 'interrupted' && error.fields.outcome !== 'unknown';
}

/**
 * Returns the result of `work`. If `work` is still running half a second after a signal, for example because it waits
 * for a disk, a database or a provider, abandons it and throws the error from `lastWords` or `interrupted`.
 */
export async function interruptible<Result>(
  signal: AbortSignal,
  work: Promise<Result>,
  lastWords: () => AppError | undefined = () => undefined,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  let arm = () => {};
  const interrupted = new Promise<never>((_, reject) => {
    arm = () => {
      if (signal.reason === outputGone) return;
      const interrupt = () => reject(lastWords() ?? new AppError('interrupted', 'Interrupted.'));
      timer = setTimeout(interrupt, grace);
    };
  });
  signal.addEventListener('abort', arm, { once: true });
  if (signal.aborted) arm();
  try {
    return await Promise.race([work, interrupted]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', arm);
  }
}
