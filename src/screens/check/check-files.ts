import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkInterruptibly } from './check-interruptibly.js';
import type { FileReport } from './findings.js';
import { threadCount } from './threads.js';
import { type CheckOptions, checkFile } from './validate-files.js';

/** What a run needs besides. */
export interface RunOptions extends CheckOptions {
  /** Cores that may be kept busy. */
  readonly cores: number;
  /** Ends the run: no further report is given. */
  readonly signal: AbortSignal;
}

/** Checks files and gives their reports in their order, one by one; many files on several threads. */
export async function* checkFiles(
  files: readonly string[],
  { cores, signal, ...options }: RunOptions,
): AsyncGenerator<FileReport> {
  const threads = threadCount(files.length, cores);
  if (threads > 1) {
    const { checkOnThreads } = await import('./check-on-threads.js');
    yield* checkOnThreads(files, options, threads, signal);
    return;
  }
  for (const file of files) {
    const report = await checkFile(file, options, (content) => checkInterruptibly(content, signal));
    if (report === undefined) return;
    yield report;
    await nextTurn(); // Lets an interruption through between two files.
  }
}
