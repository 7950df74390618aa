import { type Check, type CheckOptions, checkFile } from './check-file.js';
import { checkInterruptibly } from './check-interruptibly.js';
import type { FileReport } from './findings.js';
import { openFolding } from './folding.js';
import { openTurns } from './turns.js';

/** What a run needs besides. */
export interface RunOptions extends CheckOptions {
  /** Cores that may be kept busy; asked for only where files are many. */
  readonly cores: () => number;
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
  const folding = options.fold ? openFolding() : undefined;
  const betweenFiles = openTurns();
  const check: Check = (content) => checkInterruptibly(content, signal, folding);
  for (const [index, file] of files.entries()) {
    if (index > 0) await betweenFiles();
    const report = await checkFile(file, options, check);
    if (report === undefined) return;
    yield report;
  }
}

/** Files that a further thread has to have to itself before it pays for its start (about 40 ms). */
const filesPerThread = 150;

/** The most threads: further ones wait for the disk and for the thread that prints. @internal */
const mostThreads = 8;

/** How many threads, the main one included, check so many files on a machine of so many cores. */
export function threadCount(files: number, cores: () => number): number {
  const most = Math.min(mostThreads, Math.floor(files / filesPerThread));
  return most > 1 ? Math.min(most, cores()) : 1;
}
