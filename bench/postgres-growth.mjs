// Measures the effect of a million messages, or a hundred thousand users and chats, in PostgreSQL, compared with a
// nearly empty database. MSGSITE_BENCH_MESSAGES changes the number of messages; ten million require 6 GB of disk space
// and several minutes.
import { join } from 'node:path';
import { call, posts, signUp, text } from './lib/api.mjs';
import { compare, load, rate } from './lib/load.mjs';
import { fillAccounts, multiplyMessage, startDatabase, withSql } from './lib/postgres.mjs';
import { startSite } from './lib/processes.mjs';
import { withTemporary } from './lib/temporary.mjs';

const stored = Number(process.env.MSGSITE_BENCH_MESSAGES ?? 1_000_000);
const many = 100_000;
/** Many short rounds, so that other load on the machine affects both sides. */
const rounds = 9;
const seconds = 2;

export function run() {
  return withTemporary(async ({ folder, started }) => {
    const database = await started(startDatabase(folder));
    const site = async (name, env = {}) => {
      const MSGSITE_DATABASE = await database.create(name);
      const running = await started(startSite(join(folder, name), { MSGSITE_DATABASE, ...env }));
      return { ...running, database: MSGSITE_DATABASE };
    };
    const messages = await compareMessages(await site('full'), await site('empty'));
    const cheap = { MSGSITE_BCRYPT_COST: '4' };
    const accounts = await compareAccounts(
      await site('crowded', cheap),
      await site('quiet', cheap),
    );
    return [...messages, ...accounts];
  });
}

async function compareMessages(full, empty) {
  const people = new Map();
  for (const site of [full, empty]) {
    const { token, chats } = await signUp(site.url, 100);
    const path = `/api/chats/${chats[0]}/messages`;
    const { message } = await call(site.url, 'POST', path, { token, body: { text } });
    people.set(site, { token, chats, path, first: message.id });
  }
  await multiplyMessage(full.database, stored);
  const bytes = await withSql(full.database, async (sql) => {
    const [{ size }] = await sql`
      select sum(pg_total_relation_size(relid))::float8 as size
      from pg_partition_tree('msgsite.messages')`;
    return size / stored;
  });
  const beside = (measure) =>
    compare(
      () => measure(full),
      () => measure(empty),
      { rounds },
    );
  const perSecond = async (request) => (await load(request, { seconds })).perSecond;
  const posting = await beside((site) => {
    const { token, chats } = people.get(site);
    return perSecond(posts(site.url, token, chats));
  });
  const reading = (query) => (site) => {
    const { token, path } = people.get(site);
    const headers = { Authorization: `Bearer ${token}` };
    return perSecond({ url: `${site.url}${path}?${query}`, headers });
  };
  const polling = await beside(reading(`after=${Number.MAX_SAFE_INTEGER}`));
  const latest = await beside(reading('limit=20'));
  const compared = `with ${stored.toLocaleString('en')} stored, compared with none`;
  return [
    {
      name: `POST message ${compared}`,
      aim: 0.9,
      ...posting,
    },
    { name: `GET messages after the last ${compared}`, aim: 0.9, ...polling },
    { name: `GET the latest 20 messages ${compared}`, aim: 0.9, ...latest },
    {
      name: 'a message of 142 characters in the database, including its index',
      report: `${Math.round(bytes)} bytes`,
    },
  ];
}

async function compareAccounts(crowded, quiet) {
  await fillAccounts(crowded.database, many);
  let registered = 0;
  const register = (site) =>
    rate(seconds, async () => {
      registered += 1;
      const email = `new-${registered}@shop.kz`;
      const body = { username: 'Bench', email, password: 'a good password' };
      await call(site.url, 'POST', '/api/auth/register', { body });
    });
  const registering = await compare(
    () => register(crowded),
    () => register(quiet),
    { rounds },
  );
  const tokens = new Map();
  for (const site of [crowded, quiet]) tokens.set(site, (await signUp(site.url, 0)).token);
  const create = (site) =>
    rate(seconds, async () => {
      const body = { type: 'group', name: 'Group' };
      await call(site.url, 'POST', '/api/chats', { token: tokens.get(site), body });
    });
  const creating = await compare(
    () => create(crowded),
    () => create(quiet),
    { rounds },
  );
  return [
    { name: 'register with 100,000 users, compared with few', aim: 0.9, ...registering },
    { name: 'create chat with 100,000 chats, compared with few', aim: 0.9, ...creating },
  ];
}
