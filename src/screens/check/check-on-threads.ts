import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { checkApart, threadScript } from './check-apart.js';
import { type Check, type CheckOptions, checkFile, checkUnlessLarge } from './check-file.js';
import { checkInterruptibly } from './check-interruptibly.js';
import type { FileReport } from './findings.js';
import { openSharedWork } from './shared-work.js';
import { openTurns } from './turns.js';

/** What a helping thread is started with. */
export interface ThreadWork {
  readonly files: readonly string[];
  readonly options: CheckOptions;
  readonly memory: SharedArrayBuffer;
}

/** What it posts. */
export interface DoneBatch {
  readonly batch: number;
  /** In the order of the files; undefined for a large file, which this thread has checked apart. */
  readonly reports: readonly (FileReport | undefined)[];
}

/**
 * Checks files on this thread and `threads - 1` others, which all take the next batch when they are
 * done with one. Reports come in the order of the files, whichever thread made them. The files of a
 * thread that breaks down are checked each in a process of its own. When the signal aborts, no further
 * report comes.
 */
export async function* checkOnThreads(
  files: readonly string[],
  options: CheckOptions,
  threads: number,
  signal: AbortSignal,
): AsyncGenerator<FileReport> {
  const work = openSharedWork(files);
  const apart: Check = (content) => checkApart(content, signal);
  const here: Check = (content) => checkInterruptibly(content, signal);
  const inOrder = checkUnlessLarge(options);
  const done = new Map<number, DoneBatch['reports']>();
  const onDone = ({ batch, reports }: DoneBatch) => done.set(batch, reports);
  const share: ThreadWork = { files, options, memory: work.memory };
  const helpers = startHelpers(threads - 1, share, onDone, signal);
  try {
    for (let next = 0; next < work.batches; next++) {
      while (!done.has(next)) {
        const batch = work.take();
        if (batch !== undefined) {
          done.set(batch, await checkBatch(work.filesOf(batch), options, inOrder, signal));
        } else if (helpers.brokeDown()) {
          // It may have been this batch that the helper took with it.
          done.set(next, await checkBatch(work.filesOf(next), options, apart, signal));
        } else await helpers.progress();
        await nextTurn(); // Lets an interruption and the helpers' reports through.
        if (signal.aborted) return;
      }
      for (const [index, file] of work.filesOf(next).entries()) {
        const known = done.get(next)?.[index];
        const report = known ?? (await checkFile(file, options, here));
        if (report === undefined) return;
        yield report;
      }
      done.delete(next);
      work.setDone(next + 1);
    }
  } finally {
    await helpers.end();
  }
}

async function checkBatch(
  files: readonly string[],
  options: CheckOptions,
  check: Check,
  signal: AbortSignal,
): Promise<DoneBatch['reports']> {
  const reports: (FileReport | undefined)[] = [];
  const endOfFile = openTurns();
  for (const file of files) {
    if (signal.aborted) break;
    reports.push(await checkFile(file, options, check));
    await endOfFile();
  }
  return reports;
}

function startHelpers(
  count: number,
  workerData: ThreadWork,
  onDone: (batch: DoneBatch) => void,
  signal: AbortSignal,
) {
  let wake = (): void => {};
  signal.addEventListener('abort', () => wake(), { once: true });
  let broken = false;
  const fail = (): void => {
    broken = true;
    wake();
  };
  const start = (): Worker =>
    new Worker(threadScript, { workerData, env: {} })
      .on('message', (batch: DoneBatch) => {
        onDone(batch);
        wake();
      })
      .on('error', fail)
      .on('exit', (code) => code !== 0 && fail());
  const workers = Array.from({ length: count }, start);
  return {
    /** Whether a helper has broken down: the batch that it had is lost. */
    brokeDown: () => broken,
    /** Waits until a helper has done a batch, or breaks down. */
    async progress(): Promise<void> {
      if (signal.aborted || broken) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    },
    async end(): Promise<void> {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}
