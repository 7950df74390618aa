// Compares PostgreSQL with the JSON files, with every write on disk before the response in both, and two processes on
// one database with one process. Load, database and processes share the machine.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { call, posts, signUp } from './lib/api.mjs';
import * as measuring from './lib/load.mjs';
import { startDatabase } from './lib/postgres.mjs';
import { startSite } from './lib/processes.mjs';
import { products } from './lib/products.mjs';
import { withTemporary } from './lib/temporary.mjs';

/** Short rounds, so that other load on the machine affects both sides. */
const rounds = 5;
const seconds = 2;
const secrets = {
  MSGSITE_JWT_SECRET: 'the same for every process of the benchmark',
  MSGSITE_GATEWAY_KEY: 'the same for every process of the benchmark',
};

const load = (request, options = {}) => measuring.load(request, { seconds, ...options });
const compare = (a, b) => measuring.compare(a, b, { rounds });

export function run() {
  return withTemporary(async ({ folder, started }) => {
    const database = await started(startDatabase(folder));
    const env = { ...secrets, MSGSITE_DATABASE: await database.create('shop') };
    const json = await started(startSite(join(folder, 'json')));
    const one = await started(startSite(join(folder, 'one'), env));
    const rows = [
      ...(await compareReads(one, json)),
      ...(await compareMessages(one, json)),
      await compareSignIns(one),
    ];
    const two = await started(startSite(join(folder, 'two'), env));
    return [...rows, ...(await comparePair(one, two))];
  });
}

const perSecond = async (request) => (await load(request)).perSecond;

async function compareReads(postgres, json) {
  for (const { url } of [postgres, json]) {
    for (const { order, ...body } of products) {
      await call(url, 'POST', '/api/admin/products', { body });
    }
  }
  const list = ({ url }) => ({ url: `${url}/api/products` });
  const full = await compare(
    () => perSecond(list(postgres)),
    () => perSecond(list(json)),
  );
  const etags = new Map();
  for (const site of [postgres, json]) {
    etags.set(site, (await fetch(list(site).url)).headers.get('etag'));
  }
  const known = (site) => ({ ...list(site), headers: { 'If-None-Match': etags.get(site) } });
  const cached = await compare(
    () => perSecond(known(postgres)),
    () => perSecond(known(json)),
  );
  return [
    { name: 'GET /api/products, PostgreSQL compared with JSON files', aim: 0.9, ...full },
    {
      name: 'GET /api/products with If-None-Match, PostgreSQL compared with JSON files',
      aim: 0.9,
      ...cached,
    },
  ];
}

async function compareMessages(postgres, json) {
  const sites = new Map();
  for (const site of [postgres, json]) sites.set(site, await signUp(site.url, 100));
  const post = (site, count) => {
    const { token, chats } = sites.get(site);
    return perSecond(posts(site.url, token, chats.slice(0, count)));
  };
  const beside = (measure) =>
    compare(
      () => measure(postgres),
      () => measure(json),
    );
  const one = await beside((site) => post(site, 1));
  const hundred = await beside((site) => post(site, 100));
  // Posts in progress at the end of the load are stored a moment later.
  await delay(1000);
  const read = async (site, query) => {
    const { token, chats } = sites.get(site);
    const path = `/api/chats/${chats[0]}/messages`;
    const { messages } = await call(site.url, 'GET', `${path}?limit=1`, { token });
    const headers = { Authorization: `Bearer ${token}` };
    return perSecond({ url: `${site.url}${path}?${query(messages[0].id)}`, headers });
  };
  const poll = await beside((site) => read(site, (last) => `after=${last}`));
  const latest = await beside((site) => read(site, () => 'limit=100'));
  return [
    { name: 'POST message, one chat', ...one },
    { name: 'POST message, 100 chats', ...hundred },
    { name: 'GET messages after the last', ...poll },
    { name: 'GET the latest 100 messages', ...latest },
  ];
}

async function compareSignIns({ url }) {
  const password = 'a good password';
  const emails = Array.from({ length: 20 }, (_, index) => `user-${index}@shop.kz`);
  for (const email of emails) {
    const body = { username: 'Bench', email, password };
    await call(url, 'POST', '/api/auth/register', { body });
  }
  const slowest = async () => (await load({ url: `${url}/api/products` })).p99;
  const busy = await compare(async () => {
    let over = false;
    const people = emails.map(async (email) => {
      while (!over) await call(url, 'POST', '/api/auth/login', { body: { email, password } });
    });
    const result = await slowest();
    over = true;
    await Promise.all(people);
    return result;
  }, slowest);
  const name = 'p99 of GET /api/products on PostgreSQL while 20 sign in, compared with idle';
  return { name, aim: 3, atMost: true, ...busy };
}

/**
 * Compares the same load on one process and on two processes with half of it each, in separate chats and in the same
 * chats.
 */
async function comparePair(one, two) {
  const { token, chats } = await signUp(one.url, 200);
  const half = chats.length / 2;
  const post = async (url, some, connections) =>
    (await load(posts(url, token, some), { connections })).perSecond;
  const both = async (first, second) => {
    const halves = [post(one.url, first, 16), post(two.url, second, 16)];
    return (await Promise.all(halves)).reduce((sum, each) => sum + each, 0);
  };
  const alone = () => post(one.url, chats, 32);
  const apart = await compare(() => both(chats.slice(0, half), chats.slice(half)), alone);
  const mixed = await compare(() => both(chats, chats), alone);
  const name = 'POST message, two processes on one PostgreSQL compared with one';
  return [
    { name: `${name}, in separate chats`, ...apart },
    { name: `${name}, in the same 200 chats`, ...mixed },
  ];
}
