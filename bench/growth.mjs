// Measures the effect of a million stored messages, or a hundred thousand users and chats, on posting, registering,
// creating chats, start-up time and memory, compared with a server that has almost no data.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { call, posts, signUp } from './lib/api.mjs';
import { compare, load, median, rate } from './lib/load.mjs';
import { startSite } from './lib/processes.mjs';
import { seed } from './lib/seed.mjs';
import { withTemporary } from './lib/temporary.mjs';

const million = 1_000_000;
const many = 100_000;
const few = 100;

export function run() {
  return withTemporary(async ({ folder, started }) => {
    const empty = join(folder, 'empty');
    const full = join(folder, 'full');
    await seed(empty, { users: few, chats: few, messages: 0 });
    await seed(full, { users: few, chats: few, messages: million });
    const start = await compareStarts(full, empty);

    const fullSite = await started(startSite(full));
    const emptySite = await started(startSite(empty));
    const posting = await compare(await poster(fullSite.url), await poster(emptySite.url));
    const path = `/api/products`;
    await fetch(fullSite.url + path);
    const memory = (await residentOf(fullSite.pid)) / (await residentOf(emptySite.pid));

    const crowded = join(folder, 'crowded');
    await seed(crowded, { users: many, chats: many });
    // bcrypt deliberately slows registration down. Its lowest cost reveals the effect of storage.
    const cheap = { MSGSITE_BCRYPT_COST: '4' };
    const crowdedSite = await started(startSite(crowded, cheap));
    const quietSite = await started(startSite(join(folder, 'quiet'), cheap));
    const registering = await compare(
      () => register(crowdedSite.url),
      () => register(quietSite.url),
    );
    const [a, b] = [await chatCreator(crowdedSite.url), await chatCreator(quietSite.url)];
    const creating = await compare(a, b);
    return [
      { name: 'POST message with 1,000,000 stored, compared with none', aim: 0.95, ...posting },
      { name: 'register with 100,000 users, compared with few', aim: 0.9, ...registering },
      { name: 'create chat with 100,000 chats, compared with few', aim: 0.9, ...creating },
      {
        name: 'start to accepting with 1,000,000 messages, compared with none',
        aim: 1.3,
        atMost: true,
        ...start.time,
      },
      { name: 'resident memory after the start', aim: 1.3, atMost: true, ...start.memory },
      { name: 'resident memory after the load', report: `${memory.toFixed(2)} ×` },
    ];
  });
}

async function compareStarts(full, empty) {
  const facts = { time: [], memory: [] };
  for (let round = 0; round < 5; round += 1) {
    const [a, b] = [await timeStart(full), await timeStart(empty)];
    facts.time.push(a.milliseconds / b.milliseconds);
    facts.memory.push(a.resident / b.resident);
  }
  const summary = (ratios) => ({
    ratio: median(ratios),
    ratios: ratios.map((ratio) => Number(ratio.toFixed(2))),
  });
  return { time: summary(facts.time), memory: summary(facts.memory) };
}

async function timeStart(dataFolder) {
  const begun = performance.now();
  const site = await startSite(dataFolder);
  const milliseconds = performance.now() - begun;
  const resident = await residentOf(site.pid);
  await site.stop();
  return { milliseconds, resident };
}

/** Returns the resident memory of a process in kB, as Linux reports it. */
async function residentOf(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
}

async function poster(url) {
  const { token, chats } = await signUp(url, 1);
  return async () => (await load(posts(url, token, chats))).perSecond;
}

let registered = 0;

/** Returns registrations per second, eight at a time, each with a new e-mail address. */
async function register(url) {
  return rate(3, async () => {
    registered += 1;
    await call(url, 'POST', '/api/auth/register', {
      body: { username: 'Bench', email: `new-${registered}@shop.kz`, password: 'a good password' },
    });
  });
}

async function chatCreator(url) {
  const { token } = await signUp(url, 0);
  return () =>
    rate(3, () =>
      call(url, 'POST', '/api/chats', { token, body: { type: 'group', name: 'Group' } }),
    );
}
