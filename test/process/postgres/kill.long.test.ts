import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { startMsgsite, startServe } from '../../helpers/msgsite-process.js';
import { createDatabase, startPostgres } from '../../helpers/postgres-server.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';
import { startReceiver } from '../../webhooks/receiver.js';
import { type Polls, startPollCounter } from './poll-counter.js';

/** Number of kills, for example MSGSITE_TEST_KILL_ROUNDS=60 for a long run. */
const rounds = Number(process.env.MSGSITE_TEST_KILL_ROUNDS ?? 3);
/** Number of kills per restart of the database. */
const roundsPerOutage = 4;
const slots = 3;
const writersPerSlot = 3;
const sellers = 5;
/** Interval between two polls of a payment, in seconds. */
const pollSeconds = 1;
/** Time between the messages of one writer, in milliseconds, so that kills occur during and between requests. */
const writersPause = 20;
/** Time after which an unacknowledged request fails the test, in milliseconds: four leases. */
const patience = 60_000;

type Serving = Awaited<ReturnType<typeof startServe>>;

async function call(url: string, path: string, init: { body?: unknown; headers?: object } = {}) {
  const response = await fetch(url + path, {
    method: init.body === undefined ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json', ...init.headers },
    signal: AbortSignal.timeout(12_000),
    ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

it(`three processes on one database neither lose nor duplicate work in ${rounds} kills and database outages`, {
  timeout: 300_000 + rounds * 10_000,
}, async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.remove());
  await createDatabase(postgres.url, 'shop');
  const folder = await makeTempFolder();
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const webhooks = join(folder, 'webhooks.json');
  const events = ['payment.success', 'payment.failed', 'payment.expired'];
  await writeFile(webhooks, JSON.stringify([{ url: receiver.url, events }]));
  const sandbox = startMsgsite(['sandbox', '--port', '0', '--data', folder, '--json'], {
    // Payments are paid after four seconds, so most are polled several times, and some by several processes.
    env: { MSGSITE_SANDBOX_SPEED: '1' },
  });
  onTestFinished(() => void sandbox.child.kill('SIGKILL'));
  const [, upstream = ''] = await sandbox.waitFor(/"url": ?"([^"]+)"/);

  const polls: Polls = new Map();
  const running: Serving[] = [];
  let started = 0;
  async function start(slot: number): Promise<void> {
    started += 1;
    const serving = await startServe([], {
      env: {
        MSGSITE_DATABASE: `${postgres.url}/shop`,
        // Each process has its own data folder, as if it were running on a separate machine.
        MSGSITE_DATA: join(folder, `machine-${slot}`),
        MSGSITE_PROVIDER: await startPollCounter(upstream, started, polls),
        MSGSITE_WEBHOOKS: webhooks,
        MSGSITE_JWT_SECRET: 'the same for all and long enough',
        MSGSITE_GATEWAY_KEY: 'the same for all as well and long enough',
        MSGSITE_POLL_INTERVAL: String(pollSeconds),
        MSGSITE_RATE_LIMIT: 'off',
        MSGSITE_LOG_LEVEL: 'error',
      },
    });
    onTestFinished(() => void serving.child.kill('SIGKILL'));
    running[slot] = serving;
  }
  await Promise.all(Array.from({ length: slots }, (_, slot) => start(slot)));
  const at = (slot: number) => running[slot % slots] as Serving;

  const account = { username: 'w', email: 'w@x.kz', password: 'long enough' };
  const { token } = (await call(at(0).site, '/api/auth/register', { body: account })).body;
  const user = { Authorization: `Bearer ${token}` };
  const group = { type: 'group', name: 'g' };
  const { chat } = (await call(at(1).site, '/api/chats', { body: group, headers: user })).body;
  const path = `/api/chats/${chat.id}/messages`;
  const { processId } = (await call(at(0).gateway, '/api/auth/init', { body: {} })).body;
  const phone = { phoneNumber: '77011234567', processId };
  await call(at(1).gateway, '/api/auth/send-phone', { body: phone });
  const session = (
    await call(at(2).gateway, '/api/auth/verify-otp', { body: { otp: '123456', processId } })
  ).body;
  const cashier = { 'X-Token-SN': session.tokenSN, 'X-Vtoken-Secret': session.vtokenSecret };

  let working = true;
  let retries = 0;
  /** Sends a request with the same key to one process after another until one acknowledges it. */
  async function insist(
    slot: number,
    post: (on: Serving) => Promise<{ status: number; body: { [name: string]: unknown } }>,
  ) {
    const giveUpAt = performance.now() + patience;
    let last: unknown;
    for (let turn = 0; performance.now() < giveUpAt; turn += 1) {
      const answer = await post(at(slot + turn)).catch(() => undefined);
      if (answer && answer.status < 300) return answer.body;
      // The process was killed, is starting or has no database. Any other status fails the test.
      if (answer) expect([409, 500, 503]).toContain(answer.status);
      if (answer?.status === 500) expect(JSON.stringify(answer.body)).toContain('provider_error');
      // The process that holds this key was killed, and its lease has not expired yet.
      if (answer?.status === 409)
        expect(answer.body.error).toMatch(/still in progress|not known yet/);
      last = answer ?? 'no response';
      retries += 1;
      await delay(50);
    }
    throw new Error(`Rejected for ${patience} ms, most recently with ${JSON.stringify(last)}`);
  }

  const messages = new Map<string, number>();
  async function write(writer: number): Promise<void> {
    for (let n = 0; working; n += 1) {
      const text = `${writer}.${n}`;
      const headers = { ...user, 'Idempotency-Key': text };
      const { message } = await insist(writer, ({ site }) =>
        call(site, path, { body: { text }, headers }),
      );
      messages.set(text, (message as { id: number }).id);
      await delay(writersPause);
    }
  }
  const payments = new Set<string>();
  async function sell(seller: number): Promise<void> {
    for (let n = 0; working; n += 1) {
      const headers = { ...cashier, 'Idempotency-Key': `qr ${seller} ${n}` };
      const answer = await insist(seller + n, ({ gateway }) =>
        call(gateway, '/api/qr/create', { body: { amount: 1000 }, headers }),
      );
      payments.add(String((answer.Data as { QrOperationId: number }).QrOperationId));
      await delay(250);
    }
  }

  const load = Promise.all([
    ...Array.from({ length: slots * writersPerSlot }, (_, writer) => write(writer)),
    // A request interrupted by a kill holds its key until the lease expires, so several sellers work in parallel.
    ...Array.from({ length: sellers }, (_, seller) => sell(seller)),
  ]);
  load.catch(() => {});
  for (let round = 0; round < rounds; round += 1) {
    await delay(800);
    await at(round).end('SIGKILL');
    await start(round % slots);
    if (round % roundsPerOutage === 2) {
      await postgres.stop();
      await delay(1500);
      await postgres.start();
    }
  }
  await delay(500);
  working = false;
  await load;

  const stored = new Map<string, number>();
  let last = 0;
  for (let more = true; more; ) {
    const url = `${path}?limit=1000&after=${last}`;
    const { body } = await call(at(0).site, url, { headers: user });
    for (const { id, text } of body.messages as { id: number; text: string }[]) {
      expect(stored.has(text)).toBe(false);
      expect(id).toBeGreaterThan(last);
      stored.set(text, id);
      last = id;
    }
    more = body.hasMore;
  }
  expect(stored).toEqual(new Map([...messages].sort(([, a], [, b]) => a - b)));

  const delivered = () => new Set(receiver.received.map(({ body }) => JSON.parse(body).paymentId));
  for (let seconds = 0; seconds < 90 && delivered().size < payments.size; seconds += 1) {
    await delay(1000);
  }
  expect([...payments].filter((id) => !delivered().has(id))).toEqual([]);
  const eventIds = new Set(receiver.received.map(({ headers }) => headers['x-webhook-id']));
  expect(eventIds.size).toBe(payments.size);

  let doubled = 0;
  let handOvers = 0;
  for (const list of polls.values()) {
    list.forEach(({ by, at }, index) => {
      const before = list[index - 1];
      if (!before || before.by === by) return;
      handOvers += 1;
      if (at - before.at < pollSeconds * 900) doubled += 1;
    });
  }
  console.log(
    `${rounds} kills, ${messages.size} messages and ${payments.size} payments acknowledged, ${retries} repeated requests, ` +
      `${receiver.received.length} webhook requests, ${[...polls.values()].flat().length} polls, ` +
      `${handOvers} payments taken over, ${doubled} polls within one interval of a poll by a different process`,
  );
  // Work is taken over when a lease expires, long after the last poll. A process that was paused that long, on a busy
  // machine, may poll once more. If two processes watched a payment, almost all polls would be doubled.
  expect(doubled).toBeLessThanOrEqual(rounds + handOvers / 4);
  expect(handOvers).toBeGreaterThan(0);

  // Stopping requires no database.
  await postgres.stop();
  const ends = await Promise.all(running.map((serving) => serving.end('SIGTERM')));
  const logs = running.map(({ stderr }) => stderr().slice(-2_000)).join('\n');
  expect(ends, logs).toEqual(running.map(() => 0));
});
