import { AppError } from '../src/base/errors.js';

/** Milliseconds that a command has to end after a signal. @bound */
const grace = 500;

/** The reason to end a command without a signal: nobody reads its output any more. */
const outputGone = 'output';

/** Work of a command that a signal may leave half done. */
export interface UnderWay {
  /**
   * Does `work`. If a signal ends the command in the meantime, or if `work` fails after a signal without a clear outcome,
   * the command ends with `lastWords`, which report what is left unfinished. If `work` succeeds after they have been
   * reported, it fails with them too, so that nothing else is done.
   */
  during<Result>(lastWords: () => AppError, work: () => Promise<Result>): Promise<Result>;
}

/** The same, with the failure to report when the command is abandoned. */
export interface LastWords extends UnderWay {
  /** Returns the last words of the latest unfinished work, which count as reported from then on. */
  current(): AppError | undefined;
}

export function createLastWords(signal: AbortSignal): LastWords {
  const begun: (() => AppError)[] = [];
  let areSaid = false;
  return {
    async during(lastWords, work) {
      begun.push(lastWords);
      try {
        const result = await work();
        if (areSaid) throw lastWords();
        return result;
      } catch (error) {
        throw signal.aborted && !isClear(error) ? lastWords() : error;
      } finally {
        begun.splice(begun.lastIndexOf(lastWords), 1);
      }
    },
    current() {
      areSaid = true;
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
 * Returns the result of `work`. If `work` does not end within half a second after a signal, because it waits for a disk,
 * a database or a provider, it is abandoned; the failure is its last words or `interrupted`.
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
