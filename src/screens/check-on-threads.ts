import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { AppError } from '../errors.js';
import { threadScript } from './check-apart.js';
import { checkInterruptibly, checkUnlessLarge } from './check-interruptibly.js';
import type { FileReport } from './findings.js';
import { openSharedWork } from './shared-work.js';
import type { CheckOptions } from './validate-files.js';

interface DoneBatch {
  readonly batch: number;
  /** In the order of the files; undefined for a large file, which this thread has checked apart. */
  readonly reports: readonly (FileReport | undefined)[];
}

/**
 * Checks files on this thread and `threads - 1` others, which all take the next batch when they are
 * done with one. Reports come in the order of the files, whichever thread made them. A thread that
 * breaks down ends the run: `internal_error`. When the signal aborts, no further report comes.
 */
export async function* checkOnThreads(
  files: readonly string[],
  options: CheckOptions,
  threads: number,
  signal: AbortSignal,
): AsyncGenerator<FileReport> {
  optimiseLater();
  const work = openSharedWork(files);
  const done = new Map<number, DoneBatch['reports']>();
  const share = { files, options, memory: work.memory };
  const helpers = startHelpers(
    threads - 1,
    share,
    ({ batch, reports }) => done.set(batch, reports),
    signal,
  );
  try {
    for (let next = 0; next < work.batches; next++) {
      while (!done.has(next)) {
        const batch = work.take();
        if (batch === undefined) await helpers.news();
        else done.set(batch, await checkBatch(work.filesOf(batch), options, signal));
        await nextTurn(); // Lets an interruption and the helpers' reports through.
        if (signal.aborted) return;
        helpers.check();
      }
      for (const [index, file] of work.filesOf(next).entries()) {
        const known = done.get(next)?.[index];
        const report = known ?? (await checkInterruptibly(file, options, signal));
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

/**
 * V8 11 (Node.js 20) sets out to optimise a function six times sooner than pays in a run of a second on
 * several threads: a fifth of the processor time went there. Later ones have a quick compiler before it.
 */
function optimiseLater(): void {
  if (process.versions.v8.startsWith('11.')) setFlagsFromString('--interrupt-budget=400000');
}

async function checkBatch(
  files: readonly string[],
  options: CheckOptions,
  signal: AbortSignal,
): Promise<DoneBatch['reports']> {
  const reports: (FileReport | undefined)[] = [];
  for (const file of files) {
    if (signal.aborted) break;
    reports.push(await checkUnlessLarge(file, options));
    await nextTurn(); // Lets an interruption through between two files.
  }
  return reports;
}

interface Helpers {
  /** Waits until a helper has done a batch; throws where one broke down. */
  news(): Promise<void>;
  /** Throws where a helper broke down meanwhile. */
  check(): void;
  end(): Promise<void>;
}

function startHelpers(
  count: number,
  workerData: object,
  onDone: (batch: DoneBatch) => void,
  signal: AbortSignal,
): Helpers {
  let wake = (): void => {};
  signal.addEventListener('abort', () => wake(), { once: true });
  let failure: AppError | undefined;
  const fail = (cause: Error): void => {
    const message = `A thread that checks files broke down: ${cause.message}`;
    failure ??= new AppError('internal_error', message, { cause });
    wake();
  };
  const start = (): Worker =>
    new Worker(threadScript, { workerData, env: {} })
      .on('message', (batch: DoneBatch) => {
        onDone(batch);
        wake();
      })
      .on('error', fail)
      .on('exit', (code) => code !== 0 && fail(new Error(`It ended with exit code ${code}.`)));
  const workers = Array.from({ length: count }, start);
  const check = (): void => {
    if (failure) throw failure;
  };
  return {
    check,
    async news() {
      check();
      if (signal.aborted) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      check();
    },
    async end() {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}
