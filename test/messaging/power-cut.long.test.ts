import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openJsonMessagingStore } from '../../src/messaging/store-json/open.js';
import { createPowerCutFiles } from '../faults/power-cut-files.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

const clock = createManualClock();
const createdAt = new Date(clock.now()).toISOString();
const encrypted = { iv: '00', encrypted: '00', authTag: '00' };
const draft = (chatId: number, text: string) =>
  ({ chatId, senderId: 1, type: 'text', text, encrypted, scheme: 'email', createdAt }) as const;

/** Returns a seeded generator of numbers from 0 to 1 (linear congruential). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Cut {
  readonly folder: string;
  readonly texts: readonly (readonly string[])[];
  readonly emails: readonly string[];
}

it('a power cut at any step of posting, moving and compacting neither loses nor duplicates acknowledged messages', async () => {
  const root = await makeTempFolder();
  const random = randomFrom(7);
  const folder = join(root, 'now', 'messaging');
  mkdirSync(join(root, 'now'));
  const files = createPowerCutFiles(join(root, 'now'));
  const texts: string[][] = [[], [], []];
  const emails: string[] = [];
  const cuts: Cut[] = [];
  const first = await openJsonMessagingStore({ folder, clock, files });
  for (const name of ['a', 'b', 'c']) {
    await first.chats.create({ type: 'group', name, ownerId: 1, createdAt });
  }
  await first.close();
  let uses = 0;
  files.onUse = () => {
    uses += 1;
    if (uses % 5 !== 0) return;
    const copy = join(root, `cut-${cuts.length}`);
    mkdirSync(copy);
    files.cut(copy, random);
    const expected = texts.map((each) => [...each]);
    cuts.push({ folder: join(copy, 'messaging'), texts: expected, emails: [...emails] });
  };
  for (let round = 0; round < 3; round += 1) {
    const store = await openJsonMessagingStore({ folder, clock, files, segmentBytes: 2500 });
    for (let n = 0; n < 10; n += 1) {
      const email = `${round}-${n}@x.kz`;
      const fields = { username: 'u', passwordHash: 'x', avatar: null, bio: '', createdAt };
      const registering = store.users.create({ ...fields, email }).then(() => emails.push(email));
      const posting = [0, 1, 2].map(async (chat) => {
        const text = `${round}-${n} ${'x'.repeat(Math.floor(random() * 300))}`;
        await store.messages.append(draft(chat + 1, text));
        texts[chat]?.push(text);
      });
      await Promise.all([registering, ...posting]);
    }
    await store.close();
  }
  files.onUse = () => {};
  expect(cuts.length).toBeGreaterThan(100);

  for (const { folder: copy, texts: expected, emails: known } of cuts) {
    const findings: string[] = [];
    const store = await openJsonMessagingStore({
      folder: copy,
      clock,
      onDamage: ({ file, line, message }) => findings.push(`${file} ${line} ${message}`),
    });
    let last = 0;
    for (const [chat, acknowledged] of expected.entries()) {
      const { messages } = await store.messages.page(chat + 1, { limit: 1000 });
      const found = messages.map(({ text }) => text);
      expect(found.slice(0, acknowledged.length)).toEqual(acknowledged);
      // There may be one more: the post in progress.
      expect(found.length - acknowledged.length).toBeLessThan(2);
      const ids = messages.map(({ id }) => id);
      expect(ids.every((id, index) => id > (ids[index - 1] ?? 0))).toBe(true);
      last = Math.max(last, ...ids);
    }
    for (const email of known) expect(await store.users.findByEmail(email)).toBeDefined();
    expect((await store.messages.append(draft(1, 'after'))).message.id).toBeGreaterThan(last);
    await store.close();
    expect(findings).toEqual([]);
  }
}, 120_000);
