import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import Koa from 'koa';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../src/base/log.js';
import { type ListenerOptions, openListener } from '../../src/http/listener/listener.js';
import { createManualClock } from '../helpers/manual-clock.js';

/** More bytes than the kernels on both sides buffer for one connection. */
const large = 64 * 1024 * 1024;

interface Options {
  readonly size?: number;
  readonly limits?: ListenerOptions['limits'];
}

/** Starts a listener with a manual clock that responds to every request with `size` bytes. */
async function startListener({ size = large, limits = {} }: Options = {}) {
  const clock = createManualClock();
  const content = Buffer.alloc(size, 'x');
  const handled: string[] = [];
  const app = new Koa().use((ctx) => {
    handled.push(ctx.path);
    ctx.body = content;
  });
  const listener = await openListener({
    app,
    host: '127.0.0.1',
    port: 0,
    errorShape: 'site',
    clock,
    limits,
    log: silentLog(),
    https: false,
  });
  const clients: Socket[] = [];
  onTestFinished(async () => {
    for (const client of clients) client.destroy();
    await listener.close();
  });
  /** Returns a client that sends these requests together and reads only on demand. */
  async function ask(...paths: readonly string[]): Promise<Socket> {
    const client = connect({ port: listener.port, host: '127.0.0.1' });
    clients.push(client);
    client.on('error', () => {});
    client.pause();
    await once(client, 'connect');
    client.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''));
    return client;
  }
  return { clock, handled, ask };
}

/** Waits for a chunk and returns its length. */
async function readPiece(client: Socket): Promise<number> {
  for (;;) {
    const piece: Buffer | null = client.read();
    if (piece) return piece.length;
    if (client.destroyed) throw new Error('The connection was closed.');
    const either = new AbortController();
    const { signal } = either;
    const events = ['readable', 'close'].map((name) => once(client, name, { signal }));
    await Promise.race(events).finally(() => either.abort());
    await Promise.allSettled(events);
  }
}

/** Reads until the connection ends, and returns the number of bytes. */
async function readAll(client: Socket): Promise<number> {
  let read = 0;
  client.on('data', (piece) => {
    read += piece.length;
  });
  client.resume();
  // A reset connection causes an error on some systems and an end on others.
  await new Promise((resolve) => client.once('close', resolve));
  return read;
}

test('a client that reads nothing of its response for 30 s is disconnected', async () => {
  const { clock, handled, ask } = await startListener();
  const client = await ask('/large');
  await expect.poll(() => handled).toEqual(['/large']);
  // Advance more than once, because on a busy machine the response may start after the route was called.
  for (let minute = 0; minute < 5; minute += 1) {
    await clock.advance(60_000);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(await readAll(client)).toBeLessThan(large);
});

test('a client that reads a little at a time stays connected', async () => {
  const { clock, handled, ask } = await startListener();
  const client = await ask('/large');
  await expect.poll(() => handled).toEqual(['/large']);
  let read = 0;
  for (let seconds = 0; seconds < 300; seconds += 20) {
    // The kernel's buffer shrinks in steps of about 100 KB.
    for (const goal = read + 400_000; read < goal; ) read += await readPiece(client);
    await clock.advance(20_000);
  }
  expect(client.destroyed).toBe(false);
  while (read < large) read += await readPiece(client);
  expect(read).toBeGreaterThanOrEqual(large);
});

/** Reads a step of the kernel's buffer after some seconds without progress. */
async function takeStep(client: Socket, clock: ReturnType<typeof createManualClock>) {
  await clock.advance(12_000);
  let read = 0;
  while (read < 400_000) read += await readPiece(client);
  // Wait until the system has freed its buffer, which takes a moment.
  await delay(250);
  await clock.advance(3_000);
  return read;
}

test('a slow client that has read a step has time to read the next one', async () => {
  const { clock, handled, ask } = await startListener();
  const client = await ask('/large');
  await expect.poll(() => handled).toEqual(['/large']);
  let read = 0;
  for (let steps = 0; steps < 3; steps += 1) {
    read += await takeStep(client, clock);
    await clock.advance(30_000);
  }
  while (read < large) read += await readPiece(client);
  expect(read).toBeGreaterThanOrEqual(large);
});

test('a client that reads a step and then nothing for five minutes is disconnected', async () => {
  const { clock, handled, ask } = await startListener();
  const client = await ask('/large');
  await expect.poll(() => handled).toEqual(['/large']);
  const read = await takeStep(client, clock);
  await clock.advance(330_000);
  expect(read + (await readAll(client))).toBeLessThan(large);
});

test('an idle client with nothing to read stays connected', async () => {
  const { clock, handled, ask } = await startListener({ size: 10 });
  const client = await ask('/small');
  await expect.poll(() => handled).toEqual(['/small']);
  await clock.advance(600_000);
  client.write('GET /again HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await expect.poll(() => handled).toEqual(['/small', '/again']);
});

test('pipelined requests wait until the previous responses have been read', async () => {
  const { clock, handled, ask } = await startListener();
  const client = await ask('/1', '/2', '/3', '/4');
  await expect.poll(() => handled).toEqual(['/1']);
  await clock.advance(10_000);
  expect(handled).toEqual(['/1']);
  for (let read = 0; read < 4 * large; ) read += await readPiece(client);
  expect(handled).toEqual(['/1', '/2', '/3', '/4']);
});

test('the client with the oldest unread response is disconnected if too many bytes are unread in total', async () => {
  const { handled, ask } = await startListener({ limits: { unreadBytes: 1.5 * large } });
  const first = await ask('/first');
  await expect.poll(() => handled).toEqual(['/first']);
  const second = await ask('/second');
  await expect.poll(() => handled).toEqual(['/first', '/second']);
  expect(await readAll(first)).toBeLessThan(large);
  let read = 0;
  while (read < large) read += await readPiece(second);
});

test('connections above the limit are closed, and the others receive responses', async () => {
  const { handled, ask } = await startListener({ size: 10, limits: { connections: 2 } });
  await ask('/1');
  await ask('/2');
  await expect.poll(() => handled).toEqual(['/1', '/2']);
  expect(await readAll(await ask('/3'))).toBe(0);
  expect(handled).toEqual(['/1', '/2']);
});

test('thousands of pipelined requests are all handled in order', async () => {
  const { handled, ask } = await startListener({ size: 10 });
  const paths = Array.from({ length: 5_000 }, (_, index) => `/${index}`);
  const client = await ask(...paths);
  client.resume();
  await expect.poll(() => handled).toEqual(paths);
});
