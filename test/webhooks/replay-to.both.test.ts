import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventIdOf, paymentOf, storedEventOf } from '../../src/events/event.js';
import { createSigningKey, signBody } from '../../src/webhooks/signature.js';
import { deliveryStoreFor } from '../helpers/delivery-store.js';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { answer, startReceiver } from './receiver.js';
import { sampleEvent } from './samples.js';
import { allEvents, instance, openWebhooks } from './webhooks-under-test.js';

const names = ['1001', '1002', '1003'];
const never = new AbortController().signal;

/** Creates a folder with three announced events. Its `.env` contains the address of the database, if there is one. */
async function announced(subscriptions: readonly object[] = []) {
  const cwd = await makeTempFolder();
  const webhooks = await openWebhooks({ folder: cwd, subscriptions, changes: { delays: [0] } });
  const stored = names.map((paymentId, index) => {
    const event = sampleEvent({
      paymentId,
      type: index === 1 ? 'invoice' : 'qr',
      organizationId: 7,
      occurredAt: Date.parse(`2026-01-1${index}T12:00:00Z`),
      ...(index === 2 ? { sandbox: true } : {}),
    });
    return storedEventOf(event, eventIdOf(event, instance));
  });
  for (const { facts, occurredAt } of stored) {
    const event = { ...facts, occurredAt: Date.parse(occurredAt) };
    await webhooks.announce(event);
    const payment = paymentOf(facts);
    if (payment) await webhooks.sendFirstAttempts(payment, never);
  }
  await webhooks.stop();
  const { url, store } = await deliveryStoreFor(join(cwd, 'data'));
  await store.close();
  if (url) await appendFile(join(cwd, '.env'), `MSGSITE_DATABASE=${url}\n`);
  return { cwd, ids: stored.map(({ id }) => id) };
}

async function json(argv: readonly string[], cwd: string, stdin?: string) {
  const call = stdin === undefined ? { cwd } : { cwd, stdin };
  const { exitCode, stdout, stderr } = await runCli(['webhooks', ...argv, '--json'], call);
  return { exitCode, stderr, ...JSON.parse(stdout) };
}

describe('webhooks list', () => {
  it('lists events that have no subscription, and the state of all subscriptions', async () => {
    const receiver = await startReceiver();
    const off = { url: `${receiver.url}?off`, events: allEvents, enabled: false };
    const { cwd, ids } = await announced([off]);
    const listed = await json(['list'], cwd);
    expect(listed.events).toMatchObject(
      [2, 1, 0].map((index) => ({ id: ids[index], paymentId: names[index], deliveries: [] })),
    );
    expect(listed).toMatchObject({ deliveries: [], total: 0 });
    expect(listed.subscriptions).toEqual([
      { url: off.url, enabled: false, disabledBy: 'file', droppedInARow: 0 },
    ]);
    expect((await json(['list', '--payment', '1002'], cwd)).events).toHaveLength(1);
    expect((await json(['list', '--failed'], cwd)).events).toEqual([]);
    const limited = await runCli(['webhooks', 'list', '--limit', '2'], { cwd });
    expect(limited.stdout).toMatch(/1003 +no receiver/);
    expect(limited.stdout).toContain('2 of 3 are shown');
    expect(limited.stdout).toContain('is disabled in the webhooks file');
  });

  it('lists deliveries under their events, even with an invalid webhooks file', async () => {
    const receiver = await startReceiver(answer(500));
    const { cwd, ids } = await announced([{ url: receiver.url, events: allEvents }]);
    const listed = await json(['list', '--payment', '1001'], cwd);
    expect(listed.events).toMatchObject([
      { id: ids[0], organizationId: 7, deliveries: [{ eventId: ids[0], state: 'dropped' }] },
    ]);
    expect(listed.subscriptions).toMatchObject([{ enabled: true, droppedInARow: 3 }]);
    await writeFile(join(cwd, 'webhooks.json'), '[{');
    const faulty = await json(['list'], cwd);
    expect(faulty).toMatchObject({ exitCode: 0, total: 3, subscriptions: [] });
    expect(faulty.stderr).toContain('webhooks.json');
  });

  it('shows receivers disabled by 410, which `webhooks enable` enables again', async () => {
    const receiver = await startReceiver(answer(410));
    const { cwd } = await announced([{ url: receiver.url, events: allEvents }]);
    expect(receiver.received).toHaveLength(1);
    expect(await json(['list'], cwd)).toMatchObject({
      total: 1,
      events: [{ deliveries: [] }, { deliveries: [] }, { deliveries: [{ state: 'dropped' }] }],
      subscriptions: [{ url: receiver.url, enabled: false, disabledBy: '410', droppedInARow: 1 }],
    });
    const shown = await runCli(['webhooks', 'list'], { cwd });
    expect(shown.stdout).toContain(`msgsite webhooks enable ${receiver.url}`);
    const unknown = await runCli(['webhooks', 'enable', 'http://elsewhere/'], { cwd });
    expect(unknown).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('elsewhere') });
    expect(await json(['enable', receiver.url], cwd)).toMatchObject({ exitCode: 0, enabled: 1 });
    expect(await json(['enable', receiver.url], cwd)).toMatchObject({ exitCode: 0, enabled: 0 });
    expect((await json(['list'], cwd)).subscriptions).toMatchObject([{ enabled: true }]);
  });
});

describe('webhooks replay --to', () => {
  it('sends events unsigned to an address without a subscription and stores nothing', async () => {
    const { cwd, ids } = await announced();
    const receiver = await startReceiver();
    const to = ['replay', '--to', receiver.url];
    expect((await runCli(['webhooks', ...to], { cwd })).exitCode).toBe(2);
    expect(
      (await runCli(['webhooks', 'replay', '--all', '--to', 'ftp://x/'], { cwd })).exitCode,
    ).toBe(2);
    expect(await json([...to, '--all', '--dry-run'], cwd)).toMatchObject({
      dryRun: true,
      total: 3,
    });
    expect(receiver.received).toHaveLength(0);
    const sent = await json([...to, '--since', '2026-01-11', '--concurrency', '1'], cwd);
    expect(sent).toMatchObject({ exitCode: 0, total: 2, delivered: 2, failed: 0 });
    expect(receiver.received.map(({ headers }) => headers['x-webhook-id'])).toEqual(ids.slice(1));
    for (const { headers } of receiver.received) {
      expect(headers).toMatchObject({ 'x-webhook-replay': 'true', 'x-webhook-attempt': '1' });
      expect(headers).not.toHaveProperty('x-webhook-signature');
    }
    expect((await json(['list'], cwd)).total).toBe(0);
  });

  it('marks only the events of sandbox payments', async () => {
    const { cwd } = await announced();
    const receiver = await startReceiver();
    const flags = ['replay', '--to', receiver.url, '--all', '--concurrency', '1'];
    expect(await json(flags, cwd)).toMatchObject({ exitCode: 0, delivered: 3 });
    const marks = receiver.received.map(({ headers, body }) => [
      JSON.parse(body).paymentId,
      headers['x-webhook-sandbox'],
    ]);
    expect(Object.fromEntries(marks)).toEqual({ 1001: undefined, 1002: undefined, 1003: 'true' });
  });

  it('signs with the secrets of a file', async () => {
    const { cwd } = await announced();
    const receiver = await startReceiver();
    await writeFile(join(cwd, 'secret'), 'first\nsecond\n');
    const flags = ['--to', receiver.url, '--payment', '1001', '--secret-file', 'secret'];
    expect(await json(['replay', ...flags], cwd)).toMatchObject({ exitCode: 0, total: 1 });
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
    expect(headers).toHaveProperty(
      'x-webhook-signature',
      signBody(createSigningKey('first'), body),
    );
    const misplaced = ['webhooks', 'replay', '--all', '--secret-file', 'secret'];
    expect((await runCli(misplaced, { cwd })).exitCode).toBe(2);
  });

  it('signs and stores deliveries to an address that now has a subscription', async () => {
    const { cwd } = await announced();
    const receiver = await startReceiver(answer(500));
    const subscription = { url: receiver.url, events: ['payment.failed'], secret: 's3cret' };
    await writeFile(join(cwd, 'webhooks.json'), JSON.stringify([subscription]));
    const replay = ['replay', '--to', receiver.url, '--all'];
    expect(await json(replay, cwd)).toMatchObject({ exitCode: 1, failed: 3 });
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
    const signature = signBody(createSigningKey('s3cret'), body);
    expect(headers).toHaveProperty('x-webhook-signature', signature);
    expect(await json(['list', '--failed'], cwd)).toMatchObject({ total: 3 });
    receiver.behave(answer(200));
    expect(await json(['replay', '--failed'], cwd)).toMatchObject({ exitCode: 0, delivered: 3 });
    const listed = await json(['list'], cwd);
    expect(listed.events).toHaveLength(3);
    expect(listed).toMatchObject({ total: 3, deliveries: { length: 3 } });
  });

  it('sends an event once, even if several subscriptions had it', async () => {
    const old = await Promise.all([startReceiver(answer(500)), startReceiver()]);
    const { cwd, ids } = await announced(old.map(({ url }) => ({ url, events: allEvents })));
    const receiver = await startReceiver();
    const sent = await json(['replay', '--failed', '--to', receiver.url], cwd);
    expect(sent).toMatchObject({ exitCode: 0, total: 3 });
    const seen = receiver.received.map(({ headers }) => String(headers['x-webhook-id']));
    expect(seen.sort()).toEqual([...ids].sort());
  });
});

describe('webhooks replay --from', () => {
  it('accepts IDs of events and payments, and listings of events without subscriptions', async () => {
    const { cwd, ids } = await announced();
    const receiver = await startReceiver();
    const lists = [
      ids[0] ?? '',
      '1001',
      'qr:1001\n',
      '[1001]',
      JSON.stringify({ payments: [{ id: '1001', type: 'qr' }] }),
      JSON.stringify(await json(['list', '--payment', '1001'], cwd)),
    ];
    for (const list of lists) {
      const sent = await json(['replay', '--from', '-', '--to', receiver.url], cwd, list);
      expect(sent, list).toMatchObject({ exitCode: 0, total: 1 });
    }
    const sentIds = new Set(receiver.received.map(({ headers }) => headers['x-webhook-id']));
    expect([...sentIds]).toEqual([ids[0]]);
    const none = await runCli(['webhooks', 'replay', '--from', '-'], { cwd, stdin: '1001' });
    expect(none.exitCode).toBe(1);
    expect(none.stderr).toContain('--to');
    const other = await runCli(['webhooks', 'replay', '--from', '-'], {
      cwd,
      stdin: 'invoice:1001',
    });
    expect(other).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('invoice:1001') });
  });

  it('sends events of a listing to subscriptions that were added later', async () => {
    const { cwd, ids } = await announced();
    const listing = JSON.stringify(await json(['list'], cwd));
    const receiver = await startReceiver();
    const filter = { types: ['qr'] };
    const subscription = { url: receiver.url, events: allEvents, filter };
    await writeFile(join(cwd, 'webhooks.json'), JSON.stringify([subscription]));
    const sent = await json(['replay', '--from', '-'], cwd, listing);
    expect(sent).toMatchObject({ exitCode: 0, delivered: 2 });
    expect(sent.stderr).toContain(ids[1]);
    expect((await json(['list', '--state', 'delivered'], cwd)).total).toBe(2);
  });

  it('finds the stored event of a webhook body', async () => {
    const { cwd, ids } = await announced();
    const receiver = await startReceiver();
    const { occurredAt: _, ...body } = sampleEvent({ paymentId: '1001' });
    const replay = ['replay', '--from', '-', '--to', receiver.url];
    expect(await json(replay, cwd, JSON.stringify(body))).toMatchObject({ delivered: 1 });
    expect(receiver.received[0]?.headers['x-webhook-id']).toBe(ids[0]);
  });
});

describe('webhooks secret', () => {
  it('creates a Standard Webhooks secret of the requested length', async () => {
    const cwd = await makeTempFolder();
    const { stdout } = await runCli(['webhooks', 'secret'], { cwd });
    expect(stdout).toMatch(/^whsec_[A-Za-z0-9+/]{43}=\n$/);
    const { secret } = await json(['secret', '--bytes', '64'], cwd);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(64);
    for (const bytes of ['23', '65', 'x']) {
      expect((await runCli(['webhooks', 'secret', '--bytes', bytes], { cwd })).exitCode).toBe(2);
    }
  });

  it('accepts signatures by any of several secrets in webhooks verify', async () => {
    const cwd = await makeTempFolder();
    const body = '{"a":1}';
    const header = `X-Webhook-Signature: ${signBody(createSigningKey('old'), body)}`;
    await writeFile(join(cwd, 'both'), 'new\nold\n');
    const verify = (...flags: string[]) =>
      runCli(['webhooks', 'verify', '--header', header, ...flags], { cwd, stdin: body });
    expect((await verify('--secret-file', 'both')).exitCode).toBe(0);
    expect((await verify('--secret', 'new', '--secret', 'old')).exitCode).toBe(0);
    expect((await verify('--secret', 'new')).exitCode).toBe(1);
    await writeFile(join(cwd, 'many'), 'x\n'.repeat(11));
    expect((await verify('--secret-file', 'many')).exitCode).toBe(2);
  });
});
