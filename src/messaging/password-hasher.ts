import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { AppError } from '../errors.js';

/** bcrypt off the main thread, so that sign-ins stall nobody else. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** With an undefined hash (nobody has that e-mail) it takes as long and gives false. */
  matches(password: string, hash: string | undefined): Promise<boolean>;
  close(): Promise<void>;
}

export interface PasswordHasherOptions {
  /** bcrypt's cost: each step doubles the work. */
  readonly cost: number;
  /** Threads; one less than the machine has cores, at most 4, unless told. */
  readonly threads?: number;
  /** Calls that may wait for a thread; more are refused (`rate_limited`). */
  readonly longestQueue?: number;
}

/** bcrypt looks at 72 bytes and ignores the rest, so longer passwords are refused. */
export const longestPasswordBytes = 72;

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
parentPort.on('message', ({ password, hash, cost }) => {
  try {
    const value = hash === undefined
      ? bcrypt.hashSync(password, cost)
      : bcrypt.compareSync(password, hash);
    parentPort.postMessage({ value });
  } catch (error) {
    parentPort.postMessage({ error: String(error) });
  }
});
`;

interface Task {
  readonly password: string;
  readonly hash?: string;
  readonly cost: number;
}

interface Job {
  readonly task: Task;
  resolve(value: string | boolean): void;
  reject(error: unknown): void;
}

interface Thread {
  readonly worker: Worker;
  job: Job | undefined;
}

/** Threads start when they are first needed. */
export function createPasswordHasher(options: PasswordHasherOptions): PasswordHasher {
  const { cost, longestQueue = 200 } = options;
  const { threads: most = Math.min(4, Math.max(1, availableParallelism() - 1)) } = options;
  const threads = new Set<Thread>();
  const queue: Job[] = [];
  let closed = false;

  function start(): Thread {
    const bcrypt = createRequire(import.meta.url).resolve('bcryptjs');
    const worker = new Worker(workerCode, { eval: true, workerData: { bcrypt }, env: {} });
    const thread: Thread = { worker, job: undefined };
    worker.unref();
    worker.on('message', ({ value, error }: { value?: string | boolean; error?: string }) => {
      const { job } = thread;
      thread.job = undefined;
      if (value === undefined) job?.reject(new AppError('internal_error', `bcrypt: ${error}`));
      else job?.resolve(value);
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

  function run(task: Task): Promise<string | boolean> {
    if (closed) return Promise.reject(new AppError('shutting_down', 'The service is stopping.'));
    if (queue.length >= longestQueue) {
      return Promise.reject(
        new AppError('rate_limited', 'Too many people sign in at this moment. Try again shortly.', {
          headers: { 'Retry-After': '2' },
        }),
      );
    }
    return new Promise((resolve, reject) => {
      queue.push({ task, resolve, reject });
      assign();
    });
  }

  const nobodysHash = unmatchableHash(cost);
  return {
    hash: async (password) => String(await run({ password, cost })),
    async matches(password, hash) {
      const isMatch = (await run({ password, hash: hash ?? nobodysHash, cost })) === true;
      return isMatch && hash !== undefined;
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

/** A well-formed hash of no password: comparing with it costs what comparing with a real one does. */
function unmatchableHash(cost: number): string {
  return `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(22)}${'.'.repeat(31)}`;
}
