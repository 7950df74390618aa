import { defineConfig } from 'vitest/config';

/** What needs a PostgreSQL server is in folders of that name. */
const onPostgres = ['test/**/postgres/**/*.test.ts'];

const limits = { testTimeout: 30_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    globalSetup: ['test/helpers/build-once.ts'],
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...limits,
          name: 'json',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: onPostgres,
        },
      },
      {
        test: {
          ...limits,
          name: 'postgres',
          globalSetup: ['test/helpers/postgres-server.ts'],
          include: onPostgres,
        },
      },
    ],
  },
});
