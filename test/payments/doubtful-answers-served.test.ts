import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createManualClock } from '../helpers/manual-clock.js';
import { openRecordedLog } from '../helpers/recorded-log.js';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { startTestServer } from '../helpers/test-server.js';
import { createGatewayClient } from './gateway-client.js';
import { openScriptedBank, type Script } from './scripted-bank.js';

const second = 1000;
const hour = 3600 * second;

interface Received {
  readonly event: string;
  readonly paymentId: string;
  readonly status: string;
}

async function openReceiver() {
  const received: Received[] = [];
  const receiver = createServer(async (request, response) => {
    received.push((await json(request)) as Received); // The gateway sends events of this type.
    response.end();
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  onTestFinished(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  const { port } = receiver.address() as AddressInfo; // A TCP server has a port.
  return { url: `http://127.0.0.1:${port}/`, received };
}

/** Starts a gateway server on a scripted bank, with a signed-in client and a webhook receiver. */
async function serve(script: Script, files: Readonly<Record<string, unknown>> = {}) {
  const clock = createManualClock();
  const bank = await openScriptedBank(script);
  const { url, received } = await openReceiver();
  const folder = await makeTempFolder();
  const events = ['payment.success', 'payment.failed', 'payment.expired'];
  const env: Record<string, string> = {
    MSGSITE_PROVIDER: bank.module,
    MSGSITE_WEBHOOKS: join(folder, 'webhooks.json'),
  };
  await writeFile(join(folder, 'webhooks.json'), JSON.stringify([{ url, events }]));
  for (const [variable, content] of Object.entries(files)) {
    env[variable] = join(folder, variable);
    await writeFile(join(folder, variable), JSON.stringify(content));
  }
  const { log, lines } = await openRecordedLog();
  const server = await startTestServer({ only: 'gateway', env, clock, log });
  onTestFinished(server.close);
  const client = await createGatewayClient(server.gateway);
  const { headers } = await client.signIn();
  return {
    bank,
    clock,
    received,
    lines,
    async qr(amount: number): Promise<string> {
      const { body } = await client.post('/api/qr/create', { amount }, headers);
      return String(body.Data.QrOperationId);
    },
    /** Advances the clock second by second until the condition is true. */
    async until(condition: () => boolean): Promise<void> {
      while (!condition()) {
        await clock.advance(second);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    /** Returns the payments in a state, as listed by `pay payments`. */
    async payments(state: string) {
      const given = { ...env, MSGSITE_DATA: server.data };
      const words = ['pay', 'payments', '--state', state, '--json'];
      const { stdout, stderr } = await runCli(words, { env: given, clock, cwd: folder });
      expect(stderr).toBe('');
      return JSON.parse(stdout).payments;
    },
  };
}

describe('a gateway server', () => {
  it('ignores a status answer about a different operation and logs a warning', async () => {
    const { bank, clock, received, lines, qr, until } = await serve({
      status: () => ({ Status: 'Processed', QrOperationId: 1 }),
    });
    const id = await qr(1500);
    await clock.advance(30 * second);
    expect(bank.asked.length).toBeGreaterThan(3);
    expect(received).toEqual([]);
    expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', payment: id }));
    bank.script = { status: () => ({ Status: 'Rejected', QrOperationId: id }) };
    await until(() => received.length > 0);
    expect(received).toMatchObject([{ event: 'payment.failed', paymentId: id }]);
  });

  it('does not report a payment with a different amount as a success', async () => {
    const { clock, received, lines, qr, payments } = await serve({
      status: () => ({ Status: 'Processed', Amount: 15 }),
    });
    const id = await qr(1500);
    await clock.advance(6 * second);
    expect(await payments('unknown')).toMatchObject([{ paymentId: id, outcome: null }]);
    const errors = lines.filter(({ level }) => level === 'error');
    expect(errors).toMatchObject([{ payment: id, amount: 1500, answered: 15 }]);
    await clock.advance(60 * second);
    expect(received).toEqual([]);
  });

  it('polls every 3 s regardless of changes to the wall clock', async () => {
    const { bank, clock, qr, payments } = await serve({});
    const id = await qr(1500);
    await clock.advance(12 * second);
    clock.stepWallClock(-120 * second);
    await clock.advance(12 * second);
    clock.stepWallClock(25 * hour);
    await clock.advance(12 * second);
    expect(bank.asked).toHaveLength(12);
    expect(await payments('open')).toMatchObject([{ paymentId: id }]);
  });

  it('keeps its polling interval if the bank’s clock is behind', async () => {
    const created = () => ({ ExpireDate: '2026-11-21T06:58:00' });
    const { bank, clock, lines, qr } = await serve({ created });
    const id = await qr(1500);
    // A gateway that trusted the date would reduce polling 5 minutes after it, which is 3 minutes from now.
    await clock.advance(240 * second);
    expect(bank.asked).toHaveLength(80);
    const warnings = lines.filter(({ level, payment }) => level === 'warn' && payment === id);
    expect(warnings).toMatchObject([{ msg: expect.stringContaining('is ignored') }]);
  });

  it('applies the statuses of MSGSITE_STATUS_MAP', async () => {
    const MSGSITE_STATUS_MAP = { qr: { Paid: 'success', Review: 'pending' } };
    const { bank, clock, received, lines, qr, until } = await serve(
      { status: () => ({ Status: 'Review' }) },
      { MSGSITE_STATUS_MAP },
    );
    const id = await qr(1500);
    await clock.advance(10 * second);
    expect(lines.filter(({ level }) => level === 'warn')).toEqual([]);
    bank.script = { status: () => ({ Status: 'Paid' }) };
    await until(() => received.length > 0);
    expect(received).toMatchObject([{ event: 'payment.success', paymentId: id, status: 'Paid' }]);
  });

  it('reports a payment that the bank reports as paid a minute after its expiry', async () => {
    const { bank, clock, received, lines, qr, until } = await serve({
      status: () => ({ Status: 'Expired' }),
    });
    const id = await qr(1500);
    await until(() => received.length > 0);
    bank.script = { status: () => ({ Status: 'Processed' }) };
    await clock.advance(60 * second);
    const errors = lines.filter(({ level }) => level === 'error');
    expect(errors).toMatchObject([{ payment: id, status: 'Expired', flippedTo: 'Processed' }]);
    expect(received).toMatchObject([{ event: 'payment.expired', paymentId: id }]);
  });
});

describe('an invalid MSGSITE_STATUS_MAP', () => {
  it.each([
    ['serve', '--only', 'gateway', '--gateway-port', '0'],
    ['pay', 'qr', '--amount', '5'],
    ['pay', 'status'],
  ])('makes %s %s exit with code 2 and report the file, line and rule', async (...argv) => {
    const cwd = await makeTempFolder();
    const file = join(cwd, 'statuses.json');
    await writeFile(file, '{\n  "qr": {\n    "Paid": "yes",\n    "Expired": "success"\n  }\n}\n');
    const env = { MSGSITE_STATUS_MAP: 'statuses.json' };
    const { exitCode, stderr } = await runCli(argv, { cwd, env });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`${file}:3:13`)]);
    expect(stderr).toContain('(enum)');
    expect(stderr).toContain('MSGSITE_STATUS_MAP');
    await writeFile(file, '{\n  "qr": {\n    "Expired": "success"\n  }\n}\n');
    const again = await runCli(argv, { cwd, env });
    expect([again.exitCode, again.stderr]).toEqual([2, expect.stringContaining(`${file}:3:5`)]);
    expect(again.stderr).toContain('known-status');
  });

  it('makes serve exit with code 2 if the file cannot be read', async () => {
    const cwd = await makeTempFolder();
    const env = { MSGSITE_STATUS_MAP: 'missing.json' };
    const argv = ['serve', '--only', 'gateway', '--gateway-port', '0'];
    const { exitCode, stderr } = await runCli(argv, { cwd, env });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('missing.json')]);
    expect(stderr).toContain('MSGSITE_STATUS_MAP');
  });
});
