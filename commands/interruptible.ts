import { AppError } from '../src/base/errors.js';

/** Milliseconds in which a command may end on its own after a signal. @bound */
const grace = 500;

/** Why a command is asked to end besides a signal: nobody reads its output any more. */
const outputGone = 'output';

/** What a command has under way that a signal may leave half done. */
export interface UnderWay {
  /**
   * Does `work`. Where a signal ends the command meanwhile, or `work` fails after one without saying what came of it,
   * the command ends with `lastWords`: what is left behind. Once they are said they hold: `work` that succeeds later
   * still fails with them, so that nothing is done on top of it.
   */
  during<Result>(lastWords: () => AppError, work: () => Promise<Result>): Promise<Result>;
}

/** The same, and what is to be said when the command is left alone. */
export interface LastWords extends UnderWay {
  /** Of what was begun last and has not ended; said from then on. */
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

/** Whether a failure says that nothing was done. */
function isClear(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  return error.code !== 'interrupted' && error.fields.outcome !== 'unknown';
}

/**
 * What `work` gives. Where a signal asks it to end and it does not, since a disk, a database or a provider
 * lets it wait, it is left alone after half a second, with its last words or `interrupted`.
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
