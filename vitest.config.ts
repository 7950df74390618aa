import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { LongestFirst } from './test/helpers/longest-first.js';
import { temporaryRoot } from './test/helpers/temporary-root.js';

/** Tests that require a PostgreSQL server. */
const onPostgres = ['test/**/postgres/**/*.test.ts'];
/** Suites that run on JSON files in `npm test` and on PostgreSQL in `npm run test:long`. */
const onBoth = ['test/**/*.both{,.long}.test.ts'];

/** Tests that drive a real browser. */
const inBrowser = ['test/browser/**/*.test.ts', 'test/**/*.browser{,.long}.test.ts'];

/** Slow tests, which `npm run test:long` runs and `npm test` does not. */
const long = ['test/**/*.long.test.{ts,tsx}'];

/** Time-outs for tests that hang. They are long, because a busy machine may be slow. */
const limits = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
};

/**
 * Number of threads for file access in each process; the default of Node.js is four. With four processes on two
 * processors, more threads only add overhead. If one thread waits for the other side of a pipe, the second one is still
 * available.
 */
process.env.UV_THREADPOOL_SIZE ??= '2';

export default defineConfig({
  plugins: [temporaryRoot],
  test: {
    globalSetup: ['test/helpers/build-once.ts'],
    // For two processors. A file spends a third of its time waiting for processes, leases and pages.
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
        // Maximum number of concurrent tests in a file. Most of them wait for suspended processes.
        maxConcurrency: 8,
      }),
    ],
  },
});

/** Returns a project whose files share processes, because loading the program takes longer than most files. */
function project(
  name: string,
  config: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration {
  const setupFiles = ['test/helpers/hold-files.ts', 'test/helpers/measure-files.ts'];
  return { test: { ...limits, name, isolate: false, setupFiles, ...config } };
}
