import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { createHttpProvider } from '../../../src/payments/providers/http.js';
import type { ProviderCall } from '../../../src/payments/providers/provider.js';
import { createManualClock } from '../../helpers/manual-clock.js';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const call: ProviderCall = { signal: new AbortController().signal };
const session = { tokenSN: 't', secret: 's' };
const refund = { session, qrOperationId: 5, returnAmount: 1 };
const options = { timeout: 5000, concurrency: 64, clock: systemClock };

async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function providerWith(answer: Answer, more: Partial<typeof options> = {}) {
  const at = await listen(createServer(answer));
  return createHttpProvider({ ...options, ...more, baseUrl: `http://${at}` });
}

const done = '{"StatusCode":0}';

describe('a money request over HTTP', () => {
  it('uses its own connection, while reads share theirs', async () => {
    const ports = new Map<string, unknown[]>();
    const provider = await providerWith(({ url = '', socket }, response) => {
      ports.set(url, [...(ports.get(url) ?? []), socket.remotePort]);
      response.end(done);
    });
    for (let round = 0; round < 3; round++) {
      await provider.checkSession({ session }, call);
      await provider.refund(refund, call);
    }
    const reads = ports.get('/provider/v1/session/check') ?? [];
    const money = ports.get('/provider/v1/refunds/create') ?? [];
    expect(new Set(reads).size).toBe(1);
    expect(new Set([...reads, ...money]).size).toBe(4);
  });

  it.each([
    ['no server listens', 'http://127.0.0.1:1'],
    ['the host name is unknown', 'http://nobody.invalid'],
  ])('has a clear outcome if %s', async (_, baseUrl) => {
    const provider = createHttpProvider({ ...options, baseUrl });
    await expect(provider.refund(refund, call)).rejects.toMatchObject({
      kind: 'failure',
      isClear: true,
    });
  });

  it('has a clear outcome if no TLS connection is established in time', async () => {
    const received: string[] = [];
    const silent = createTcpServer((socket) => {
      socket.on('data', (data) => received.push(data.toString('latin1')));
    });
    const baseUrl = `https://${await listen(silent)}`;
    const provider = createHttpProvider({ ...options, baseUrl, timeout: 200 });
    await expect(provider.refund(refund, call)).rejects.toMatchObject({
      kind: 'timeout',
      isClear: true,
    });
    expect(received.join('')).not.toContain('refunds/create');
  });

  it('has a clear outcome if the server does not speak TLS', async () => {
    const plain = createTcpServer((socket) => socket.once('data', () => socket.end('nothing')));
    const baseUrl = `https://${await listen(plain)}`;
    const provider = createHttpProvider({ ...options, baseUrl });
    await expect(provider.refund(refund, call)).rejects.toMatchObject({ isClear: true });
  });

  it('has a clear outcome if its caller has already aborted', async () => {
    const provider = await providerWith((_, response) => response.end(done));
    const pending = provider.refund(refund, { signal: AbortSignal.abort() });
    await expect(pending).rejects.toMatchObject({ isClear: true });
  });

  it.each<[string, Answer]>([
    ['breaks', ({ socket }) => socket.destroy()],
    [
      'breaks during the response',
      ({ socket }, response) => {
        response.writeHead(200, { 'content-length': 100 });
        response.write('{"Status', () => socket.destroy());
      },
    ],
    ['returns data that is not HTTP', ({ socket }) => socket.end('nothing')],
  ])('has an unknown outcome if the connection %s', async (_, answer) => {
    let requestCount = 0;
    const provider = await providerWith((request, response) => {
      requestCount += 1;
      answer(request, response);
    });
    await expect(provider.refund(refund, call)).rejects.toMatchObject({
      kind: 'failure',
      isClear: false,
    });
    expect(requestCount).toBe(1);
  });

  it('has a longer time-out than a read', async () => {
    const provider = await providerWith(
      (_, response) => void setTimeout(() => response.end(done), 500),
      { timeout: 100 },
    );
    await expect(provider.checkSession({ session }, call)).rejects.toMatchObject({
      kind: 'timeout',
    });
    expect(await provider.refund(refund, call)).toEqual({ StatusCode: 0 });
  });

  it('is not sent if its time runs out in the queue', async () => {
    const held: ServerResponse[] = [];
    const clock = createManualClock();
    const more = { clock, concurrency: 1 };
    const provider = await providerWith((_, response) => void held.push(response), more);
    const first = provider.refund(refund, call);
    const second = expect(provider.refund(refund, call)).rejects.toMatchObject({
      kind: 'timeout',
      isClear: true,
    });
    await expect.poll(() => held).toHaveLength(1);
    await clock.advance(5000);
    held[0]?.end(done);
    expect(await first).toEqual({ StatusCode: 0 });
    await second;
    expect(held).toHaveLength(1);
  });
});

it('a read on a connection that the server has closed is retried on a new one', async () => {
  const seen = new WeakSet<Socket>();
  let broken = 0;
  const provider = await providerWith(({ socket }, response) => {
    if (seen.has(socket)) {
      broken += 1;
      socket.destroy();
      return;
    }
    seen.add(socket);
    response.end(done);
  });
  for (let round = 0; round < 3; round++) {
    expect(await provider.checkSession({ session }, call)).toEqual({ StatusCode: 0 });
  }
  expect(broken).toBeGreaterThan(0);
});
