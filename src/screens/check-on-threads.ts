import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { AppError } from '../errors.js';
import { packageFolder } from '../package-files.js';
import type { FileReport } from './findings.js';
import { openSharedWork } from './shared-work.js';
import { type CheckOptions, validateFile } from './validate-files.js';

/** Built beside the command line; sources use the built one, too. */
const threadScript = `${packageFolder}dist/check-thread.js`;

interface DoneBatch {
  readonly batch: number;
  readonly reports: readonly FileReport[];
}

/**
 * Checks files on this thread and `threads - 1` others, which all take the next batch when they are
 * done with one. Reports come in the order of the files, whichever thread made them. A thread that
 * breaks down ends the run: `internal_error`.
 */
export async function* checkOnThreads(
  files: readonly string[],
  options: CheckOptions,
  threads: number,
): AsyncGenerator<FileReport> {
  optimiseLater();
  const work = openSharedWork(files);
  const done = new Map<number, readonly FileReport[]>();
  const share = { files, options, memory: work.memory };
  const helpers = startHelpers(threads - 1, share, ({ batch, reports }) =>
    done.set(batch, reports),
  );
  try {
    for (let next = 0; next < work.batches; next++) {
      while (!done.has(next)) {
        const batch = work.take();
        if (batch === undefined) await helpers.news();
        else done.set(batch, await checkBatch(work.filesOf(batch), options));
        await nextTurn(); // Lets an interruption and the helpers' reports through.
        helpers.check();
      }
      yield* done.get(next) ?? [];
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
  { cwd, lint }: CheckOptions,
): Promise<readonly FileReport[]> {
  const reports: FileReport[] = [];
  for (const file of files) reports.push(await validateFile(file, cwd, lint));
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
): Helpers {
  let wake = (): void => {};
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
