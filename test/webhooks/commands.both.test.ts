import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { afterAttempt, createDelivery, type Delivery } from '../../src/events/delivery.js';
import type { PaymentEvent } from '../../src/events/event.js';
import { createSigningKey, signBody } from '../../src/webhooks/signature.js';
import { parseSubscriptions } from '../../src/webhooks/subscriptions/subscription-file.js';
import { deliveryStoreFor } from '../helpers/delivery-store.js';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { openTerminal } from '../helpers/terminal.js';
import { answer, type Receiver, startReceiver } from './receiver.js';
import { sampleEvent } from './samples.js';

const events = ['payment.success', 'payment.failed', 'payment.expired'];
const failure = { durationMs: 5, status: 500, error: 'HTTP 500', response: '' };
const success = { durationMs: 5, status: 200, error: null, response: 'ok' };

/**
 * Creates a folder with a webhooks.json for one receiver and deliveries in these states. In the project `postgres`,
 * they are stored in a database, whose address is in the folder's `.env`.
 */
async function makeStored(
  receiver: Receiver,
  deliveries: readonly {
    event: Partial<PaymentEvent>;
    attempts: readonly (typeof failure | typeof success)[];
  }[],
) {
  const cwd = await makeTempFolder();
  const text = JSON.stringify([{ url: receiver.url, events, secret: 's3cret' }]);
  await writeFile(join(cwd, 'webhooks.json'), text);
  const [subscription] = parseSubscriptions({ file: 'webhooks.json', text, environment: {} });
  if (!subscription) throw new Error('no subscription');
  const { url: database, store } = await deliveryStoreFor(join(cwd, 'data'));
  if (database) await writeFile(join(cwd, '.env'), `MSGSITE_DATABASE=${database}\n`);
  const stored: Delivery[] = [];
  for (const { event, attempts } of deliveries) {
    let delivery = createDelivery(sampleEvent(event), subscription, [0, 5_000, 30_000]);
    for (const result of attempts) {
      const number = delivery.attempts.length + 1;
      const attempt = { number, at: delivery.occurredAt, replay: false, ...result };
      delivery = afterAttempt(delivery, attempt, [0, 5_000, 30_000]);
    }
    await store.add(delivery);
    stored.push(delivery);
  }
  return { cwd, stored };
}

const three = [failure, failure, failure];
const day = (text: string) => Date.parse(`${text}T12:00:00Z`);
const mixed = [
  { event: { paymentId: '1', occurredAt: day('2026-01-10') }, attempts: three },
  { event: { paymentId: '2', occurredAt: day('2026-01-11') }, attempts: [success] },
  {
    event: { paymentId: '3', event: 'payment.failed', occurredAt: day('2026-01-12') },
    attempts: [failure],
  },
] as const;

async function json(argv: readonly string[], cwd: string, stdin?: string) {
  const { exitCode, stdout, stderr } = await runCli([...argv, '--json'], {
    cwd,
    ...(stdin === undefined ? {} : { stdin }),
  });
  return { exitCode, stderr, ...JSON.parse(stdout) };
}

const payments = ({ deliveries }: { deliveries: { paymentId: string }[] }) =>
  deliveries.map(({ paymentId }) => paymentId);

describe('webhooks list', () => {
  it.each([
    [[], ['3', '2', '1']],
    [['--failed'], ['3', '1']],
    [['--state', 'delivered'], ['2']],
    [['--event', 'payment.failed'], ['3']],
    [['--payment', '2'], ['2']],
    [
      ['--since', '2026-01-11'],
      ['3', '2'],
    ],
    [
      ['--until', '2026-01-11'],
      ['2', '1'],
    ],
    [['--url', 'http://elsewhere/'], []],
    [['--limit', '1'], ['3']],
  ])('lists with the flags %j the payments %j', async (flags, expected) => {
    const { cwd } = await makeStored(await startReceiver(), mixed);
    const result = await json(['webhooks', 'list', ...flags], cwd);
    expect(result.exitCode).toBe(0);
    expect(payments(result)).toEqual(expected);
  });

  it('prints a table without the secret', async () => {
    const receiver = await startReceiver();
    const { cwd } = await makeStored(receiver, mixed);
    const { stdout } = await runCli(['webhooks', 'list'], { cwd });
    expect(stdout.split('\n')).toHaveLength(5);
    expect(stdout).toMatch(/payment\.success +1 +dropped/);
    expect(stdout).not.toContain('s3cret');
    // A pipe receives every column in full.
    expect(stdout).toContain(receiver.url);
    expect(stdout).toMatch(/dlv_[0-9a-f]{32}/);
  });

  it.each([
    ['--since', 'yesterday'],
    ['--limit', 'x'],
    ['--event', 'payment.paid'],
    ['--state', 'lost'],
  ])('rejects %s %s with exit code 2', async (...flags) => {
    const { exitCode } = await runCli(['webhooks', 'list', ...flags], {
      cwd: await makeTempFolder(),
    });
    expect(exitCode).toBe(2);
  });
});

describe('webhooks replay', () => {
  it('does not replay everything without --all', async () => {
    const receiver = await startReceiver();
    const { cwd } = await makeStored(receiver, mixed);
    const refused = await runCli(['webhooks', 'replay'], { cwd });
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('--all');
    expect(receiver.received).toHaveLength(0);
    const all = await json(['webhooks', 'replay', '--all'], cwd);
    expect(all).toMatchObject({ exitCode: 0, total: 3, delivered: 3, failed: 0 });
    expect(receiver.received).toHaveLength(3);
  });

  it('prints the plan with --dry-run and sends nothing', async () => {
    const receiver = await startReceiver();
    const { cwd } = await makeStored(receiver, mixed);
    const plan = await json(['webhooks', 'replay', '--failed', '--dry-run'], cwd);
    expect(plan).toMatchObject({ exitCode: 0, dryRun: true, total: 2 });
    expect(payments(plan)).toEqual(['1', '3']);
    expect(receiver.received).toHaveLength(0);
  });

  it('sends failed deliveries again with a mark and a signature, and they no longer match --failed', async () => {
    const receiver = await startReceiver();
    const { cwd } = await makeStored(receiver, mixed);
    const { exitCode, stdout } = await runCli(['webhooks', 'replay', '--failed'], { cwd });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/✓ payment\.success 1 → .*HTTP 200/);
    expect(stdout).toContain('2 delivered of 2.');
    for (const { headers, body } of receiver.received) {
      expect(headers['x-webhook-replay']).toBe('true');
      expect(headers['x-webhook-signature']).toBe(signBody(createSigningKey('s3cret'), body));
    }
    expect(await json(['webhooks', 'list', '--failed'], cwd)).toMatchObject({ total: 0 });
    const again = await runCli(['webhooks', 'replay', '--failed'], { cwd });
    expect(again).toMatchObject({ exitCode: 0, stdout: 'Nothing to replay.\n' });
  });

  it('exits with 1 if a delivery fails, and reports which and why', async () => {
    const receiver = await startReceiver((response, number) => {
      response.writeHead(number === 1 ? 503 : 200).end();
    });
    const { cwd } = await makeStored(receiver, mixed);
    const result = await json(['webhooks', 'replay', '--failed', '--concurrency', '1'], cwd);
    expect(result).toMatchObject({ exitCode: 1, total: 2, delivered: 1, failed: 1 });
    expect(result.deliveries[0]).toMatchObject({
      ok: false,
      state: 'dropped',
      status: 503,
      error: 'HTTP 503',
    });
  });

  it('accepts IDs, list output and webhook bodies from a file or stdin', async () => {
    const receiver = await startReceiver();
    const { cwd, stored } = await makeStored(receiver, mixed);
    const [first] = stored;
    const ids = await json(['webhooks', 'replay', '--from', '-'], cwd, `${first?.id}\n\n`);
    expect(payments(ids)).toEqual(['1']);
    const { stdout } = await runCli(['webhooks', 'list', '--payment', '2', '--json'], { cwd });
    await writeFile(join(cwd, 'list.json'), stdout);
    const listed = await json(['webhooks', 'replay', '--from', 'list.json'], cwd);
    expect(payments(listed)).toEqual(['2']);
    const { occurredAt: _, ...body } = sampleEvent({ paymentId: 'elsewhere' });
    const replay = ['webhooks', 'replay', '--from', '-', '--yes'];
    const result = await json(replay, cwd, JSON.stringify(body));
    expect(result).toMatchObject({ exitCode: 0, total: 1, delivered: 1 });
    expect(JSON.parse(receiver.received.at(-1)?.body ?? '')).toMatchObject(body);
  });

  it('signs events from a file that are not stored only with --yes or after a confirmation', async () => {
    const receiver = await startReceiver();
    const { cwd } = await makeStored(receiver, []);
    const bodies = ['one', 'two'].map((paymentId) => {
      const { occurredAt: _, ...body } = sampleEvent({ paymentId });
      return JSON.stringify(body);
    });
    await writeFile(join(cwd, 'forged'), bodies.join('\n'));
    for (const [words, stdin] of [
      [['--from', 'forged'], ''],
      [['--from', '-'], bodies.join('\n')],
    ] as const) {
      const refused = await runCli(['webhooks', 'replay', ...words], { cwd, stdin });
      expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
      expect(refused.stderr).toContain('2 events from ');
      expect(refused.stderr).toContain('Without a terminal, this requires --yes.');
    }
    const dry = await json(['webhooks', 'replay', '--from', 'forged', '--dry-run'], cwd);
    expect(dry).toMatchObject({ exitCode: 0, total: 2 });
    const env = { HOME: cwd, ...(process.env.TMPDIR ? { TMPDIR: process.env.TMPDIR } : {}) };
    const terminal = openTerminal(['webhooks', 'replay', '--from', 'forged'], { cwd, env });
    try {
      await terminal.waitFor(/Send 2 events from forged to[\s\S]+real\s+secret[\s\S]+\[y\/N\]/);
      expect(terminal.text()).toContain(receiver.url);
      terminal.type('n\r');
      expect(await terminal.exit()).toBe(1);
    } finally {
      terminal.kill();
    }
    expect(receiver.received).toEqual([]);
    const sent = await json(['webhooks', 'replay', '--from', 'forged', '--yes'], cwd);
    expect(sent).toMatchObject({ exitCode: 0, delivered: 2 });
  });

  it('rejects a list with invalid entries, and names their lines', async () => {
    const { cwd } = await makeStored(await startReceiver(), []);
    const { exitCode, stderr } = await runCli(['webhooks', 'replay', '--from', '-'], {
      cwd,
      stdin: 'dlv_1\nnonsense',
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('standard input:2: is neither an ID nor a webhook body');
    const missing = await runCli(['webhooks', 'replay', '--from', 'no-file'], { cwd });
    expect(missing.exitCode).toBe(2);
  });

  it('reports a failure for a delivery whose subscription was removed', async () => {
    const { cwd } = await makeStored(await startReceiver(), mixed);
    await writeFile(join(cwd, 'webhooks.json'), '[]');
    const result = await json(['webhooks', 'replay', '--payment', '1'], cwd);
    expect(result).toMatchObject({ exitCode: 1, failed: 1 });
    expect(result.deliveries[0].error).toContain('no longer in the webhooks file');
  });
});

describe.skipIf(inject('postgres'))('data check', () => {
  it('accepts stored deliveries, even after replays, and reports a damaged one', async () => {
    const { cwd } = await makeStored(await startReceiver(), mixed);
    await runCli(['webhooks', 'replay', '--all'], { cwd });
    await runCli(['webhooks', 'replay', '--all'], { cwd });
    expect((await json(['data', 'check'], cwd)).exitCode).toBe(0);
    const name = `dlv_${'0'.repeat(32)}.jsonl`;
    await writeFile(join(cwd, 'data', 'webhooks', 'pending', name), '{"id":');
    const found = await runCli(['data', 'check'], { cwd });
    expect(found.exitCode).toBe(1);
    expect(found.stdout).toContain(name);
  });
});

describe('webhooks trigger', () => {
  it('sends a sample to the matching subscriptions', async () => {
    const receiver = await startReceiver();
    const { cwd } = await makeStored(receiver, []);
    const result = await json(['webhooks', 'trigger', 'payment.expired'], cwd);
    expect(result).toMatchObject({ exitCode: 0, event: 'payment.expired' });
    const [sent] = receiver.received;
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({
      status: 'Expired',
      data: { Sample: true },
    });
    expect(sent?.headers['x-webhook-signature']).toBe(
      signBody(createSigningKey('s3cret'), sent?.body ?? ''),
    );
    expect((await json(['webhooks', 'list'], cwd)).total).toBe(0);
  });

  it('sends to an address with --url, signed with a secret from the environment or a file', async () => {
    const receiver = await startReceiver(answer(500));
    const cwd = await makeTempFolder();
    const argv = ['webhooks', 'trigger', 'payment.success', '--url', receiver.url];
    const env = { MSGSITE_WEBHOOK_SECRET: 'from env' };
    expect((await runCli(argv, { cwd, env })).exitCode).toBe(1);
    await writeFile(join(cwd, 'secret'), 'from file\n');
    await runCli([...argv, '--secret-file', 'secret'], { cwd, env });
    await runCli([...argv, '--secret-file', '-'], { cwd, stdin: 'from stdin' });
    await runCli([...argv, '--secret', 'env:OTHER'], { cwd, env: { OTHER: 'other' } });
    await runCli(argv, { cwd });
    const secrets = ['from env', 'from file', 'from stdin', 'other'];
    expect(receiver.received.map(({ headers }) => headers['x-webhook-signature'])).toEqual([
      ...secrets.map((secret, index) =>
        signBody(createSigningKey(secret), receiver.received[index]?.body ?? ''),
      ),
      undefined,
    ]);
  });

  it.each([
    [['payment.paid'], 2],
    [['payment.success', '--url', 'ftp://a/'], 2],
    [['payment.success', '--amount', '-1'], 2],
    [['payment.success', '--amount', '1,005'], 2],
    [['payment.success', '--amount', '1 500,50', '--url', 'http://169.254.169.254/'], 1],
    [['payment.success', '--url', 'http://169.254.169.254/'], 1],
    [['payment.success'], 1],
  ])('exits for %j with exit code %i', async (words, expected) => {
    const cwd = await makeTempFolder();
    expect((await runCli(['webhooks', 'trigger', ...words], { cwd })).exitCode).toBe(expected);
  });
});

describe('webhooks verify', () => {
  const body = '{"event":"payment.success"}';
  const signature = signBody(createSigningKey('s3cret'), body);
  const env = { MSGSITE_WEBHOOK_SECRET: 's3cret' };
  const verify = (argv: readonly string[], call: Parameters<typeof runCli>[1]) =>
    runCli(['webhooks', 'verify', ...argv], call);

  it('reports whether a signature is valid by its exit code', async () => {
    const right = await verify(['--signature', signature], { env, stdin: body });
    expect(right).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Valid.') });
    const wrong = await verify(['--signature', signature], { env, stdin: `${body}\n` });
    expect(wrong).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('Not valid.') });
    const asJson = await verify(['--signature', signature, '--json'], { env, stdin: 'x' });
    expect(JSON.parse(asJson.stdout)).toMatchObject({ valid: false });
  });

  it('reads the exact bytes of body, headers and secret from files', async () => {
    const cwd = await makeTempFolder();
    const bytes = Buffer.from([0xff, 0xfe, 0x0d, 0x0a]);
    await writeFile(join(cwd, 'body'), bytes);
    await writeFile(join(cwd, 'secret'), 's3cret\n');
    const signed = signBody(createSigningKey('s3cret'), bytes);
    await writeFile(
      join(cwd, 'headers'),
      `POST / HTTP/1.1\r\nHost: a\r\nX-Webhook-Signature: ${signed}\r\n\r\n`,
    );
    const files = ['--body', 'body', '--headers', 'headers', '--secret-file', 'secret'];
    expect((await verify(files, { cwd })).exitCode).toBe(0);
    await writeFile(join(cwd, 'headers'), JSON.stringify({ 'X-Webhook-Signature': signed }));
    expect((await verify(files, { cwd })).exitCode).toBe(0);
  });

  it.each([
    [[], env],
    [['--signature', 'sha256=00'], {}],
    [['--header', 'nonsense'], env],
    [['--signature', 'x', '--headers', '-'], env],
    [['--signature', 'x', '--body', 'no-such-file'], env],
    [['--signature', 'x', '--tolerance', 'x'], env],
  ])('rejects the flags %j as a usage error', async (argv, variables) => {
    const { exitCode } = await verify(argv, { env: variables, stdin: body });
    expect(exitCode).toBe(2);
  });
});
