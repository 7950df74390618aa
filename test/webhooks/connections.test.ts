import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { silentLog } from '../../src/base/log.js';
import { createJsonDeliveryStore } from '../../src/events/store-json/open.js';
import { idleTimeOf } from '../../src/webhooks/delivering/kept-connections.js';
import { createWebhookSender } from '../../src/webhooks/delivering/sender.js';
import { createWebhooks } from '../../src/webhooks/webhooks.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { answerLength, type RawPlan, startRawReceiver } from './raw-receiver.js';
import { answer, startReceiver } from './receiver.js';
import { sampleEvent } from './samples.js';

const never = new AbortController().signal;

async function openWebhooks(url: string) {
  const folder = await makeTempFolder();
  const file = join(folder, 'webhooks.json');
  await writeFile(file, JSON.stringify([{ url, events: ['payment.success'], secret: 's' }]));
  const store = await createJsonDeliveryStore({ folder, clock: systemClock, label: 'test' });
  const webhooks = await createWebhooks({
    file,
    environment: {},
    instance: async () => 'a'.repeat(32),
    deletionTime: async () => Date.now(),
    delays: [0, 1, 1],
    timeoutMs: 10_000,
    privateAddresses: 'allow',
    retentionMs: 1e12,
    droppedRetentionMs: 1e12,
    clock: systemClock,
    log: silentLog(),
    store,
  });
  webhooks.start();
  onTestFinished(() => webhooks.stop());
  let number = 0;
  /** Announces an event and returns its delivery when it has ended. */
  return async () => {
    number += 1;
    const paymentId = String(number);
    await webhooks.announce(sampleEvent({ paymentId, occurredAt: Date.now() }));
    return vi.waitFor(
      async () => {
        for await (const delivery of webhooks.find({ payment: paymentId })) {
          expect(delivery.state).not.toBe('pending');
          return delivery;
        }
        throw new Error('The delivery is not stored.');
      },
      // Polling reads files, so an interval of a few milliseconds is sufficient.
      { timeout: 60_000, interval: 4 },
    );
  };
}

/** How a receiver treats reused and new connections. */
interface Manners {
  kept: RawPlan;
  fresh: RawPlan;
}

async function startReceiverOf(manners: Manners) {
  return startRawReceiver((onConnection) => (onConnection > 1 ? manners.kept : manners.fresh));
}

const isThorough = Boolean(process.env.MSGSITE_TEST_EVERY_STEP);
const seed = Date.now();

/** Returns the first and last positions, and some random ones between them. */
function positions(length: number): number[] {
  const all = Array.from({ length }, (_, index) => index + 1);
  const [ends, stride] = isThorough ? [12, 37] : [3, 111];
  return all.filter(
    (position) => position <= ends || position > length - ends || (position + seed) % stride === 0,
  );
}

describe('a receiver that resets connections', () => {
  it('receives requests for an event at most three times, and accepts it on a new connection', async () => {
    const manners: Manners = { kept: {}, fresh: {} };
    const receiver = await startReceiverOf(manners);
    const deliver = await openWebhooks(receiver.url);
    await deliver();
    const before = receiver.connections;
    await deliver();
    expect(receiver.connections).toBe(before);
    const plans: RawPlan[] = [
      ...positions(receiver.requestLength).map((resetAfter) => ({ resetAfter })),
      ...positions(answerLength - 1).map((answerBytes) => ({ answerBytes })),
      { answerBytes: 0 },
    ];
    for (const plan of plans) {
      // A connection is kept.
      manners.kept = {};
      expect((await deliver()).state).toBe('delivered');
      // It is reset at this position.
      manners.kept = plan;
      const seen = receiver.requests;
      const twice = { state: 'delivered', attempts: { length: 2 } };
      expect(await deliver(), JSON.stringify(plan)).toMatchObject(twice);
      expect(receiver.requests - seen, JSON.stringify(plan)).toBe(2);
    }
  });

  it('receives requests for an event three times if it resets every connection', async () => {
    const manners: Manners = { kept: {}, fresh: {} };
    const receiver = await startReceiverOf(manners);
    const deliver = await openWebhooks(receiver.url);
    for (const plan of [
      { resetAfter: 1 },
      { resetAfter: 200 },
      { answerBytes: 0 },
      { answerBytes: 9 },
    ]) {
      Object.assign(manners, { kept: {}, fresh: {} });
      expect((await deliver()).state).toBe('delivered');
      Object.assign(manners, { kept: plan, fresh: plan });
      const seen = receiver.requests;
      expect((await deliver()).state).toBe('dropped');
      expect(receiver.requests - seen).toBe(3);
    }
  });

  it('receives requests for an event at most three times if it resets idle connections', async () => {
    const receiver = await startReceiverOf({
      kept: { resetIdle: true },
      fresh: { resetIdle: true },
    });
    const deliver = await openWebhooks(receiver.url);
    for (let count = 0; count < 30; count += 1) {
      const seen = receiver.requests;
      expect((await deliver()).state).toBe('delivered');
      expect(receiver.requests - seen).toBeLessThanOrEqual(3);
    }
  });

  it('receives a request on a new connection if it resets the old one before the first byte', async () => {
    // The receiver runs in a separate thread, so that it can reset connections while this thread is busy.
    const code = `
      const { parentPort, workerData } = require('node:worker_threads');
      const sockets = [];
      let requests = 0;
      const server = require('node:net').createServer((socket) => {
        sockets.push(socket);
        socket.on('error', () => {});
        socket.on('data', () => {
          requests += 1;
          socket.write('HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n');
        });
      });
      server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
      workerData.port.on('message', (message) => {
        if (message === 'reset') sockets.at(-1).resetAndDestroy();
        setTimeout(() => {
          workerData.port.postMessage({ requests, connections: sockets.length });
          Atomics.add(workerData.done, 0, 1);
          Atomics.notify(workerData.done, 0);
        }, 20);
      });`;
    const { port1, port2 } = new MessageChannel();
    const done = new Int32Array(new SharedArrayBuffer(4));
    const workerData = { port: port2, done };
    const worker = new Worker(code, { eval: true, workerData, transferList: [port2] });
    onTestFinished(async () => void (await worker.terminate()));
    const port = await new Promise((resolve) => worker.once('message', resolve));
    const ask = (message: string): unknown => {
      const before = Atomics.load(done, 0);
      port1.postMessage(message);
      Atomics.wait(done, 0, before);
      return receiveMessageOnPort(port1)?.message;
    };
    let isArmed = false;
    const clock = {
      ...systemClock,
      monotonic() {
        // The sender checks the time again just before it uses a kept connection.
        if (isArmed && new Error().stack?.includes('reuseSocket')) {
          isArmed = false;
          ask('reset');
        }
        return systemClock.monotonic();
      },
    };
    const sender = createWebhookSender({ clock, timeoutMs: 10_000, privateAddresses: 'allow' });
    onTestFinished(() => sender.close());
    const headers = { 'Content-Length': '2' };
    const request = { url: `http://127.0.0.1:${port}/`, body: '{}', headers, mayReuse: true };
    expect(await sender.send(request, never)).toMatchObject({ status: 200 });
    isArmed = true;
    expect(await sender.send(request, never)).toMatchObject({ status: 200 });
    expect(isArmed).toBe(false);
    expect(ask('count')).toEqual({ requests: 2, connections: 2 });
  });
});

describe('a kept connection', () => {
  it.each([
    ['', 4_000],
    ['timeout=5', 4_000],
    ['timeout=60, max=100', 4_000],
    ['max=5, timeout=3', 2_000],
    ['timeout=2', 1_000],
    ['Timeout=1', 500],
    ['timeout=0', 0],
    ['timeout=soon', 4_000],
  ])('with the Keep-Alive header %j can be idle for %i ms', (header, expected) => {
    expect(idleTimeOf(header)).toBe(expected);
  });

  it.each([
    [{ 'Keep-Alive': 'timeout=60' }, 3_999, 1],
    [{ 'Keep-Alive': 'timeout=60' }, 4_000, 2],
    [{ 'Keep-Alive': 'timeout=2' }, 999, 1],
    [{ 'Keep-Alive': 'timeout=2' }, 1_000, 2],
    [{ 'Keep-Alive': 'timeout=0' }, 0, 2],
    [{ Connection: 'close' }, 0, 2],
  ])(
    'with %j and a pause of %i ms results in %i connections in total',
    async (headers, pause, expected) => {
      const sockets = new Set<unknown>();
      const receiver = await startReceiver((response, number, request) => {
        sockets.add(request.socket);
        return answer(200, 'ok', headers as Record<string, string>)(response, number, request);
      });
      const clock = createManualClock();
      const sender = createWebhookSender({ clock, timeoutMs: 10_000, privateAddresses: 'allow' });
      const request = { url: receiver.url, body: '{}', headers: { 'Content-Length': '2' } };
      await sender.send({ ...request, mayReuse: true }, never);
      await clock.advance(pause);
      expect(await sender.send({ ...request, mayReuse: true }, never)).toMatchObject({
        status: 200,
      });
      expect(sockets.size).toBe(expected);
      expect(receiver.received).toHaveLength(2);
      sender.close();
    },
  );
});
