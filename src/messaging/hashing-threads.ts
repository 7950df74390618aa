import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { AppError } from '../base/errors.js';

/** What one thread does with a password in one go. */
export interface HashingTask {
  readonly password: string;
  /** A hash to compare it with. */
  readonly hash?: string;
  /** bcrypt's costs to hash it at, after that. */
  readonly costs: readonly number[];
}

export interface HashingOutcome {
  /** Whether the password is that of `hash`; false without one. */
  readonly isMatch: boolean;
  /** What was made at each of `costs`. */
  readonly hashes: readonly string[];
}

/** Threads that do bcrypt's work, off the one that answers requests. */
export interface HashingThreads {
  /** `rate_limited` where too many wait already, `shutting_down` once closed. */
  run(task: HashingTask): Promise<HashingOutcome>;
  close(): Promise<void>;
}

export interface HashingThreadsOptions {
  /** Threads; one less than the machine has cores, at most 4, by default. */
  readonly threads?: number;
  /** Tasks that may wait for a thread; 200 by default. */
  readonly longestQueue?: number;
}

/**
 * The worker's code, as text so that it runs the same from sources and from the build. It gives way
 * to the threads that answer requests (a thread's own priority is a Linux matter; elsewhere no harm).
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

interface Job {
  readonly task: HashingTask;
  resolve(outcome: HashingOutcome): void;
  reject(error: unknown): void;
}

interface Thread {
  readonly worker: Worker;
  job: Job | undefined;
}

/** Threads start when they are first needed. */
export function createHashingThreads(options: HashingThreadsOptions = {}): HashingThreads {
  const { longestQueue = 200 } = options;
  const { threads: most = Math.min(4, Math.max(1, availableParallelism() - 1)) } = options;
  const threads = new Set<Thread>();
  const queue: Job[] = [];
  let closed = false;

  function start(): Thread {
    const bcrypt = createRequire(import.meta.url).resolve('bcryptjs');
    const worker = new Worker(workerCode, { eval: true, workerData: { bcrypt }, env: {} });
    const thread: Thread = { worker, job: undefined };
    worker.unref();
    worker.on('message', ({ outcome, error }: { outcome?: HashingOutcome; error?: string }) => {
      const { job } = thread;
      thread.job = undefined;
      if (outcome === undefined) job?.reject(new AppError('internal_error', `bcrypt: ${error}`));
      else job?.resolve(outcome);
      assign();
    });
    worker.on('error', (cause) => end(thread, cause));
    worker.on('exit', () => end(thread, new Error('The hashing thread ended.')));
    threads.add(thread);
    return thread;
  }

  function end(thread: Thread, cause: unknown): void {
    threads.delete(thread);
    thread.job?.reject(new AppError('internal_error', 'Hashing the password failed.', { cause }));
    thread.job = undefined;
    if (!closed) assign();
  }

  function assign(): void {
    while (queue.length > 0) {
      const idle = [...threads].find(({ job }) => !job);
      const thread = idle ?? (threads.size < most ? start() : undefined);
      const job = thread && queue.shift();
      if (!job) return;
      thread.job = job;
      thread.worker.postMessage(job.task);
    }
  }

  return {
    run(task) {
      if (closed) return Promise.reject(new AppError('shutting_down', 'The service is stopping.'));
      if (queue.length >= longestQueue) {
        return Promise.reject(
          new AppError(
            'rate_limited',
            'Too many people sign in at this moment. Try again shortly.',
            { headers: { 'Retry-After': '2' } },
          ),
        );
      }
      return new Promise((resolve, reject) => {
        queue.push({ task, resolve, reject });
        assign();
      });
    },
    async close() {
      closed = true;
      for (const { reject } of queue.splice(0)) {
        reject(new AppError('shutting_down', 'The service is stopping.'));
      }
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}
