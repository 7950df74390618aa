// Measures the processor time that msgsite and the database use for each kind of work. docs/operate/scaling.md uses the
// results. Rate limits are enabled as in production. Requires Linux, which reports the time of processes.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { call, posts, signUp } from './lib/api.mjs';
import { cpuSeconds } from './lib/cpu.mjs';
import { load } from './lib/load.mjs';
import { startDatabase, withSql } from './lib/postgres.mjs';
import { startGateway, startReceivers, startSandbox, startSite } from './lib/processes.mjs';
import { products } from './lib/products.mjs';
import { withTemporary } from './lib/temporary.mjs';

const people = 100;
const password = 'a good password';
const secrets = {
  MSGSITE_JWT_SECRET: 'the same for every process of the benchmark',
  MSGSITE_GATEWAY_KEY: 'the same for every process of the benchmark',
};

export function run() {
  return withTemporary(async ({ folder, started }) => {
    const database = await started(startDatabase(folder));
    const receivers = await started(startReceivers());
    const sandbox = await started(startSandbox(join(folder, 'sandbox')));
    const rows = [];
    for (const kind of ['JSON files', 'PostgreSQL']) {
      const place = async (name) => {
        if (kind === 'JSON files') return { data: join(folder, name), env: {}, pids: [] };
        const address = await database.create(name);
        const env = { ...secrets, MSGSITE_DATABASE: address };
        return { data: join(folder, `${name}-pg`), env, pids: [database.pid], address };
      };
      const costs = [
        ...(await measureSite(await place('site'))),
        ...(await measureGateway(place, { folder, provider: sandbox.url, receivers })),
      ];
      rows.push(...costs.map(({ name, ...cost }) => row(`${name}, ${kind}`, cost)));
    }
    return rows;
  });
}

function row(name, { process, database, note = '' }) {
  const round = (microseconds) => Number(microseconds.toPrecision(2));
  const rest = database === undefined ? '' : ` and ${round(database)} of the database`;
  return { name, process, database, report: `${round(process)} µs of msgsite${rest}${note}` };
}

/** Returns the processor time of each operation in microseconds. `work` returns the number of its operations. */
async function perPiece(pid, { pids }, work, idle = { process: 0, database: 0 }) {
  const [databasePid] = pids;
  const read = async () => ({
    process: await cpuSeconds(pid),
    database: databasePid === undefined ? 0 : await cpuSeconds(databasePid),
  });
  const [before, begun] = [await read(), performance.now()];
  const count = await work();
  const [after, seconds] = [await read(), (performance.now() - begun) / 1000];
  // Values within the noise of the idle time are reported as zero.
  const cost = (name) =>
    Math.max(0, ((after[name] - before[name] - idle[name] * seconds) / count) * 1e6);
  return {
    process: cost('process'),
    ...(databasePid === undefined ? {} : { database: cost('database') }),
  };
}

async function measureSite(place) {
  // Each client has its own address, as behind a proxy.
  const env = { ...place.env, MSGSITE_RATE_LIMIT: 'on', MSGSITE_TRUSTED_PROXIES: '127.0.0.1' };
  const site = await startSite(place.data, env);
  try {
    for (const { order, ...body } of products) {
      await call(site.url, 'POST', '/api/admin/products', { body });
    }
    const members = [];
    for (let n = 0; n < people; n += 1) {
      const headers = { 'X-Forwarded-For': `10.1.${n}.1` };
      members.push(await signUp(site.url, 1, { headers, email: `user-${n}@shop.kz`, password }));
    }
    const measure = async (name, requests, options = {}) => ({
      name,
      ...(await perPiece(site.pid, place, async () => (await load(requests, options)).total)),
    });
    const reading = (query) =>
      members.map(({ token, chats }) => ({
        url: `${site.url}/api/chats/${chats[0]}/messages?${query}`,
        headers: { Authorization: `Bearer ${token}` },
      }));
    const posting = members.flatMap(({ token, chats }) => posts(site.url, token, chats));
    const signIns = members.map((_, n) => ({
      url: `${site.url}/api/auth/login`,
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `10.1.${n}.1` },
      body: JSON.stringify({ email: `user-${n}@shop.kz`, password }),
    }));
    return [
      await measure('GET /api/products', { url: `${site.url}/api/products` }),
      await measure('sign-in', signIns, { connections: 4 }),
      // Two seconds are too short to exceed the burst limit of 300 posts.
      await measurePosts(place, () => measure('POST message', posting, { seconds: 2 })),
      await measure('GET messages after the last', reading(`after=${Number.MAX_SAFE_INTEGER}`)),
      await measure('GET the latest 20 messages', reading('limit=20')),
      {
        name: 'GET with a wait of 30 s',
        ...(await measureWaits(site, place, { members, idle: await measureIdle(site.pid, place) })),
      },
      {
        name: 'GET /api/chats with a wait of 30 s',
        ...(await measureListWaits(site, place, {
          members,
          idle: await measureIdle(site.pid, place),
        })),
      },
    ];
  } finally {
    await site.stop();
  }
}

/** Also measures the bytes that a post adds to the database's log on disk. */
async function measurePosts({ address }, measure) {
  if (address === undefined) return measure();
  return withSql(address, async (sql) => {
    const look = async () => {
      const [{ bytes, count }] = await sql`
        select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes,
          (select count(*) from msgsite.messages)::float8 as count`;
      return { bytes, count };
    };
    const before = await look();
    const cost = await measure();
    const after = await look();
    const bytes = Math.round((after.bytes - before.bytes) / (after.count - before.count));
    return { ...cost, note: `; ${bytes} bytes of the database's log` };
  });
}

/** Number of waiting requests. With fewer requests, half a minute of idle time would dominate. */
const waiting = 3_000;

/** Every member waits in a chat without activity, so nearly all of the time is spent on waiting. */
async function measureWaits(site, place, { members, idle }) {
  const wait = async () => {
    const asked = Array.from({ length: waiting }, (_, n) => {
      const { token, chats } = members[n % people];
      const path = `/api/chats/${chats[0]}/messages?after=${Number.MAX_SAFE_INTEGER}&wait=30`;
      return call(site.url, 'GET', path, { token });
    });
    await Promise.all(asked);
    return waiting;
  };
  return perPiece(site.pid, place, wait, idle);
}

/** Measures waits for lists that do not change. */
async function measureListWaits(site, place, { members, idle }) {
  const read = ({ token }, headers = {}, query = '') =>
    fetch(`${site.url}/api/chats${query}`, {
      headers: { Authorization: `Bearer ${token}`, ...headers },
    });
  const tags = await Promise.all(
    members.map(async (member) => (await read(member)).headers.get('ETag')),
  );
  const wait = async () => {
    const asked = Array.from({ length: waiting }, async (_, n) => {
      const known = { 'If-None-Match': tags[n % people] };
      const { status } = await read(members[n % people], known, '?wait=30');
      if (status !== 304) throw new Error(`The response to an unchanged list was ${status}.`);
    });
    await Promise.all(asked);
    return waiting;
  };
  return perPiece(site.pid, place, wait, idle);
}

const payments = 300;
/** Time between polls, in seconds. */
const interval = 3;

async function measureGateway(place, { folder, provider, receivers }) {
  const looks = await withGateway(await place('looks'), [], async (gateway) => {
    // These payments do not change for three minutes.
    await gateway.sell(payments, 1506);
    await delay(2 * interval * 1000);
    return gateway.measure(async () => {
      await delay(4 * interval * 1000);
      return payments * 4;
    });
  });
  const paid = async (name, ports) =>
    withGateway(await place(name), ports, async (gateway) => {
      await receivers.ask({ dead: false });
      return gateway.measure(async () => {
        await gateway.sell(payments, 1500);
        await gateway.delivered(payments * ports.length);
        return payments;
      });
    });
  const [first, ...others] = receivers.ports;
  const toOne = await paid('one', [first]);
  const toTen = await paid('ten', [first, ...others]);
  const delivery = (cost) => (cost === undefined ? undefined : cost / others.length);
  return [
    { name: 'poll of an open payment', ...looks },
    { name: 'payment from creation to delivered event', ...toOne },
    {
      name: 'additional delivery of its event',
      process: delivery(toTen.process - toOne.process),
      ...(toOne.database === undefined
        ? {}
        : { database: delivery(toTen.database - toOne.database) }),
    },
  ];

  async function withGateway(where, ports, work) {
    const webhooks = join(folder, `webhooks-${ports.length}.json`);
    const subscriptions = ports.map((port) => ({
      url: `http://127.0.0.1:${port}/`,
      events: ['payment.success'],
      secret: 'bench',
    }));
    await writeFile(webhooks, JSON.stringify(subscriptions));
    const running = await startGateway(where.data, { provider, webhooks, env: where.env });
    try {
      const headers = await signInCashier(running.url);
      const idle = await measureIdle(running.pid, where);
      return await work({
        measure: (piece) => perPiece(running.pid, where, piece, idle),
        sell: (count, amount) => sell(running.url, headers, count, amount),
        async delivered(count) {
          const total = async () => (await receivers.ask({})).reduce((sum, each) => sum + each, 0);
          while ((await total()) < count) await delay(100);
        },
      });
    } finally {
      await running.stop();
    }
  }
}

/** Returns the idle processor time in seconds per second. */
async function measureIdle(pid, where) {
  const seconds = 5;
  const cost = await perPiece(pid, where, async () => {
    await delay(seconds * 1000);
    return seconds;
  });
  return { process: cost.process / 1e6, database: (cost.database ?? 0) / 1e6 };
}

async function signInCashier(url) {
  const step = (path, body = {}) => call(url, 'POST', `/api/auth/${path}`, { body });
  const { processId } = await step('init');
  await step('send-phone', { phoneNumber: '77011234567', processId });
  const { tokenSN, vtokenSecret } = await step('verify-otp', { otp: '123456', processId });
  return { 'X-Token-SN': tokenSN, 'X-Vtoken-Secret': vtokenSecret };
}

async function sell(url, headers, count, amount) {
  let left = count;
  const seller = async () => {
    for (; left > 0; ) {
      left -= 1;
      await call(url, 'POST', '/api/qr/create', { headers, body: { amount } });
    }
  };
  await Promise.all(Array.from({ length: 8 }, seller));
}
