import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';
import { inject, it } from 'vitest';
import { startServer } from '../../../src/app/server.js';
import { systemClock } from '../../../src/base/clock.js';
import type { AppError } from '../../../src/base/errors.js';
import { silentLog } from '../../../src/base/log.js';
import { readConfig } from '../../../src/config/config.js';
import { openSandboxBank } from '../../commands/pay/sandbox-bank.js';
import { hasStopped } from '../../helpers/stopped-process.js';
import { createTestDatabase } from '../../helpers/test-database.js';
import { clientOf } from '../client/scripted-gateway.js';

const child = fileURLToPath(new URL('stopped.mjs', import.meta.url));

const { MSGSITE_TEST_MONEY_RUNS: chosenRuns, MSGSITE_TEST_MONEY_SEED: chosenSeed } = process.env;
const seed = Number(chosenSeed ?? Date.now() % 1_000_000_000);
/** Number of steps that are tested by default. A full run tests as many steps at a time. */
const sampled = 3;
const atOnce = chosenRuns === undefined ? sampled : 8;
/** Longer than any lease, in milliseconds. */
const stillFor = 30_000;

type Kind = 'payment' | 'refund';

/** Receives and records webhooks. */
async function openReceiver() {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { event, paymentId } = JSON.parse(text);
    received.push(`${event} ${paymentId}`);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { received, url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

type Child = ChildProcessByStdio<null, Readable, null>;

/** Suspends a process at a step of an operation. Returns the faults that were found, and the number of steps. */
async function live(kind: Kind, stopAt: number) {
  const folder = await mkdtemp(join(tmpdir(), 'msgsite-stopped-'));
  const bank = await openSandboxBank();
  await bank.disturb({ faults: ['not-idempotent', 'no-lookup'] });
  const receiver = await openReceiver();
  const environment = {
    ...(inject('postgres') ? { MSGSITE_DATABASE: await createTestDatabase() } : {}),
    MSGSITE_DATA: join(folder, 'data'),
    MSGSITE_WEBHOOKS: join(folder, 'webhooks.json'),
    MSGSITE_PROVIDER: bank.url,
    MSGSITE_POLL_INTERVAL: '0.05',
    MSGSITE_RESOLVE_INTERVAL: '2',
    MSGSITE_GATEWAY_PORT: '0',
  };
  const subscription = { url: receiver.url, events: ['payment.success'] };
  await writeFile(environment.MSGSITE_WEBHOOKS, JSON.stringify([subscription]));
  const run: Child = spawn(process.execPath, [child, kind, String(stopAt)], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface(run.stdout)[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value ?? '{}');
  const { tokenSN, vtokenSecret, paymentId } = await next();
  const ending = next();
  while (!(await hasStopped(run))) await sleep(20);
  const wakesAt = performance.now() + stillFor;
  const wasStopped = run.exitCode === null;

  const config = readConfig({ flags: {}, env: environment, cwd: folder });
  const server = await startServer({
    ...{ config, environment, clock: systemClock, log: silentLog() },
    ...{ only: 'gateway', demo: false },
  });
  const client = clientOf(server.urls.gateway ?? '');
  const session = { tokenSN, vtokenSecret };
  const cashier = await client.cashier(session);
  const records = client.records(session);
  const repeat = { key: 'k', isNew: false };
  const order = { qrOperationId: Number(paymentId), returnAmount: 200 };
  /** Sends the same request from a second client. On files, only one process makes payments with a client's key. */
  const again = (async () => {
    if (!wasStopped) return 'not asked';
    if (kind === 'payment' && !inject('postgres')) return 'not asked';
    const asking =
      kind === 'refund'
        ? cashier.refund(order, repeat)
        : cashier.createQr({ amount: 1500 }, repeat);
    return asking.then(
      () => 'done',
      (error: AppError) => (error.fields.outcome === 'unknown' ? 'unknown' : error.code),
    );
  })();
  if (wasStopped) await sleep(Math.max(0, wakesAt - performance.now()));
  run.kill('SIGCONT');
  const { outcome, steps } = await ending;
  const heard = [outcome, await again];

  const faults: string[] = [];
  const { operations } = (await (await fetch(`${bank.url}/control/operations`)).json()) as {
    operations: readonly { amount: number; refunds: readonly object[] }[];
  };
  const amount = kind === 'refund' ? 1700 : 1500;
  const ofAct = operations.filter((each) => each.amount === amount);
  const made = kind === 'refund' ? (ofAct[0]?.refunds.length ?? 0) : ofAct.length;
  if (made > 1) faults.push(`It was made ${made} times.`);
  if (made === 0 && heard.includes('done')) faults.push('It was not made, but reported as done.');

  const kinds = ['qr', 'refund'] as const;
  /** Returns how often the operation is stored as made, in doubt or in progress. */
  async function known() {
    const { rows: running } = await records.intents({ state: 'running', kinds, limit: 9 });
    const { rows: doubts } = await records.intents({ state: 'in_doubt', kinds, limit: 9 });
    const { rows: refunds } = await records.refunds({ only: 'ended', limit: 9 });
    const states = ['open', 'ended', 'unknown'] as const;
    const { rows: payments } = await records.payments({ states, limit: 9 });
    const stored =
      kind === 'refund'
        ? refunds.filter((row) => row.outcome === 'success')
        : payments.filter((row) => row.amount === amount);
    const isOpen = payments.some(({ state }) => state === 'open');
    return { running: running.length, doubts: doubts.length, stored: stored.length, isOpen };
  }
  /** Waits until all doubts are settled that need no person. */
  const isClear = ({ running, doubts, stored, isOpen }: Awaited<ReturnType<typeof known>>) =>
    running === 0 && !isOpen && (stored === made ? doubts === 0 || made === 0 : doubts === 1);
  let last = await known();
  for (let tries = 0; !isClear(last) && tries < 600; tries += 1) {
    await sleep(100);
    last = await known();
  }
  if (!isClear(last)) faults.push(JSON.stringify(last));
  if (kind === 'payment') {
    for (let tries = 0; receiver.received.length < last.stored && tries < 100; tries += 1) {
      await sleep(100);
    }
    await sleep(500);
    if (receiver.received.length !== last.stored) {
      faults.push(`${last.stored} were paid and announced by ${receiver.received.join()}.`);
    }
  }
  await client.close();
  await server.close();
  await bank.close();
  receiver.close();
  await rm(folder, { recursive: true, force: true });
  const where = `${kind}, step ${stopAt}: ${heard.join()}, made ${made}`;
  return { steps: Number(steps), faults: faults.map((fault) => `${where}: ${fault}`) };
}

it.concurrent.for<Kind>(['payment', 'refund'])(
  `a %s is made once if its process is suspended for 30 s at any step (seed ${seed})`,
  { timeout: 3_600_000 },
  async (kind, { expect }) => {
    const unstopped = await live(kind, 0);
    expect(unstopped.faults).toEqual([]);
    const { steps } = unstopped;
    expect(steps).toBeGreaterThan(20);
    const all = Array.from({ length: steps }, (_, index) => index + 1);
    // Each run tests different steps.
    const stride = Math.floor(steps / sampled);
    const chosen = all.filter(
      (step) => chosenRuns !== undefined || step % stride === seed % stride,
    );
    const limit = pLimit(atOnce);
    const lives = await Promise.all(chosen.map((step) => limit(() => live(kind, step))));
    expect(lives.flatMap(({ faults }) => faults)).toEqual([]);
  },
);
