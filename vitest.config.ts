import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/helpers/longest-first.js';
import { temporaryRoot } from './test/helpers/temporary-root.js';

/** What needs a PostgreSQL server: tests in a folder of that name … */
const onPostgres = ['test/**/postgres/**/*.test.ts'];
/** … and suites that run on both storages, by their names. */
const onBoth = ['test/**/*.both.test.ts'];

/** Slow tests, which `npm run test:long` runs and `npm test` does not. */
const long = ['test/**/*.long.test.ts'];

/** What drives a real browser. */
const inBrowser = ['test/browser/**/*.test.ts', 'test/**/*.browser.test.ts'];

/** Against tests that hang; a busy machine may be slow, so that nothing is judged by time. */
const limits = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
};

/**
 * Threads that do each process's file access, of the four that Node.js would start: with four processes
 * beside each other on two processors, more of them only wake each other. One that waits (for the other
 * side of a pipe) still holds nothing up.
 */
process.env.UV_THREADPOOL_SIZE ??= '2';

/** Files share processes: loading the program and compiling it again takes longer than most files do. */
const shared = { isolate: false, setupFiles: ['test/helpers/hold-files.ts'] };

export default defineConfig({
  plugins: [temporaryRoot],
  test: {
    globalSetup: ['test/helpers/build-once.ts'],
    // For two processors: a third of what a file takes is waiting (for processes, leases, pages).
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...limits,
          ...shared,
          name: 'json',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...onPostgres, ...inBrowser, ...long],
        },
      },
      {
        test: {
          ...limits,
          ...shared,
          name: 'browser',
          globalSetup: ['test/helpers/unpack-browser.ts'],
          include: inBrowser,
        },
      },
      {
        test: {
          ...limits,
          ...shared,
          name: 'postgres',
          globalSetup: ['test/helpers/postgres-server.ts'],
          include: [...onPostgres, ...onBoth],
          exclude: long,
        },
      },
      {
        test: {
          ...limits,
          ...shared,
          name: 'long',
          // Tests of a file that run side by side: they wait for leases most of the time.
          maxConcurrency: 8,
          globalSetup: ['test/helpers/postgres-server.ts'],
          include: long,
        },
      },
    ],
  },
});
