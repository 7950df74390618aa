import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FileReport } from './findings.js';
import { threadCount } from './threads.js';
import { type CheckOptions, validateFile } from './validate-files.js';

/** Checks files and gives their reports in their order, one by one; many files on several threads. */
export async function* checkFiles(
  files: readonly string[],
  options: CheckOptions,
): AsyncGenerator<FileReport> {
  const threads = threadCount(files.length, options.cores);
  if (threads > 1) {
    const { checkOnThreads } = await import('./check-on-threads.js');
    yield* checkOnThreads(files, options, threads);
    return;
  }
  for (const file of files) {
    yield await validateFile(file, options.cwd, options.lint);
    await nextTurn(); // Lets an interruption through between two files.
  }
}
