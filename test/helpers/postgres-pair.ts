import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chown, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import type { Sql } from '../../src/storage/postgres/sql.js';
import { type Account, makeEnterableFolder, serverAccount } from './postgres-account.js';
import { copyPostgres, installedPostgres } from './postgres-files.js';
import { environment, freePort } from './postgres-server.js';
import { withSql } from './sql.js';

/** Two servers. One accepts writes, and the other follows it synchronously. */
export interface PostgresPair {
  /** Returns the address of the database with this name on both servers. */
  url(name: string): string;
  /** The server that accepts writes. */
  readonly primary: () => PairServer;
  readonly standby: () => PairServer;
  /** Promotes the standby, which then works without a standby. */
  promote(): Promise<void>;
  /** Rebuilds the lost server as a synchronous standby of the current primary. */
  rejoin(): Promise<void>;
  remove(): Promise<void>;
}

export interface PairServer {
  readonly port: number;
  /** Sends a signal to the server and all its processes. */
  signal(name: NodeJS.Signals): Promise<void>;
}

interface Server extends PairServer {
  readonly data: string;
  child: ChildProcess | undefined;
}

const login = 'msgsite:test';
const run = promisify(execFile);

/** Starts two servers from npm's files or those in `MSGSITE_TEST_POSTGRES_BIN` (`/usr/lib/postgresql/15/bin`). */
export async function startPostgresPair(database: string): Promise<PostgresPair> {
  const account = serverAccount();
  const folder = await makeEnterableFolder();
  let bin = process.env.MSGSITE_TEST_POSTGRES_BIN;
  if (bin === undefined) {
    await copyPostgres(installedPostgres(), join(folder, 'native'));
    bin = join(folder, 'native/bin');
  }
  const programs = { bin, folder, account };
  const [first, second] = [await makeServer(folder, 'a'), await makeServer(folder, 'b')];
  let [primary, standby] = [first, second];
  await initialise(programs, primary);
  await start(programs, primary);
  await ask(primary, (sql) => sql.unsafe(`create database ${database}`));

  async function rejoin(): Promise<void> {
    await end(standby);
    await copyServer(programs, primary, standby);
    await start(programs, standby);
    await ask(primary, async (sql) => {
      await sql`alter system set synchronous_standby_names = '*'`;
      await sql`select pg_reload_conf()`;
    });
    await expect.poll(() => isFollowed(primary)).toBe(true);
  }

  await rejoin();
  return {
    url: (name) => `postgres://${login}@127.0.0.1:${first.port},127.0.0.1:${second.port}/${name}`,
    primary: () => primary,
    standby: () => standby,
    async promote() {
      await ask(standby, async (sql) => {
        await sql`select pg_promote()`;
        await sql`alter system set synchronous_standby_names = ''`;
        await sql`select pg_reload_conf()`;
      });
      [primary, standby] = [standby, primary];
    },
    rejoin,
    async remove() {
      await Promise.all([end(first), end(second)]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Programs {
  readonly bin: string;
  readonly folder: string;
  readonly account: Account | undefined;
}

async function makeServer(folder: string, name: string): Promise<Server> {
  const server: Server = {
    data: join(folder, name),
    port: await freePort(),
    child: undefined,
    async signal(signal) {
      // A server's processes are not a process group, so this finds the children by their parent.
      const pid = server.child?.pid;
      if (pid === undefined) return;
      const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=']);
      const children = stdout
        .split('\n')
        .map((line) => line.trim().split(/\s+/).map(Number))
        .flatMap(([child, parent]) => (child !== undefined && parent === pid ? [child] : []));
      for (const one of [pid, ...children]) kill(one, signal);
    },
  };
  return server;
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has exited in the meantime.
  }
}

async function initialise({ bin, folder, account }: Programs, { data }: Server): Promise<void> {
  const password = join(folder, 'password');
  await mkdir(data, { mode: 0o700 });
  await writeFile(password, 'test\n');
  if (account) for (const path of [data, password]) await chown(path, account.uid, account.gid);
  const flags = ['--no-sync', '--encoding=UTF8', '--locale=C', '--auth=password'];
  const argv = ['-D', data, '--username=msgsite', `--pwfile=${password}`, ...flags];
  await run(join(bin, 'initdb'), argv, { cwd: folder, env: environment, ...account });
}

const settings = [
  ...['fsync=off', 'max_connections=100', 'shared_buffers=32MB', 'wal_keep_size=512MB'],
  ...['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'lc_messages=C'],
  // Settings of the standby, which each server becomes.
  ...['wal_receiver_status_interval=1', 'wal_retrieve_retry_interval=200ms'],
];

async function start({ bin, folder, account }: Programs, server: Server): Promise<void> {
  const { data, port } = server;
  const argv = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
  const child = spawn(join(bin, 'postgres'), argv, {
    cwd: folder,
    env: environment,
    stdio: 'ignore',
    ...account,
  });
  server.child = child;
  const stop = () => child.kill('SIGKILL');
  process.once('exit', stop);
  child.once('close', () => process.off('exit', stop));
  await expect.poll(() => ask(server, (sql) => sql`select 1`).catch(() => [])).toHaveLength(1);
}

async function end(server: Server): Promise<void> {
  const { child } = server;
  if (!child) return;
  const closed = once(child, 'close');
  if (child.exitCode !== null || child.signalCode !== null) return;
  await server.signal('SIGKILL');
  await closed;
}

async function ask<Result>(
  { port }: Server,
  work: (sql: Sql) => PromiseLike<Result>,
): Promise<Result> {
  return withSql(`postgres://${login}@127.0.0.1:${port}/postgres`, work);
}

/** Files that a copy of a server omits or creates again. */
const omitted =
  /^(pg_(wal|replslot|dynshmem|notify|serial|snapshots|stat_tmp|subtrans)|postmaster\..*)$/;

/** Copies the files of a running server like pg_basebackup, which npm's files do not include. */
async function copyServer({ account }: Programs, from: Server, to: Server): Promise<void> {
  await rm(to.data, { recursive: true, force: true });
  const made = ['', 'pg_wal', 'pg_wal/archive_status', 'pg_wal/summaries'];
  const emptied = (await readdir(from.data)).filter(
    (name) => /^pg_/.test(name) && omitted.test(name),
  );
  for (const name of new Set([...made, ...emptied])) {
    await mkdir(join(to.data, name), { mode: 0o700, recursive: true });
  }
  const label = await ask(from, async (sql) => {
    await sql`select pg_backup_start('copy', true)`;
    const names = (await readdir(from.data)).filter((name) => !omitted.test(name));
    await run('cp', ['-Rp', ...names.map((name) => join(from.data, name)), to.data]);
    const [row] = await sql<{ labelfile: string }[]>`select labelfile from pg_backup_stop(false)`;
    return row?.labelfile ?? '';
  });
  await writeFile(join(to.data, 'backup_label'), label);
  await writeFile(join(to.data, 'standby.signal'), '');
  const source = `host=127.0.0.1 port=${from.port} user=msgsite password=test application_name=pair`;
  await appendFile(
    join(to.data, 'postgresql.auto.conf'),
    `\nprimary_conninfo = '${source}'\nsynchronous_standby_names = ''\n`,
  );
  if (account) await run('chown', ['-R', `${account.uid}:${account.gid}`, to.data]);
}

/** Returns whether the standby has stored all data and the primary acknowledges nothing without it. */
async function isFollowed(primary: Server): Promise<boolean> {
  return ask(primary, async (sql) => {
    const [now] = await sql<{ lsn: string }[]>`
      select pg_current_wal_lsn()::text as lsn from pg_stat_replication where sync_state = 'sync'`;
    if (!now) return false;
    const rows = await sql`
      select 1 from pg_stat_replication where sync_state = 'sync' and flush_lsn >= ${now.lsn}::pg_lsn`;
    return rows.length > 0;
  });
}
