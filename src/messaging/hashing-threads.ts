import { once } from 'node:events';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { AppError } from '../base/errors.js';

/** A password that a thread compares with a hash, hashes, or both. */
export interface HashingTask {
  readonly password: string;
  /** A hash to compare the password with. */
  readonly hash?: string;
  /** The bcrypt costs to hash the password with, after the comparison. */
  readonly costs: readonly number[];
}

export interface HashingOutcome {
  /** True if the password matches `hash`; false without a hash. */
  readonly isMatch: boolean;
  /** One hash for each of `costs`. */
  readonly hashes: readonly string[];
}

export interface HashingThreadsOptions {
  /** Number of threads. By default, one less than the number of cores, but at least 1 and at most 4. */
  readonly threads?: number;
  /** Maximum number of tasks that wait for a thread; 200 by default. */
  readonly maxQueue?: number;
}

/**
 * The worker's code. It is a string, so that it runs both from the sources and from the build. On Linux, it lowers the
 * priority of its thread, so that the main thread can handle requests first.
 */
const workerCode = `
const { parentPort, workerData } = require('node:worker_threads');
const { readlinkSync } = require('node:fs');
const { basename } = require('node:path');
try {
  require('node:os').setPriority(Number(basename(readlinkSync('/proc/thread-self'))), 10);
} catch {}
const bcrypt = require(workerData.bcrypt);
parentPort.on('message', ({ password, hash, costs }) => {
  try {
    const isMatch = hash !== undefined && bcrypt.compareSync(password, hash);
    const hashes = costs.map((cost) => bcrypt.hashSync(password, cost));
    parentPort.postMessage({ outcome: { isMatch, hashes } });
  } catch (error) {
    parentPort.postMessage({ error: String(error) });
  }
});
`;

interface Thread {
  readonly worker: Worker;
  /** Aborted after the thread has ended. */
  readonly ended: AbortSignal;
}

export type HashingThreads = ReturnType<typeof createHashingThreads>;

/** Maximum number of passwords that wait to be hashed. */
const maxWaiting = 200;

/**
 * Creates threads that run bcrypt, so that it does not block the main thread. They start when they are first needed.
 */
export function createHashingThreads(options: HashingThreadsOptions = {}) {
  const { maxQueue = maxWaiting } = options;
  const { threads: size = Math.min(4, Math.max(1, availableParallelism() - 1)) } = options;
  const limit = pLimit(size);
  const threads = new Set<Thread>();
  const idle = new Set<Thread>();
  let closed = false;

  function start(): Thread {
    const bcrypt = createRequire(import.meta.url).resolve('bcryptjs');
    const worker = new Worker(workerCode, { eval: true, workerData: { bcrypt }, env: {} });
    const end = new AbortController();
    const thread = { worker, ended: end.signal };
    threads.add(thread);
    worker.unref();
    // The signal `ended` rejects a waiting task. The next task starts a new thread.
    worker.on('error', () => {});
    worker.on('exit', () => {
      threads.delete(thread);
      idle.delete(thread);
      end.abort();
    });
    return thread;
  }

  async function work(task: HashingTask): Promise<HashingOutcome> {
    assertOpen();
    const [thread = start()] = idle;
    idle.delete(thread);
    try {
      const answer = once(thread.worker, 'message', { signal: thread.ended });
      thread.worker.postMessage(task);
      const [{ outcome, error }] = await answer;
      idle.add(thread);
      if (outcome) return outcome;
      throw new Error(`bcrypt: ${error}`);
    } catch (cause) {
      throw new AppError('internal_error', 'Hashing the password failed.', { cause });
    }
  }

  function assertOpen(): void {
    if (closed) throw new AppError('shutting_down', 'The service is stopping.');
  }

  return {
    /** Throws `rate_limited` if too many tasks are waiting, and `shutting_down` after closing. */
    async run(task: HashingTask): Promise<HashingOutcome> {
      assertOpen();
      if (limit.pendingCount >= maxQueue) {
        const message = 'Too many people are signing in at the moment. Try again shortly.';
        throw new AppError('rate_limited', message, { headers: { 'Retry-After': '2' } });
      }
      return limit(work, task);
    },
    async close(): Promise<void> {
      closed = true;
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}
