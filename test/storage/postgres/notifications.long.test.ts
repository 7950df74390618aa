import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect as connectTo, createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { silentLog } from '../../../src/base/log.js';
import { type Database, openDatabase } from '../../../src/storage/postgres/database.js';
import { startPostgres } from '../../helpers/postgres-server.js';
import { createEmptyDatabase, useTestDatabase } from '../../helpers/test-database.js';

const until = (condition: () => boolean | Promise<boolean>) =>
  vi.waitUntil(condition, { timeout: 60_000, interval: 20 });

/** Collects the details that a process receives, and `missed` where some may be missing. */
function hear({ notifications }: Database): string[] {
  const heard: string[] = [];
  notifications.onMissed(() => heard.push('missed'));
  notifications.on('topic', (detail) => heard.push(detail));
  return heard;
}

/** Returns two processes that receive each other's notifications. */
async function usePair() {
  const here = await useTestDatabase();
  const heard = hear(here);
  // The first listen is like a reconnection, because earlier notifications are unknown.
  await until(() => heard.length > 0);
  const sessions = await sessionsOf(here);
  const there = await useTestDatabase({ url: here.url });
  const heardThere = hear(there);
  await until(() => heardThere.length > 0);
  // Notifications arrive in the order in which they are sent.
  there.notifications.send('topic', 'ready');
  await until(() => heard.includes('ready'));
  const [mine] = sessions;
  const theirs = (await sessionsOf(here)).filter((session) => session !== mine);
  expect([sessions.length, theirs.length]).toEqual([1, 1]);
  heard.length = 0;
  heardThere.length = 0;
  return { here, there, heard, heardThere, mine: sessions, theirs };
}

async function sessionsOf(database: Database): Promise<number[]> {
  const rows = await database.run(
    'sessions',
    (sql) => sql<{ pid: number }[]>`
      select pid from pg_stat_activity
      where application_name = 'msgsite notifications' and datname = current_database()`,
  );
  return rows.map(({ pid }) => pid);
}

const cut = (database: Database, pids: readonly number[]) =>
  database.run(
    'cut',
    (sql) => sql`select pg_terminate_backend(pid) from unnest(${[...pids]}::int[]) as cut (pid)`,
  );

it('notifications are reported as missed after a lost session, even after a quick reconnection', async () => {
  const { here, there, heard, mine } = await usePair();
  await cut(here, mine);
  there.notifications.send('topic', 'while away');
  await until(() => heard.includes('missed'));
  heard.length = 0;
  there.notifications.send('topic', 'back');
  await until(() => heard.includes('back'));
});

it('notifications that a process could not send are reported to the others as missed', async () => {
  const { here, there, heard, theirs } = await usePair();
  await cut(here, theirs);
  there.notifications.send('topic', 'lost');
  await until(() => heard.includes('missed'));
});

it('notifications are reported as missed after a process died, but not after one closed', async () => {
  const { here, heard, there } = await usePair();
  there.notifications.send('topic', 'last');
  await there.close();
  await until(() => heard.includes('last'));
  const script = `
    import { Client } from 'pg';
    const client = new Client('${here.url}?application_name=msgsite%20notifications');
    await client.connect();
    console.log('connected');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  // By now, several checks have detected that the other process has closed.
  await systemClock.sleep(2_200);
  expect(heard).toEqual(['last']);
  child.kill('SIGKILL');
  await until(() => heard.includes('missed'));
});

it('notifications beyond the queue are reported as missed', async () => {
  const { there, heard } = await usePair();
  for (let n = 0; n <= 10_000; n += 1) there.notifications.send('topic', `d${n}`);
  await until(() => heard.includes('d10000'));
  expect(heard).toEqual(['missed', 'd10000']);
});

/** Starts a proxy to a server that can stop forwarding data while its connections remain open. */
async function startProxy(port: number) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const far = connectTo(port, '127.0.0.1');
    for (const [each, other] of [
      [socket, far],
      [far, socket],
    ] as const) {
      sockets.add(each);
      each.on('data', (data) => other.write(data));
      each.on('close', () => other.destroy());
      each.on('error', () => {});
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    fallSilent() {
      for (const socket of sockets) socket.removeAllListeners('data').resume();
    },
  };
}

it('a dead connection is replaced, and notifications arrive after a database restart', async () => {
  const server = await startPostgres();
  onTestFinished(() => server.remove());
  const url = new URL(await createEmptyDatabase(server.url));
  const proxy = await startProxy(Number(url.port));
  const direct = url.href;
  url.port = String(proxy.port);
  const open = (address: string) => {
    const options = { log: silentLog(), clock: systemClock, statementTimeout: 500 };
    const database = openDatabase({ url: address, ...options });
    onTestFinished(() => database.close());
    return database;
  };
  const here = open(url.href);
  const there = open(direct);
  const heard = hear(here);
  await until(() => heard.length > 0);
  const again = async (word: string) => {
    await until(() => heard.includes('missed'));
    heard.length = 0;
    await until(() => {
      there.notifications.send('topic', word);
      return heard.includes(word);
    });
    heard.length = 0;
  };
  await again('first');
  proxy.fallSilent();
  await again('after silence');
  await server.stop();
  await server.start();
  await again('after a restart');
});
