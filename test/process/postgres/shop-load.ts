import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';

/** The addresses of a serving process. */
interface Serving {
  readonly site: string;
  readonly gateway: string;
}

interface Message {
  readonly id: number;
  readonly text: string;
}

const writersPerProcess = 3;
const sellersPerProcess = 2;
/** Time between the requests of one writer and of one seller, in milliseconds. */
const writersPause = 20;
const sellersPause = 250;
/** Time after which an unacknowledged request fails the test, in milliseconds: four leases. */
const patience = 60_000;

/**
 * Maximum time for which a payment may be in doubt, in milliseconds. The sandbox declares no `lookupHorizon`, so a
 * lookup that finds nothing is conclusive after 15 minutes, and the key is released in the next round.
 */
const maxDoubt = 17 * 60_000;

async function call(url: string, path: string, init: { body?: unknown; headers?: object } = {}) {
  const response = await fetch(url + path, {
    method: init.body === undefined ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json', ...init.headers },
    signal: AbortSignal.timeout(15_000),
    ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

/**
 * Sends messages and payments while other clients wait for messages. Each request has an `Idempotency-Key` and is
 * retried with the same process until it is acknowledged.
 */
export async function startShopLoad(processes: readonly Serving[]) {
  const [first] = processes;
  if (!first) throw new Error('There is no process.');
  const account = { username: 'w', email: 'w@x.kz', password: 'long enough' };
  const { token } = (await call(first.site, '/api/auth/register', { body: account })).body;
  const user = { Authorization: `Bearer ${token}` };
  const group = { type: 'group', name: 'g' };
  const { chat } = (await call(first.site, '/api/chats', { body: group, headers: user })).body;
  const path = `/api/chats/${chat.id}/messages`;
  const { processId } = (await call(first.gateway, '/api/auth/init', { body: {} })).body;
  const phone = { phoneNumber: '77011234567', processId };
  await call(first.gateway, '/api/auth/send-phone', { body: phone });
  const otp = { otp: '123456', processId };
  const session = (await call(first.gateway, '/api/auth/verify-otp', { body: otp })).body;
  const cashier = { 'X-Token-SN': session.tokenSN, 'X-Vtoken-Secret': session.vtokenSecret };

  let isWorking = true;
  let retries = 0;
  /** The number of acknowledged messages of each process. */
  const counts = processes.map(() => 0);
  const messages: Message[] = [];
  const payments = new Set<string>();

  async function insist(url: string, at: string, init: { body: unknown; headers: object }) {
    const begun = performance.now();
    let giveUpAt = begun + patience;
    for (;;) {
      const answer = await call(url, at, init).catch(() => undefined);
      if (answer && answer.status < 300) return answer.body;
      if (answer?.body?.code === 'in_doubt') giveUpAt = performance.now() + patience;
      const shown = JSON.stringify(answer ?? 'no response');
      // The process has no database, or the previous request is still in doubt.
      if (answer) expect([409, 503], shown).toContain(answer.status);
      const now = performance.now();
      if (now > giveUpAt || now > begun + maxDoubt)
        throw new Error(`Rejected until the end: ${shown}`);
      retries += 1;
      await delay(50);
    }
  }

  async function write(slot: number, { site }: Serving, writer: number): Promise<void> {
    for (let n = 0; isWorking; n += 1) {
      const text = `${slot}.${writer}.${n}`;
      const headers = { ...user, 'Idempotency-Key': text };
      const { message } = await insist(site, path, { body: { text }, headers });
      messages.push({ id: message.id, text });
      counts[slot] = (counts[slot] ?? 0) + 1;
      await delay(writersPause);
    }
  }

  async function sell(slot: number, { gateway }: Serving, seller: number): Promise<void> {
    for (let n = 0; isWorking; n += 1) {
      const headers = { ...cashier, 'Idempotency-Key': `qr ${slot} ${seller} ${n}` };
      const body = { amount: 1000 };
      const answer = await insist(gateway, '/api/qr/create', { body, headers });
      payments.add(String(answer.Data.QrOperationId));
      await delay(sellersPause);
    }
  }

  /** Waits for messages continuously. Missing ones are detected at the end. */
  async function follow({ site }: Serving): Promise<void> {
    for (let last = 0; isWorking; ) {
      const url = `${path}?wait=1&after=${last}`;
      const answer = await call(site, url, { headers: user }).catch(() => undefined);
      if (answer?.status === 200) last = answer.body.messages.at(-1)?.id ?? last;
      else await delay(50);
    }
  }

  const work = Promise.all(
    processes.flatMap((serving, slot) => [
      ...Array.from({ length: writersPerProcess }, (_, n) => write(slot, serving, n)),
      ...Array.from({ length: sellersPerProcess }, (_, n) => sell(slot, serving, n)),
      follow(serving),
    ]),
  );
  work.catch(() => {});

  return {
    /** Waits until every process has acknowledged a few more messages. */
    async progress(): Promise<void> {
      const before = [...counts];
      const isOn = () =>
        counts.every((count, slot) => count >= (before[slot] ?? 0) + writersPerProcess + 1);
      await expect.poll(isOn, { interval: 20 }).toBe(true);
    },
    /** Stops the load. Returns the acknowledged work, with messages in the order of their IDs. */
    async stop() {
      isWorking = false;
      await work;
      return { messages: [...messages].sort((a, b) => a.id - b.id), payments, retries };
    },
    /** Returns the stored messages in their order. */
    async readMessages(): Promise<Message[]> {
      const stored: Message[] = [];
      for (let more = true; more; ) {
        const after = stored.at(-1)?.id ?? 0;
        const url = `${path}?limit=1000&after=${after}`;
        const { body } = await call(first.site, url, { headers: user });
        stored.push(...body.messages.map(({ id, text }: Message) => ({ id, text })));
        more = body.hasMore;
      }
      return stored;
    },
  };
}
