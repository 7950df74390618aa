import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import type { FileReport } from '../findings/finding.js';
import { openFolding } from '../findings/gather.js';
import {
  type Check,
  type CheckOptions,
  checkContent,
  checkFile,
  checkInProcess,
  checkInterruptibly,
  checkUnlessLarge,
  type FileContent,
  helperFile,
  helperFlag,
} from './check-file.js';

export interface RunOptions extends CheckOptions {
  /** Returns the number of available cores. Called only if there are many files. */
  readonly cores: () => number;
  /** Stops the run. No more reports follow. */
  readonly signal: AbortSignal;
}

/** Checks files and yields their reports in order. Uses several threads if there are many files. */
export async function* checkFiles(
  files: readonly string[],
  { cores, signal, ...options }: RunOptions,
): AsyncGenerator<FileReport> {
  const threads = threadCount(files.length, cores);
  if (threads > 1) {
    yield* checkOnThreads(files, options, threads, signal);
    return;
  }
  const folding = options.fold ? openFolding() : undefined;
  const check: Check = (content) => checkInterruptibly(content, signal, folding);
  for (const [index, file] of files.entries()) {
    if (index > 0) await nextTurn(); // Allows signals to arrive.
    const report = await checkFile(file, options, check);
    if (report === undefined) return;
    yield report;
  }
}

/** Number of files per thread for which an additional thread saves time. Starting one takes about 40 ms. */
const filesPerThread = 150;

/** Maximum number of threads. More would wait for the disk and for the thread that prints. @internal */
const maxThreads = 8;

/** Returns the number of threads, including the main one, for a number of files and cores. */
export function threadCount(files: number, cores: () => number): number {
  const max = Math.min(maxThreads, Math.floor(files / filesPerThread));
  return max > 1 ? Math.min(max, cores()) : 1;
}

/** Number of files in a batch. Smaller batches share the work more evenly, and larger ones need fewer messages. */
const batchSize = 8;
/** Number of batches that a helper thread has at a time, so that it never waits for the next one. */
const batchesPerHelper = 2;
/** Maximum number of batches that are checked ahead of the oldest unfinished one. It limits the reports in memory. */
const maxBatchesAhead = 32;

/** Files for a helper thread to check. */
export interface Batch {
  readonly batch: number;
  readonly files: readonly string[];
}

/** The message of a helper thread after a batch. */
export interface DoneBatch {
  readonly batch: number;
  /** The reports in the order of the files. Undefined for a large file, which the main thread checks separately. */
  readonly reports: readonly (FileReport | undefined)[];
}

/**
 * Checks files in batches on this thread and `threads - 1` others, and yields the reports in the order of the files.
 * If a thread crashes, each of its files is checked in a separate process. No more reports follow after the signal.
 */
async function* checkOnThreads(
  files: readonly string[],
  options: CheckOptions,
  threads: number,
  signal: AbortSignal,
): AsyncGenerator<FileReport> {
  const checkSeparately: Check = (content) => checkInProcess(content, signal);
  const checkAnySize: Check = (content) => checkInterruptibly(content, signal);
  const checkSmall = checkUnlessLarge(options);
  const batchCount = Math.ceil(files.length / batchSize);
  const filesOf = (batch: number) => files.slice(batch * batchSize, (batch + 1) * batchSize);
  const done = new Map<number, DoneBatch['reports']>();
  let oldest = 0;
  let next = 0;
  const take = (): Batch | undefined => {
    if (next >= Math.min(batchCount, oldest + maxBatchesAhead)) return undefined;
    const batch = next++;
    return { batch, files: filesOf(batch) };
  };
  const onDone = ({ batch, reports }: DoneBatch) => done.set(batch, reports);
  const helpers = startHelpers(threads - 1, options, { take, onDone, signal });
  try {
    for (; oldest < batchCount; oldest++) {
      while (!done.has(oldest)) {
        helpers.refill();
        const taken = take();
        if (taken)
          done.set(taken.batch, await checkBatch(taken.files, options, checkSmall, signal));
        else if (helpers.haveCrashed()) {
          // The crashed helper may have received this batch.
          done.set(oldest, await checkBatch(filesOf(oldest), options, checkSeparately, signal));
        } else await helpers.progress();
        await nextTurn(); // Allows signals and messages of the helpers to arrive.
        if (signal.aborted) return;
      }
      for (const [index, file] of filesOf(oldest).entries()) {
        const known = done.get(oldest)?.[index];
        const report = known ?? (await checkFile(file, options, checkAnySize));
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
  for (const file of files) {
    if (signal.aborted) break;
    reports.push(await checkFile(file, options, check));
    await nextTurn(); // Allows signals and messages of the helpers to arrive.
  }
  return reports;
}

interface HelperOptions {
  /** Returns the next batch, or undefined if none is currently available. */
  take(): Batch | undefined;
  onDone(batch: DoneBatch): void;
  readonly signal: AbortSignal;
}

function startHelpers(
  count: number,
  workerData: CheckOptions,
  { take, onDone, signal }: HelperOptions,
) {
  // Loaded lazily, because most runs need no helpers.
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  let wake = (): void => {};
  signal.addEventListener('abort', () => wake(), { once: true });
  /** The running helpers, and the number of batches that each of them has. */
  const loads = new Map<Worker, number>();
  let hasCrashed = false;

  function start(): Worker {
    const worker = new Worker(helperFile, { argv: [helperFlag], workerData, env: {} });
    const fail = (): void => {
      hasCrashed = true;
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

  /** Sends batches to the helpers until each of them has enough. */
  function refill(): void {
    for (const [worker, load] of loads) {
      for (let count = load; count < batchesPerHelper; count++) {
        const batch = take();
        if (!batch) return;
        loads.set(worker, count + 1);
        worker.postMessage(batch);
      }
    }
  }

  const workers = Array.from({ length: count }, start);
  return {
    refill,
    /** Returns true if a helper has crashed and its batches are lost. */
    haveCrashed: () => hasCrashed,
    /** Resolves once a helper finishes a batch or crashes. */
    async progress(): Promise<void> {
      if (signal.aborted || hasCrashed) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    },
    async end(): Promise<void> {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

/**
 * Runs a helper. A thread checks the batches that it receives, and posts their reports. A process checks one large file
 * and sends its report.
 */
export async function helpParent(): Promise<void> {
  const { isMainThread, parentPort, workerData } = process.getBuiltinModule('node:worker_threads');
  if (isMainThread) {
    process.once('message', async (content: FileContent) => {
      process.send?.(await checkContent(content));
    });
    return;
  }
  optimiseLater();
  const options: CheckOptions = workerData;
  const check = checkUnlessLarge(options);
  parentPort?.on('message', async ({ batch, files }: Batch) => {
    const reports = [];
    for (const file of files) reports.push(await checkFile(file, options, check));
    parentPort.postMessage({ batch, reports } satisfies DoneBatch);
  });
}

/**
 * Makes V8 11 (Node.js 20) optimise functions later, which saves a fifth of the processor time of a short run on
 * several threads. Newer versions have an additional fast compiler and do not need this. The flag applies to all
 * threads. It must be set after all code is loaded, because V8 discards compiled code when flags change.
 */
function optimiseLater(): void {
  if (process.versions.v8.startsWith('11.'))
    process.getBuiltinModule('node:v8').setFlagsFromString('--interrupt-budget=800000');
}
