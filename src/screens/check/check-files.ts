import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import type { FileReport } from '../findings/finding.js';
import { openFolding } from '../findings/gather.js';
import {
  type Check,
  type CheckOptions,
  checkApart,
  checkContent,
  checkFile,
  checkInterruptibly,
  checkUnlessLarge,
  type FileContent,
  helperFile,
  helperFlag,
} from './check-file.js';

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

/** Seconds of work after which interruptions and other threads are heard: people notice a pause ten times as long. */
const turnTime = 0.01;

/**
 * Lets an interruption through between two files, but not between any two: most files take far less time than
 * a turn of the event loop is worth.
 */
function openTurns(): () => Promise<void> {
  // What Node.js loads for `performance` takes longer than to check a small file.
  let began = process.uptime();
  return async () => {
    if (process.uptime() - began < turnTime) return;
    await nextTurn();
    began = process.uptime();
  };
}

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
async function* checkOnThreads(
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

/**
 * Does the work of a helper: a thread checks the batches of files that it is sent, and posts the reports of each; a
 * process checks one large file and sends its report.
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
 * Makes V8 11 (Node.js 20) optimize functions later. It sets out to optimize a function twelve times sooner than pays
 * in a run of a second on several threads: a fifth of the processor time went there. Later versions have a quick
 * compiler before it. The flag holds for all threads, and is set once all code is loaded: V8 refuses what it has compiled
 * under other flags, and this thread would have to compile Node.js and the checker again.
 */
function optimiseLater(): void {
  if (process.versions.v8.startsWith('11.'))
    process.getBuiltinModule('node:v8').setFlagsFromString('--interrupt-budget=800000');
}
