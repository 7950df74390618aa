import { AppError } from '../src/base/errors.js';

/** Milliseconds that a command has after a signal for an end of its own: a last word, a lock given back. */
const grace = 500;

/** Why a command is asked to end besides a signal: nobody reads its output any more. */
const outputGone = 'output';

/**
 * What `work` gives. Where a signal asks it to end and it does not, since a disk, a database or a provider
 * lets it wait, it is left alone after half a second: `interrupted`.
 */
export async function interruptible<Result>(
  signal: AbortSignal,
  work: Promise<Result>,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  let arm = () => {};
  const interrupted = new Promise<never>((_, reject) => {
    arm = () => {
      if (signal.reason === outputGone) return;
      timer = setTimeout(() => reject(new AppError('interrupted', 'Interrupted.')), grace);
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
