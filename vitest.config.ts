import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { LongestFirst } from './test/helpers/longest-first.js';
import { temporaryRoot } from './test/helpers/temporary-root.js';

/** Tests that need a PostgreSQL server … */
const onPostgres = ['test/**/postgres/**/*.test.ts'];
/** … and suites that run on files in `npm test` and on PostgreSQL in `npm run test:long`. */
const onBoth = ['test/**/*.both{,.long}.test.ts'];

/** Tests that drive a real browser. */
const inBrowser = ['test/browser/**/*.test.ts', 'test/**/*.browser{,.long}.test.ts'];

/** Slow tests, which `npm run test:long` runs and `npm test` does not. */
const long = ['test/**/*.long.test.{ts,tsx}'];

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

export default defineConfig({
  plugins: [temporaryRoot],
  test: {
    globalSetup: ['test/helpers/build-once.ts'],
    // For two processors: a third of what a file takes is waiting (for processes, leases, pages).
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    projects: [
      project('files', {
        include: ['test/**/*.test.{ts,tsx}'],
        exclude: [...onPostgres, ...inBrowser, ...long],
      }),
      project('browser', {
        globalSetup: ['test/helpers/unpack-browser.ts'],
        include: inBrowser,
        exclude: long,
      }),
      project('postgres', {
        globalSetup: ['test/helpers/postgres-server.ts'],
        include: onPostgres,
        exclude: long,
      }),
      project('long', {
        globalSetup: ['test/helpers/unpack-browser.ts'],
        include: long,
        exclude: onPostgres,
      }),
      project('long-postgres', {
        globalSetup: ['test/helpers/postgres-server.ts'],
        include: ['test/**/postgres/**/*.long.test.ts', ...onBoth],
        // Concurrent tests of a file: processes that stay suspended for half a minute cost nothing.
        maxConcurrency: 8,
      }),
    ],
  },
});

/** Returns a project whose files share processes: loading the program again takes longer than most files do. */
function project(
  name: string,
  own: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration {
  const setupFiles = ['test/helpers/hold-files.ts', 'test/helpers/measure-files.ts'];
  return { test: { ...limits, name, isolate: false, setupFiles, ...own } };
}
