// Compares two processes on one PostgreSQL with one process, where the processes are the bottleneck. Each process has a
// share of a core, which leaves enough for database and load. Requires Linux and permission to create control groups
// (usually root).
import { join } from 'node:path';
import { posts, signUp } from './lib/api.mjs';
import { boundShares } from './lib/cpu-share.mjs';
import { compare, load } from './lib/load.mjs';
import { startDatabase } from './lib/postgres.mjs';
import { startSite } from './lib/processes.mjs';
import { withTemporary } from './lib/temporary.mjs';

/** The share of a core for each process. */
const share = 0.15;
const rounds = 5;
const seconds = 2;
/** Total number of connections, to one process or both. */
const connections = 64;
const aim = 1.7;
const secrets = {
  MSGSITE_JWT_SECRET: 'the same for every process of the benchmark',
  MSGSITE_GATEWAY_KEY: 'the same for every process of the benchmark',
};

export async function run() {
  let unbound = async () => {};
  const rows = await withTemporary(async ({ folder, started }) => {
    const database = await started(startDatabase(folder));
    const env = { ...secrets, MSGSITE_DATABASE: await database.create('shop') };
    const one = await started(startSite(join(folder, 'one'), env));
    const two = await started(startSite(join(folder, 'two'), env));
    const { token, chats } = await signUp(one.url, 200);
    try {
      unbound = await boundShares([one.pid, two.pid], share);
    } catch (error) {
      return [{ name: 'two processes compared with one', report: `skipped: ${error.message}` }];
    }
    return measurePair(one, two, { token, chats });
  });
  await unbound();
  return rows;
}

async function measurePair(one, two, { token, chats }) {
  const perSecond = async (requests, open) =>
    (await load(requests, { seconds, connections: open })).perSecond;
  const beside = (requestsOf) =>
    compare(
      async () => {
        const halves = [one, two].map((site, index) =>
          perSecond(requestsOf(site, index), connections / 2),
        );
        return (await Promise.all(halves)).reduce((sum, each) => sum + each, 0);
      },
      () => perSecond(requestsOf(one), connections),
      { rounds },
    );
  /** Returns the chats of one of two processes, or all. */
  const part = (index) =>
    index === undefined ? chats : chats.filter((_, place) => place % 2 === index);
  const reading = (query) => (site, index) =>
    part(index).map((chat) => ({
      url: `${site.url}/api/chats/${chat}/messages?${query}`,
      headers: { Authorization: `Bearer ${token}` },
    }));
  const name = `two processes with ${share} of a core each, compared with one`;
  return [
    {
      name: `POST message in separate chats, ${name}`,
      aim,
      ...(await beside((site, index) => posts(site.url, token, part(index)))),
    },
    {
      name: `POST message in the same 200 chats, ${name}`,
      aim,
      ...(await beside((site) => posts(site.url, token, chats))),
    },
    {
      name: `GET the latest 20 messages, ${name}`,
      aim,
      ...(await beside(reading('limit=20'))),
    },
  ];
}
