import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { type Account, makeEnterableFolder, serverAccount } from './postgres-account.js';
import { copyPostgres, installedPostgres } from './postgres-files.js';
import { withSql } from './sql.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the test run's PostgreSQL, without a database; absent if PostgreSQL is not used. */
    postgres: string;
  }
}

/** A PostgreSQL server that can be stopped and started again. */
export interface PostgresServer {
  /** `postgres://user:password@127.0.0.1:port` */
  readonly url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops the server and removes its data. */
  remove(): Promise<void>;
}

/** Starts PostgreSQL from npm on a free port, with its files and its data in a temporary folder. */
export async function startPostgres(installed = installedPostgres()): Promise<PostgresServer> {
  const account = serverAccount();
  const folder = await makeEnterableFolder();
  await copyPostgres(installed, join(folder, 'native'));
  const data = join(folder, 'data');
  await makeCluster({ folder, data, account });
  const port = await freePort();
  let server = await startProgram({ folder, data, account, port });
  const stop = () => endProgram(server);
  return {
    url: `postgres://msgsite:test@127.0.0.1:${port}`,
    async start() {
      server = await startProgram({ folder, data, account, port });
    },
    stop,
    async remove() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Cluster {
  readonly folder: string;
  readonly data: string;
  /** Undefined for the user who runs the tests. */
  readonly account: Account | undefined;
}

async function makeCluster({ folder, data, account }: Cluster): Promise<void> {
  const password = join(folder, 'password');
  await mkdir(data, { mode: 0o700 });
  await writeFile(password, 'test\n');
  if (account) for (const path of [data, password]) await chown(path, account.uid, account.gid);
  const flags = ['--no-sync', '--encoding=UTF8', '--locale=C', '--auth=password'];
  const argv = ['-D', data, '--username=msgsite', `--pwfile=${password}`, ...flags];
  const options = { cwd: folder, env: environment, ...account };
  await promisify(execFile)(join(folder, 'native/bin/initdb'), argv, options);
}

/** Sets the language of messages to English, because the server's readiness is read from one. */
export const environment = { LC_ALL: 'C' };

const settings = [
  // This data does not have to survive a power cut.
  ...['fsync=off', 'max_connections=300', 'shared_buffers=64MB'],
  // It would process hundreds of databases in turn. A test that requires statistics creates them.
  'autovacuum=off',
  ...['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'lc_messages=C'],
];

/** Starts the server and waits until it accepts connections. */
async function startProgram(
  cluster: Cluster & { readonly port: number },
): Promise<ChildProcessByStdio<null, null, Readable>> {
  const { folder, data, account, port } = cluster;
  const argv = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
  const child = spawn(join(folder, 'native/bin/postgres'), argv, {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...account,
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('close', () => process.off('exit', kill));
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => reject(new Error(`PostgreSQL did not start:\n${output}`)));
    child.stderr.on('data', function read(chunk) {
      output += chunk;
      if (!output.includes('ready to accept connections')) return;
      child.stderr.off('data', read).resume();
      resolve();
    });
  });
  return child;
}

/** Rolls back open transactions and stops the server, unless it has already exited. */
async function endProgram(child: ChildProcessByStdio<null, null, Readable>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGINT');
  await closed;
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}

/** The database that tests copy, which is faster than migrating. */
export const template = 'with_structure';

export async function createDatabase(server: string, name: string, from?: string): Promise<void> {
  // Copying files takes half as long as writing them through the log.
  const origin = from ? `template ${from} strategy file_copy` : '';
  await withSql(`${server}/postgres`, (sql) => sql.unsafe(`create database ${name} ${origin}`));
}

/** Starts one server for the whole test run. Each test creates its own database on it. */
export default async function provideServer(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  await createDatabase(server.url, template);
  // These imports require dist/, which a different set-up has built.
  const { migrate } = await import('../../src/storage/postgres/migrations.js');
  const { readDatabaseSchema } = await import('../../src/app/database-schema.js');
  await migrate(`${server.url}/${template}`, await readDatabaseSchema());
  project.provide('postgres', server.url);
  return () => server.remove();
}
