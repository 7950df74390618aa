import { expect, it } from 'vitest';
import type { ChatClient } from '../../src/pages/chat/types.js';
import { createScene, shown } from './scripted-browser.js';
import { refuse, type Script } from './scripted-service.js';

/** Number of random runs (MSGSITE_TEST_CHAT_RUNS); MSGSITE_TEST_CHAT_SEED sets the first seed. */
const runs = Number(process.env.MSGSITE_TEST_CHAT_RUNS ?? 15);
const firstSeed = Number(process.env.MSGSITE_TEST_CHAT_SEED ?? 1);

const chatId = 7;

/** Returns a seeded generator of numbers from 0 to 1 (mulberry32). */
function createRandom(seed: number) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns the texts that a tab shows, without their states. Each text is posted once. */
const textsOf = (client: ChatClient) =>
  shown(client, chatId).map((text) => text.replace(/ \(.*/, ''));

/** Adds to `faults` if a tab shows a text twice, or no longer shows a text that it has shown. */
function watch(client: ChatClient, name: string, faults: string[]): void {
  const seen = new Set<string>();
  client.subscribe(({ rooms, phase }) => {
    const room = rooms[chatId];
    if (!room || phase === 'signed-out') return;
    const texts = textsOf(client);
    const ids = room.messages.map(({ id }) => id);
    if (new Set(texts).size < texts.length) faults.push(`${name} shows a text twice: ${texts}`);
    if (!ids.every((id, index) => id > (ids[index - 1] ?? 0))) faults.push(`${name}: order ${ids}`);
    for (const text of seen) {
      if (!texts.includes(text)) faults.push(`${name} no longer shows ${text}: ${texts}`);
    }
    for (const text of texts) seen.add(text);
  });
}

async function play(seed: number): Promise<void> {
  const random = createRandom(seed);
  const scene = createScene();
  const { service, clock } = scene;
  service.chat(chatId, 1, 2);
  const parts = { ...scene.parts, random };
  let faults = 0;
  const faulty: Script = async ({ path }, serve) => {
    if (random() < 0.3) await clock.sleep(3_000 * random());
    const dice = random();
    if (dice < faults) throw new TypeError('No connection.');
    if (dice < 2 * faults) return refuse(503, 'storage_unavailable', service.time);
    if (dice < 2.2 * faults) return new Response('<html>', { status: 502 });
    const response = await serve();
    if (random() < faults && !path.endsWith('/login')) throw new TypeError('Lost.');
    if (random() < 0.3) await clock.sleep(3_000 * random());
    return response;
  };
  const posted: string[] = [];
  const seen: string[] = [];
  const tabs: ChatClient[] = [];

  const open = async (index: number) => {
    const tab = scene.tab(parts, { withLocks: seed % 3 !== 0 });
    if (tab.state().phase === 'signed-out') {
      await tab.signIn({ email: '1@service.test', password: 'apricot' });
    }
    tab.openChat(chatId);
    watch(tab, `Tab ${index}`, seen);
    tabs[index] = tab;
  };
  const act = async () => {
    const index = Math.floor(2 * random());
    const dice = random();
    if (dice < 0.5) {
      const text = `${posted.length} of tab ${index}`;
      tabs[index]?.post(chatId, { text });
      posted.push(text);
    } else if (dice < 0.7) {
      const text = `${posted.length} of the other`;
      service.say(chatId, 2, text);
      posted.push(text);
    } else if (dice < 0.8) {
      faults = faults === 0 ? 0.3 * random() : 0;
    } else if (dice < 0.9) {
      tabs[index]?.stop();
      await open(index);
    } else {
      for (const tab of tabs) tab.wake();
    }
    await clock.advance(random() < 0.3 ? 0 : 1_500 * random());
  };

  service.script = faulty;
  const entering = Promise.all([open(0).then(() => open(1))]);
  await clock.advance(10_000);
  await entering;
  for (let step = 0; step < 40; step++) await act();
  service.script = (_, serve) => serve();
  await clock.advance(200_000);

  expect(seen, `seed ${seed}`).toEqual([]);
  const stored = service.messages(chatId).map(({ text }) => text);
  expect([...stored].sort(), `seed ${seed}`).toEqual([...posted].sort());
  for (const [index, tab] of tabs.entries()) {
    expect(shown(tab, chatId), `seed ${seed}`).toEqual(stored);
    expect(tab.state().outbox).toEqual([]);
    const own = (texts: readonly string[]) =>
      texts.filter((text) => text.endsWith(`of tab ${index}`));
    expect(own(stored), `seed ${seed}`).toEqual(own(posted));
  }
  scene.close();
}

it(`in ${runs} runs with random faults, the chat page never shows a text twice and finally shows all texts`, async () => {
  for (let seed = firstSeed; seed < firstSeed + runs; seed++) await play(seed);
});
