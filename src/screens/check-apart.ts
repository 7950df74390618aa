import { Worker } from 'node:worker_threads';
import { AppError } from '../errors.js';
import { packageFolder } from '../package-files.js';
import type { FileReport } from './findings.js';
import type { LintOptions } from './rules/lint.js';

/** Built beside the command line; sources use the built one, too. */
export const threadScript = `${packageFolder}dist/check-thread.js`;

/** Much is made and soon let go of; room for it spares the engine from clearing up all the time. */
const resourceLimits = { maxYoungGenerationSizeMb: 128 };

/** Checks the bytes of a file on a thread of its own; undefined when the signal ended it. */
export async function checkApart(
  workerData: { readonly file: string; readonly bytes: Buffer; readonly lint: LintOptions },
  signal: AbortSignal,
): Promise<FileReport | undefined> {
  const worker = new Worker(threadScript, { workerData, env: {}, resourceLimits });
  try {
    return await new Promise<FileReport | undefined>((resolve, reject) => {
      const interrupt = (): void => resolve(undefined);
      signal.addEventListener('abort', interrupt, { once: true });
      if (signal.aborted) interrupt();
      worker
        .once('message', resolve)
        .once('error', (cause) => reject(brokenDown(workerData.file, cause)))
        .once('exit', () => signal.removeEventListener('abort', interrupt));
    });
  } finally {
    await worker.terminate();
  }
}

function brokenDown(file: string, cause: Error): AppError {
  return new AppError('internal_error', `${file} cannot be checked: ${cause.message}`, { cause });
}
