import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import type { Clock } from '../../src/base/clock.js';
import { systemClock } from '../../src/base/clock.js';
import type { Delivery } from '../../src/events/delivery.js';
import type { DeliveryStore } from '../../src/events/store.js';
import type { DeliveryFilter } from '../../src/webhooks/tools/replay-filter.js';
import { createWebhooks, type WebhookOptions, type Webhooks } from '../../src/webhooks/webhooks.js';
import { deliveryStoreFor } from '../helpers/delivery-store.js';
import { createManualClock, type ManualClock } from '../helpers/manual-clock.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { answer, type Receiver, startReceiver } from './receiver.js';
import { sampleEvent } from './samples.js';

/** Tests that read files are skipped if the deliveries are in a database. */
const inFiles = it.skipIf(inject('postgres'));

interface Setup {
  readonly folder: string;
  readonly clock?: Clock;
  readonly subscriptions?: readonly object[];
  readonly changes?: Partial<WebhookOptions>;
}

interface LogLine {
  readonly level: string;
  readonly facts: object;
  readonly message: string;
}

const events = ['payment.success', 'payment.failed', 'payment.expired'];

function keepingLog() {
  const lines: LogLine[] = [];
  const keep = (level: string) => (facts: object, message: string) => {
    lines.push({ level, facts, message });
  };
  return { lines, info: keep('info'), warn: keep('warn'), error: keep('error') };
}

/** Waits in real time until a check passes. The time-out allows for a busy machine. */
const until = (check: () => unknown) => vi.waitFor(check, 60_000);

async function writeSubscriptions(folder: string, subscriptions: readonly object[]) {
  await writeFile(join(folder, 'webhooks.json'), JSON.stringify(subscriptions));
}

async function open({ folder, clock = systemClock, subscriptions, changes = {} }: Setup) {
  if (subscriptions) await writeSubscriptions(folder, subscriptions);
  const webhooks = await createWebhooks({
    file: join(folder, 'webhooks.json'),
    environment: {},
    instance: async () => 'a'.repeat(32),
    deletionTime: async () => clock.now(),
    delays: [0, 5_000, 30_000],
    timeoutMs: 10_000,
    privateAddresses: 'allow',
    retentionMs: 30 * 86_400_000,
    droppedRetentionMs: 365 * 86_400_000,
    clock,
    log: keepingLog(),
    store: (await deliveryStoreFor(folder, clock)).store,
    ...changes,
  });
  onTestFinished(() => webhooks.stop());
  return webhooks;
}

async function all(webhooks: Webhooks, filter: DeliveryFilter = {}): Promise<Delivery[]> {
  const found: Delivery[] = [];
  for await (const delivery of webhooks.find(filter)) found.push(delivery);
  return found;
}

async function only(webhooks: Webhooks): Promise<Delivery> {
  const [delivery, ...others] = await all(webhooks);
  if (!delivery || others.length > 0) throw new Error('Expected exactly one delivery.');
  return delivery;
}

/** Waits in real time until a request has arrived and its result is stored. */
async function afterAttempts(webhooks: Webhooks, receiver: Receiver, count: number) {
  await until(async () => {
    expect(receiver.received).toHaveLength(count);
    expect((await only(webhooks)).attempts).toHaveLength(count);
  });
}

describe('a delivery', () => {
  it('has a payload, headers and signatures that a receiver can verify', async () => {
    const folder = await makeTempFolder();
    const receiver = await startReceiver();
    const secret = `whsec_${Buffer.from('0123456789abcdef').toString('base64')}`;
    const webhooks = await open({ folder, subscriptions: [{ url: receiver.url, events, secret }] });
    webhooks.start();
    const event = sampleEvent();
    await webhooks.announce(event);
    await until(() => expect(receiver.received).toHaveLength(1));
    const [{ headers, body }] = receiver.received as [Receiver['received'][0]];
    const { occurredAt: _, ...facts } = event;
    const { timestamp, ...payload } = JSON.parse(body);
    expect(payload).toEqual(facts);
    expect(new Date(timestamp).toISOString()).toBe(timestamp);
    const hex = createHmac('sha256', secret).update(body).digest('hex');
    const id = headers['x-webhook-id'];
    const signed = `${id}.${headers['webhook-timestamp']}.${body}`;
    const standard = createHmac('sha256', '0123456789abcdef').update(signed).digest('base64');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-webhook-signature': `sha256=${hex}`,
      'x-webhook-event': 'payment.success',
      'x-webhook-attempt': '1',
      'webhook-id': id,
      'webhook-signature': `v1,${standard}`,
    });
    expect(headers['x-webhook-replay']).toBeUndefined();
    expect(
      Math.abs(Number(headers['webhook-timestamp']) * 1000 - Date.parse(timestamp)),
    ).toBeLessThan(1000);
  });

  it('has no signature header without a secret', async () => {
    const folder = await makeTempFolder();
    const receiver = await startReceiver();
    const webhooks = await open({ folder, subscriptions: [{ url: receiver.url, events }] });
    webhooks.start();
    await webhooks.announce(sampleEvent());
    await until(() => expect(receiver.received).toHaveLength(1));
    const names = Object.keys(receiver.received[0]?.headers ?? {});
    expect(names.filter((name) => /signature|webhook-timestamp|^webhook-id/.test(name))).toEqual(
      [],
    );
    expect(names).toContain('x-webhook-id');
  });

  it('is sent to each entry that lists the event, even to two with the same address', async () => {
    const folder = await makeTempFolder();
    const [a, b] = [await startReceiver(), await startReceiver()];
    const webhooks = await open({
      folder,
      subscriptions: [
        { url: a.url, events: ['payment.success'], secret: 'one' },
        { url: a.url, events: ['payment.success'], secret: 'two' },
        { url: b.url, events: ['payment.failed'] },
      ],
    });
    webhooks.start();
    await webhooks.announce(sampleEvent());
    await until(async () => expect(await all(webhooks, { state: 'delivered' })).toHaveLength(2));
    expect(a.received).toHaveLength(2);
    const signatures = a.received.map(({ headers }) => headers['x-webhook-signature']);
    expect(new Set(signatures).size).toBe(2);
    const ids = a.received.map(({ headers }) => headers['x-webhook-id']);
    expect(new Set(ids).size).toBe(1);
    expect(b.received).toHaveLength(0);
  });

  it('is stored once even if its event is announced repeatedly, before and after it is delivered', async () => {
    const folder = await makeTempFolder();
    const receiver = await startReceiver();
    const webhooks = await open({ folder, subscriptions: [{ url: receiver.url, events }] });
    webhooks.start();
    await Promise.all([1, 2, 3].map(() => webhooks.announce(sampleEvent())));
    await until(async () => expect((await only(webhooks)).state).toBe('delivered'));
    await webhooks.announce(sampleEvent({ occurredAt: Date.now() }));
    expect(await all(webhooks, { state: 'pending' })).toEqual([]);
    await webhooks.announce(sampleEvent({ paymentId: 'after it' }));
    await until(async () => expect(await all(webhooks, { state: 'delivered' })).toHaveLength(2));
    expect(receiver.received).toHaveLength(2);
  });

  it('is stored before announce resolves and sent by the next process', async () => {
    const folder = await makeTempFolder();
    const receiver = await startReceiver();
    const subscriptions = [{ url: receiver.url, events }];
    const first = await open({ folder, subscriptions });
    await first.announce(sampleEvent());
    expect(await all(await open({ folder }))).toHaveLength(1);
    await first.stop();
    const second = await open({ folder });
    second.start();
    await afterAttempts(second, receiver, 1);
  });
});

describe('the retry schedule', () => {
  async function failing(clock: ManualClock) {
    const folder = await makeTempFolder();
    const receiver = await startReceiver(answer(500, 'no'));
    const log = keepingLog();
    const webhooks = await open({
      folder,
      clock,
      subscriptions: [{ url: receiver.url, events, secret: 'keep-me-secret' }],
      changes: { log },
    });
    webhooks.start();
    await webhooks.announce(sampleEvent({ occurredAt: clock.now() }));
    await afterAttempts(webhooks, receiver, 1);
    return { folder, receiver, log, webhooks };
  }

  it('makes retries after 5 s and 30 s with the same ID, then drops the delivery and logs that', async () => {
    const clock = createManualClock();
    const { receiver, log, webhooks } = await failing(clock);
    await clock.advance(4_999);
    expect(receiver.received).toHaveLength(1);
    await clock.advance(1);
    await afterAttempts(webhooks, receiver, 2);
    await clock.advance(29_999);
    expect(receiver.received).toHaveLength(2);
    await clock.advance(1);
    await afterAttempts(webhooks, receiver, 3);
    const delivery = await only(webhooks);
    expect(delivery).toMatchObject({ state: 'dropped', nextAttemptAt: null });
    expect(delivery.attempts[2]).toMatchObject({
      number: 3,
      status: 500,
      error: 'HTTP 500',
      response: 'no',
      replay: false,
    });
    const attempts = receiver.received.map(({ headers }) => headers['x-webhook-attempt']);
    expect(attempts).toEqual(['1', '2', '3']);
    expect(new Set(receiver.received.map(({ headers }) => headers['x-webhook-id'])).size).toBe(1);
    expect(new Set(receiver.received.map(({ body }) => JSON.parse(body).timestamp)).size).toBe(3);
    const dropped = log.lines.filter(({ level }) => level === 'error');
    expect(dropped).toHaveLength(1);
    expect(dropped[0]?.message).toMatch(/dropped/);
    expect(JSON.stringify(log.lines)).not.toContain('keep-me-secret');
    await clock.advance(600_000);
    expect(receiver.received).toHaveLength(3);
  });

  it('is not affected by steps of the wall clock', async () => {
    const clock = createManualClock();
    const { receiver, webhooks } = await failing(clock);
    clock.stepWallClock(-120_000);
    await clock.advance(4_999);
    expect(receiver.received).toHaveLength(1);
    await clock.advance(1);
    await afterAttempts(webhooks, receiver, 2);
    clock.stepWallClock(25 * 3_600_000);
    await clock.advance(29_999);
    expect(receiver.received).toHaveLength(2);
    await clock.advance(1);
    await afterAttempts(webhooks, receiver, 3);
  });

  it('resumes after a restart between two attempts', async () => {
    const clock = createManualClock();
    const { folder, receiver, webhooks } = await failing(clock);
    await webhooks.stop();
    await clock.advance(3_000);
    receiver.behave(answer(204));
    const next = await open({ folder, clock });
    next.start();
    await until(() => expect(clock.sleepers).toBeGreaterThan(3));
    await clock.advance(1_999);
    expect(receiver.received).toHaveLength(1);
    await clock.advance(1);
    await afterAttempts(next, receiver, 2);
    expect(await only(next)).toMatchObject({ state: 'delivered' });
  });

  it('does not count an attempt that a stop interrupted', async () => {
    const folder = await makeTempFolder();
    const receiver = await startReceiver(() => {});
    const first = await open({ folder, subscriptions: [{ url: receiver.url, events }] });
    first.start();
    await first.announce(sampleEvent());
    await until(() => expect(receiver.received).toHaveLength(1));
    await first.stop();
    receiver.behave(answer(200));
    const second = await open({ folder });
    expect(await only(second)).toMatchObject({ state: 'pending', attempts: [] });
    second.start();
    await until(async () => expect((await only(second)).state).toBe('delivered'));
    const attempts = receiver.received.map(({ headers }) => headers['x-webhook-attempt']);
    expect(attempts).toEqual(['1', '1']);
  });
});

describe('receivers', () => {
  it('do not delay each other if some hang or cannot be reached', async () => {
    const folder = await makeTempFolder();
    const good = await startReceiver();
    const hanging = await Promise.all([1, 2, 3].map(() => startReceiver(() => {})));
    const gone = await startReceiver();
    await gone.close();
    const webhooks = await open({
      folder,
      subscriptions: [...hanging, gone, good].map(({ url }) => ({ url, events })),
      changes: { limits: { perReceiver: 8, perFailingReceiver: 2, total: 8, reserved: 2 } },
    });
    webhooks.start();
    const numbers = Array.from({ length: 40 }, (_, index) => String(index));
    await Promise.all(numbers.map((paymentId) => webhooks.announce(sampleEvent({ paymentId }))));
    await until(() => expect(good.received).toHaveLength(40));
    for (const { received } of hanging) expect(received.length).toBeLessThanOrEqual(8);
  });

  it('receive nothing after their subscription is removed, and the delivery is dropped after its schedule', async () => {
    const folder = await makeTempFolder();
    const receiver = await startReceiver(answer(500));
    const clock = createManualClock();
    const first = await open({ folder, clock, subscriptions: [{ url: receiver.url, events }] });
    await first.announce(sampleEvent({ occurredAt: clock.now() }));
    await first.stop();
    const second = await open({ folder, clock, subscriptions: [] });
    second.start();
    for (const count of [1, 2, 3]) {
      await until(async () => expect((await only(second)).attempts).toHaveLength(count));
      await clock.advance(30_000);
    }
    const delivery = await only(second);
    expect(delivery.state).toBe('dropped');
    expect(delivery.attempts[0]?.error).toMatch(/no longer in the webhooks file/);
    expect(receiver.received).toHaveLength(0);
  });
});

describe('several processes', () => {
  it('never send a delivery concurrently, and send the deliveries of other processes', async () => {
    const folder = await makeTempFolder();
    const receiver = await startReceiver();
    const subscriptions = [{ url: receiver.url, events }];
    const workers = [await open({ folder, subscriptions }), await open({ folder })];
    for (const worker of workers) worker.start();
    const third = await open({ folder });
    const numbers = Array.from({ length: 60 }, (_, index) => String(index));
    await Promise.all(numbers.map((paymentId) => third.announce(sampleEvent({ paymentId }))));
    await until(async () => {
      expect(await all(third, { state: 'delivered' })).toHaveLength(60);
    });
    expect(receiver.received).toHaveLength(60);
  });

  it('detect a delivery of another process soon, even after a search that takes long', async () => {
    const folder = await makeTempFolder();
    const receiver = await startReceiver();
    const clock = createManualClock();
    const { store } = await deliveryStoreFor(folder, clock);
    let isSearching = false;
    const slow: DeliveryStore = {
      ...store,
      async findPending(search) {
        const more = await store.findPending(search);
        if (!isSearching) {
          isSearching = true;
          await clock.sleep(60_000);
        }
        return more;
      },
    };
    const subscriptions = [{ url: receiver.url, events }];
    const worker = await open({ folder, clock, subscriptions, changes: { store: slow } });
    worker.start();
    await until(() => expect(isSearching).toBe(true));
    const other = await open({ folder, clock });
    await other.announce(sampleEvent({ occurredAt: clock.now() }));
    const arrived = async () => {
      // The network takes real time between two steps of the clock.
      await setTimeout(5);
      return receiver.received.length > 0;
    };
    await clock.advanceUntil(arrived, 1_000_000);
  });
});

describe('subscriptions', () => {
  it('are reloaded when the file changes, and remain valid if the new file is invalid', async () => {
    const folder = await makeTempFolder();
    const clock = createManualClock();
    const log = keepingLog();
    const webhooks = await open({
      folder,
      clock,
      subscriptions: [{ url: 'http://a.example/', events }],
      changes: { log },
    });
    webhooks.start();
    const urls = () => webhooks.subscriptions().map(({ url }) => url);
    await writeFile(join(folder, 'webhooks.json'), '[{"url": "http://b.example/", ');
    await until(async () => {
      await clock.advance(1_000);
      expect(log.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
    });
    expect(urls()).toEqual(['http://a.example/']);
    expect(JSON.stringify(log.lines)).toContain('webhooks.json:1:');
    await writeSubscriptions(folder, [{ url: 'http://c.example/', events }]);
    await until(async () => {
      await clock.advance(1_000);
      expect(urls()).toEqual(['http://c.example/']);
    });
  });

  it('are empty without a file, and an invalid file prevents startup', async () => {
    const folder = await makeTempFolder();
    expect((await open({ folder })).subscriptions()).toEqual([]);
    await expect(open({ folder, subscriptions: [{ url: 'x' }] })).rejects.toMatchObject({
      code: 'configuration',
    });
  });
});

describe('a webhooks file that is not a regular file or too large', () => {
  it('is rejected at startup without blocking, and ignored later', async () => {
    const folder = await makeTempFolder();
    const file = join(folder, 'webhooks.json');
    execFileSync('mkfifo', [file]);
    const unreadable = { code: 'unreadable_input' };
    await expect(open({ folder })).rejects.toMatchObject(unreadable);
    await rm(file);
    await symlink('/dev/zero', file);
    await expect(open({ folder })).rejects.toMatchObject(unreadable);
    await rm(file);
    await writeFile(file, `[]${' '.repeat(1024 * 1024)}`);
    await expect(open({ folder })).rejects.toMatchObject({
      ...unreadable,
      message: expect.stringContaining('larger than 1 MB'),
    });
    const clock = createManualClock();
    const log = keepingLog();
    const subscriptions = [{ url: 'http://a.example/', events }];
    const webhooks = await open({ folder, clock, subscriptions, changes: { log } });
    webhooks.start();
    await writeFile(file, '['.repeat(200_000));
    await until(async () => {
      await clock.advance(1_000);
      expect(log.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
    });
    expect(webhooks.subscriptions()).toHaveLength(1);
  });
});

describe('webhook records', () => {
  inFiles('are removed by whole days after the retention period', async () => {
    const folder = await makeTempFolder();
    const clock = createManualClock();
    for (const day of ['2025-11-20', '2025-11-21', '2026-10-20', '2026-10-22']) {
      await mkdir(join(folder, 'webhooks', 'delivered', day), { recursive: true });
      await mkdir(join(folder, 'webhooks', 'dropped', day), { recursive: true });
    }
    const webhooks = await open({ folder, clock, subscriptions: [] });
    webhooks.start();
    const days = (state: string) => readdir(join(folder, 'webhooks', state));
    await until(async () => expect(await days('delivered')).toEqual(['2026-10-22']));
    await until(async () =>
      expect(await days('dropped')).toEqual(['2025-11-21', '2026-10-20', '2026-10-22']),
    );
  });

  inFiles('are reported if they are damaged, and do not affect others', async () => {
    const folder = await makeTempFolder();
    const receiver = await startReceiver();
    const log = keepingLog();
    const webhooks = await open({
      folder,
      subscriptions: [{ url: receiver.url, events }],
      changes: { log },
    });
    const name = `dlv_${'0'.repeat(32)}.jsonl`;
    await writeFile(join(folder, 'webhooks', 'pending', name), '{"id": 1');
    webhooks.start();
    await webhooks.announce(sampleEvent());
    await until(() => expect(receiver.received).toHaveLength(1));
    await until(() => expect(JSON.stringify(log.lines)).toContain(name));
  });
});

describe('a replay', () => {
  it('sends a dropped delivery again with a mark, and marks it as delivered', async () => {
    const folder = await makeTempFolder();
    const receiver = await startReceiver(answer(500));
    const webhooks = await open({
      folder,
      subscriptions: [{ url: receiver.url, events }],
      changes: { delays: [0] },
    });
    webhooks.start();
    await webhooks.announce(sampleEvent());
    await afterAttempts(webhooks, receiver, 1);
    const [failed] = await all(webhooks, { failed: true });
    const signal = new AbortController().signal;
    const again = await webhooks.replay(failed?.id ?? '', signal);
    expect(again).toMatchObject({ kind: 'attempted', report: { delivery: { state: 'dropped' } } });
    receiver.behave(answer(200));
    await webhooks.replay(failed?.id ?? '', signal);
    expect(await all(webhooks, { failed: true })).toEqual([]);
    expect(await only(webhooks)).toMatchObject({ state: 'delivered' });
    const last = receiver.received.at(-1);
    expect(last?.headers).toMatchObject({ 'x-webhook-replay': 'true', 'x-webhook-attempt': '3' });
    expect(last?.headers['x-webhook-id']).toBe(receiver.received[0]?.headers['x-webhook-id']);
    expect(await webhooks.replay('dlv_unknown', signal)).toEqual({ kind: 'missing' });
  });
});

describe('a webhook for a sandbox payment', () => {
  const contract = [
    ...['event', 'paymentId', 'type', 'status', 'statusDesc', 'amount', 'qrToken'],
    ...['receiptUrl', 'orderNumber', 'data', 'timestamp'],
  ];

  it('has X-Webhook-Sandbox at each attempt and replay, and the usual body', async () => {
    const folder = await makeTempFolder();
    const receiver = await startReceiver(answer(500));
    const webhooks = await open({
      folder,
      subscriptions: [{ url: receiver.url, events }],
      changes: { delays: [0, 0, 0] },
    });
    webhooks.start();
    await webhooks.announce(sampleEvent({ sandbox: true }));
    await afterAttempts(webhooks, receiver, 3);
    await webhooks.replay((await only(webhooks)).id, new AbortController().signal);
    expect(receiver.received.map(({ headers }) => headers['x-webhook-sandbox'])).toEqual(
      Array(4).fill('true'),
    );
    for (const { body } of receiver.received) {
      expect(Object.keys(JSON.parse(body)).sort()).toEqual([...contract].sort());
    }
  });

  it('has the header at the first attempt of a command, unlike webhooks for other payments', async () => {
    const folder = await makeTempFolder();
    const receiver = await startReceiver(answer(500));
    const webhooks = await open({ folder, subscriptions: [{ url: receiver.url, events }] });
    await webhooks.announce(sampleEvent({ sandbox: true }));
    await webhooks.announce(sampleEvent({ paymentId: '1002' }));
    for (const paymentId of ['1001', '1002']) {
      await webhooks.sendFirstAttempts({ type: 'qr', paymentId }, new AbortController().signal);
    }
    expect(receiver.received.map(({ headers }) => headers['x-webhook-sandbox'])).toEqual([
      'true',
      undefined,
    ]);
  });
});

describe('first attempts by a command', () => {
  it('are made once for a payment, and retries are left to the server', async () => {
    const folder = await makeTempFolder();
    const receiver = await startReceiver(answer(500));
    const webhooks = await open({ folder, subscriptions: [{ url: receiver.url, events }] });
    await webhooks.announce(sampleEvent());
    await webhooks.announce(sampleEvent({ paymentId: 'another' }));
    const signal = new AbortController().signal;
    const payment = { type: 'qr', paymentId: '1001' } as const;
    const reports = await webhooks.sendFirstAttempts(payment, signal);
    expect(reports).toHaveLength(1);
    expect(reports[0]?.delivery).toMatchObject({ state: 'pending' });
    expect(await webhooks.sendFirstAttempts(payment, signal)).toEqual([]);
    expect(receiver.received).toHaveLength(1);
  });
});
