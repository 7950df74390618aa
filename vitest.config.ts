import { defineConfig } from 'vitest/config';
import { temporaryRoot } from './test/helpers/temporary-root.js';

/** What needs a PostgreSQL server: tests in a folder of that name … */
const onPostgres = ['test/**/postgres/**/*.test.ts'];
/** … and suites that run on both storages, by their names. */
const onBoth = ['test/**/*.both.test.ts'];

/** What drives a real browser. */
const inBrowser = ['test/browser/**/*.test.ts', 'test/**/*.browser.test.ts'];

/** Against tests that hang; a busy machine may be slow, so that nothing is judged by time. */
const limits = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
};

export default defineConfig({
  plugins: [temporaryRoot],
  test: {
    globalSetup: ['test/helpers/build-once.ts'],
    maxWorkers: 3,
    projects: [
      {
        test: {
          ...limits,
          name: 'json',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...onPostgres, ...inBrowser],
        },
      },
      {
        test: {
          ...limits,
          name: 'browser',
          globalSetup: ['test/helpers/unpack-browser.ts'],
          include: inBrowser,
        },
      },
      {
        test: {
          ...limits,
          name: 'postgres',
          globalSetup: ['test/helpers/postgres-server.ts'],
          include: [...onPostgres, ...onBoth],
        },
      },
    ],
  },
});
