import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { checkApart, checkInterruptibly, helperFile } from './check-apart.js';
import { type Check, type CheckOptions, checkFile, checkUnlessLarge } from './check-file.js';
import type { FileReport } from './findings.js';
import { helperFlag } from './helper-flag.js';
import { openTurns } from './turns.js';

/** Files that a thread is given at a time: few enough to share evenly, enough to make handing them over cheap. */
const batchSize = 8;
/** Batches that a helping thread has at a time: it does one while the report of another is on its way. */
const batchesOfHelper = 2;
/** Batches that may be ahead of the oldest one that is not done: so much is kept in memory at most. */
const furthestAhead = 32;

/** Files for a helping thread to check. */
export interface Batch {
  readonly batch: number;
  readonly files: readonly string[];
}

/** What it posts when it has checked them. */
export interface DoneBatch {
  readonly batch: number;
  /** In the order of the files; undefined for a large file, which the main thread checks apart. */
  readonly reports: readonly (FileReport | undefined)[];
}

/**
 * Checks files on this thread and `threads - 1` others, in batches. Reports come in the order of the files, whichever
 * thread made them. The files of a thread that breaks down are checked each in a process of its own. When the signal
 * aborts, no further report comes.
 */
export async function* checkOnThreads(
  files: readonly string[],
  options: CheckOptions,
  threads: number,
  signal: AbortSignal,
): AsyncGenerator<FileReport> {
  const apart: Check = (content) => checkApart(content, signal);
  const here: Check = (content) => checkInterruptibly(content, signal);
  const inOrder = checkUnlessLarge(options);
  const batchCount = Math.ceil(files.length / batchSize);
  const filesOf = (batch: number) => files.slice(batch * batchSize, (batch + 1) * batchSize);
  const done = new Map<number, DoneBatch['reports']>();
  let oldest = 0;
  let dealt = 0;
  const take = (): Batch | undefined => {
    if (dealt >= Math.min(batchCount, oldest + furthestAhead)) return undefined;
    const batch = dealt++;
    return { batch, files: filesOf(batch) };
  };
  const onDone = ({ batch, reports }: DoneBatch) => done.set(batch, reports);
  const helpers = startHelpers(threads - 1, options, { take, onDone, signal });
  try {
    for (; oldest < batchCount; oldest++) {
      while (!done.has(oldest)) {
        helpers.refill();
        const own = take();
        if (own) done.set(own.batch, await checkBatch(own.files, options, inOrder, signal));
        else if (helpers.brokeDown()) {
          // It may have been this batch that the helper took with it.
          done.set(oldest, await checkBatch(filesOf(oldest), options, apart, signal));
        } else await helpers.progress();
        await nextTurn(); // Lets an interruption and the helpers' reports through.
        if (signal.aborted) return;
      }
      for (const [index, file] of filesOf(oldest).entries()) {
        const known = done.get(oldest)?.[index];
        const report = known ?? (await checkFile(file, options, here));
        if (report === undefined) return;
        yield report;
      }
      done.delete(oldest);
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

interface HelperOptions {
  /** Returns the next batch; undefined if there is none for now. */
  take(): Batch | undefined;
  onDone(batch: DoneBatch): void;
  readonly signal: AbortSignal;
}

function startHelpers(
  count: number,
  workerData: CheckOptions,
  { take, onDone, signal }: HelperOptions,
) {
  // Loaded here, because most runs need no helper.
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  let wake = (): void => {};
  signal.addEventListener('abort', () => wake(), { once: true });
  /** The helpers at work, each with the number of batches that it has. */
  const loads = new Map<Worker, number>();
  let broken = false;

  function start(): Worker {
    const worker = new Worker(helperFile, { argv: [helperFlag], workerData, env: {} });
    const fail = (): void => {
      broken = true;
      loads.delete(worker);
      wake();
    };
    loads.set(worker, 0);
    return worker
      .on('message', (batch: DoneBatch) => {
        loads.set(worker, (loads.get(worker) ?? 0) - 1);
        onDone(batch);
        refill();
        wake();
      })
      .on('error', fail)
      .on('exit', (code) => code !== 0 && fail());
  }

  /** Gives the helpers as much as they may have. */
  function refill(): void {
    for (const [worker, load] of loads) {
      for (let held = load; held < batchesOfHelper; held++) {
        const batch = take();
        if (!batch) return;
        loads.set(worker, held + 1);
        worker.postMessage(batch);
      }
    }
  }

  const workers = Array.from({ length: count }, start);
  return {
    refill,
    /** Whether a helper has broken down: the batches that it had are lost. */
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
