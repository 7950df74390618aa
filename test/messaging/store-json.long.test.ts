import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FileLayer, systemFiles } from '../../src/base/files/file-layer.js';
import { maxPageBytes } from '../../src/messaging/message-page.js';
import type { StoredMessage } from '../../src/messaging/model.js';
import { messagingChecker } from '../../src/messaging/store-json/checker.js';
import { journalName, readJournal } from '../../src/messaging/store-json/message-journal.js';
import {
  type JsonMessagingOptions,
  openJsonMessagingStore,
} from '../../src/messaging/store-json/open.js';
import { type Finding, throwDamage } from '../../src/storage/json/check/data-checker.js';
import { openSegmentedLog } from '../../src/storage/json/log/segmented-log.js';
import { createFaultyFiles } from '../faults/faulty-files.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { describeMessagingStore } from './store-contract.js';
import { isRevoked } from './store-samples.js';

const sizes: [string, Partial<JsonMessagingOptions>][] = [
  ['JSON files', {}],
  ['JSON files with tiny segments', { segmentBytes: 600 }],
  ['JSON files without a cache', { segmentBytes: 3000, cacheBytes: 4 }],
];
for (const [name, options] of sizes) {
  describeMessagingStore(name, async () => {
    const folder = join(await makeTempFolder(), 'messaging');
    return { open: (clock) => openJsonMessagingStore({ folder, clock, ...options }) };
  });
}

/** True to test a crash at every step instead of a sample. */
const everyCut = process.env.MSGSITE_TEST_EVERY_STEP !== undefined;
const clock = createManualClock();
const createdAt = new Date(clock.now()).toISOString();
const message = (chatId: number, text: string): Omit<StoredMessage, 'id'> => ({
  chatId,
  senderId: 1,
  type: 'text',
  text,
  encrypted: { iv: '00', encrypted: '00', authTag: '00' },
  scheme: 'email',
  createdAt,
});
const open = (folder: string, more: Partial<JsonMessagingOptions> = {}) =>
  openJsonMessagingStore({ folder, clock, ...more });

/** Creates a folder with the groups 1, 2 and 3. */
async function openNew(folder: string, more: Partial<JsonMessagingOptions> = {}) {
  const store = await open(folder, more);
  for (const name of ['a', 'b', 'c']) {
    await store.chats.create({ type: 'group', name, ownerId: 1, createdAt });
  }
  return store;
}

async function openJournal(
  folder: string,
  files: FileLayer,
  onEntry: (entry: StoredMessage) => void = () => {},
) {
  const location = { folder, files, mustExist: false };
  const content = await readJournal(location, onEntry, throwDamage);
  let { lastId } = content;
  const log = await openSegmentedLog(
    { folder, files, name: journalName, lastId: () => lastId },
    content.log,
  );
  const nextId = () => {
    lastId += 1;
    return lastId;
  };
  return { ...log, nextId };
}

async function textsIn(folder: string, chatIds: number[]): Promise<string[][]> {
  const store = await open(folder);
  const pages = await Promise.all(
    chatIds.map((chatId) => store.messages.page(chatId, { limit: 1000 })),
  );
  await store.close();
  return pages.map(({ messages }) => messages.map(({ text = '' }) => text));
}

describe('messages on files', () => {
  it('are moved from the journal to the log of their chat, and the journal shrinks', async () => {
    const folder = await makeTempFolder();
    const store = await openNew(folder, { segmentBytes: 2000 });
    for (let n = 0; n < 60; n += 1) await store.messages.append(message(1 + (n % 3), `m${n}`));
    await store.close();
    const names = await readdir(join(folder, 'messages'), { recursive: true });
    expect(names.filter((name) => /chats\/\d\d\/\d+\.jsonl/.test(name)).sort()).toEqual([
      'chats/01/1.jsonl',
      'chats/02/2.jsonl',
      'chats/03/3.jsonl',
    ]);
    const journals = names.filter((name) => name.startsWith('journal'));
    expect(journals).toHaveLength(2);
    const journal = await readFile(join(folder, 'messages', journals[0] ?? ''), 'utf8');
    expect(journal).toContain('"lastId":60');
    expect(journal).not.toContain('"text"');
  });

  it('are paged in a chat log of many blocks without reading the whole log', async () => {
    const folder = await makeTempFolder();
    const files = createFaultyFiles();
    const writer = await openNew(folder);
    const ids: number[] = [];
    const posts = Array.from({ length: 3000 }, (_, n) =>
      writer.messages.append(message(1 + (n % 2), `m${n}`.padEnd(400))),
    );
    for (const outcome of await Promise.all(posts)) ids.push(outcome.message.id);
    await writer.close();
    const store = await open(folder, { files, cacheBytes: 4 });
    const reads = () => files.uses.filter(({ step }) => step === 'read').length;
    for (const index of [0, 1, 777, 1500, 2998]) {
      const id = ids[index] ?? 0;
      const before = reads();
      const { messages } = await store.messages.page(1, { limit: 2, after: id });
      expect(messages.map((each) => each.id)).toEqual(
        ids.filter((each, n) => n % 2 === 0 && each > id).slice(0, 2),
      );
      expect(reads() - before).toBeLessThan(20);
    }
    await store.close();
  });

  it('that are long are read only slightly beyond the page', async () => {
    const folder = await makeTempFolder();
    const files = createFaultyFiles();
    const writer = await openNew(folder);
    const text = 'я'.repeat(4000);
    const encrypted = Buffer.from(text).toString('hex');
    const draft = { ...message(1, text), encrypted: { iv: '00', encrypted, authTag: '00' } };
    const posts = Array.from({ length: 400 }, () => writer.messages.append(draft));
    const ids = (await Promise.all(posts)).map((outcome) => outcome.message.id);
    await writer.close();
    const perPage = Math.floor(maxPageBytes / 8000);
    for (const query of [{}, { before: ids[390] ?? 0 }, { after: ids[10] ?? 0 }]) {
      const store = await open(folder, { files, cacheBytes: 4 });
      const before = files.uses.length;
      const page = await store.messages.page(1, { limit: 1000, ...query });
      const reads = files.uses.slice(before).filter(({ step }) => step === 'read');
      expect([page.messages.length, page.hasMore]).toEqual([perPage, true]);
      // Each line has 24 KB. A page takes 50 blocks of 64 KB, and the whole log 150. Further reads find the position.
      expect(reads.length).toBeLessThan(100);
      await store.close();
    }
  });

  it('are counted in a long chat log once, after which only new messages are counted', async () => {
    const folder = await makeTempFolder();
    const files = createFaultyFiles();
    const writer = await openNew(folder);
    await writer.chats.addMember(1, 2);
    const posts = Array.from({ length: 6000 }, (_, n) =>
      writer.messages.append({ ...message(1, `m${n}`.padEnd(200)), senderId: 1 + (n % 2) }),
    );
    await Promise.all(posts);
    await writer.close();
    const store = await open(folder, { files });
    const count = async (others: { userId: number; after: number; max: number }) => {
      const before = files.uses.length;
      const found = await store.messages.countOthers(1, others);
      const reads = files.uses.slice(before).filter(({ step }) => step === 'read').length;
      return [found, reads];
    };
    const others = { userId: 1, after: 10, max: 10_000 };
    const [first, reads = 0] = await count(others);
    expect(first).toBe(2995);
    // The log has two megabytes and is read in blocks of 256 KB.
    expect(reads).toBeGreaterThan(6);
    expect(await count(others)).toEqual([2995, 0]);
    await store.messages.append({ ...message(1, 'new'), senderId: 2 });
    await store.messages.append({ ...message(1, 'own'), senderId: 1 });
    expect(await count(others)).toEqual([2996, 0]);
    expect(await count({ ...others, max: 7 })).toEqual([7, 0]);
    // The first call counts up to the limit, and the next one continues from there.
    const other = { userId: 3, after: 0, max: 20 };
    const [few, fewReads = 0] = await count(other);
    expect(few).toBe(20);
    expect(fewReads).toBeLessThan(5);
    expect((await count({ ...other, max: 1000 }))[0]).toBe(1000);
    // The end of the chat is in memory.
    expect(await count({ userId: 1, after: 5990, max: 100 })).toEqual([6, 0]);
    await store.close();
  });

  it('stay in memory at the end of a chat, even if they are long', async () => {
    const folder = await makeTempFolder();
    const files = createFaultyFiles();
    const store = await openNew(folder, { files, cacheBytes: 400_000, segmentBytes: 30_000 });
    const text = 'x'.repeat(4000);
    const encrypted = '78'.repeat(4000);
    const draft = { ...message(1, text), encrypted: { iv: '00', encrypted, authTag: '00' } };
    let last = 0;
    for (let n = 0; n < 40; n += 1) {
      await store.messages.page(1, { limit: 1, after: last });
      last = (await store.messages.append(draft)).message.id;
    }
    const readsOfLogs = () =>
      files.uses.filter(({ step, path }) => step === 'read' && path.includes('chats')).length;
    const before = readsOfLogs();
    const { messages } = await store.messages.page(1, { limit: 1000, after: last - 1 });
    expect(messages.map(({ id }) => id)).toEqual([last]);
    expect(readsOfLogs()).toBe(before);
    await store.close();
  });

  it('are shown without text if their line in a chat log is damaged, while other messages are unchanged', async () => {
    const folder = await makeTempFolder();
    const first = await openNew(folder);
    for (const chatId of [1, 1, 2, 1, 1]) await first.messages.append(message(chatId, 'x'));
    await first.close();
    const path = join(folder, 'messages/chats/01/1.jsonl');
    const lines = (await readFile(path, 'utf8')).split('\n');
    // The ID of the first damaged line is legible, but not that of the second one.
    lines[1] = lines[1]?.replace('"text":"x"', '"text":"y"') ?? '';
    lines[2] = lines[2]?.replace('{"id":4', '{"id":9') ?? '';
    await writeFile(path, lines.join('\n'));
    const findings: Finding[] = [];
    const onDamage = (finding: Finding) => findings.push(finding);
    const store = await open(folder, { onDamage, cacheBytes: 4 });
    const { messages } = await store.messages.page(1, { limit: 10 });
    expect(messages.map(({ id, text }) => [id, text])).toEqual([
      [1, 'x'],
      [2, undefined],
      [3, undefined],
      [5, 'x'],
    ]);
    const seen: number[] = [];
    for (let after = 0, more = true; more; after = seen.at(-1) ?? 0) {
      const page = await store.messages.page(1, { limit: 1, after });
      seen.push(...page.messages.map(({ id }) => id));
      more = page.hasMore;
    }
    expect(seen).toEqual([1, 2, 3, 5]);
    for (let before = Number.MAX_SAFE_INTEGER, more = true; more; before = seen.at(-1) ?? 0) {
      const page = await store.messages.page(1, { limit: 1, before });
      seen.push(...page.messages.map(({ id }) => id));
      more = page.hasMore;
    }
    expect(seen.slice(4)).toEqual([5, 3, 2, 1]);
    expect(findings.map(({ file, line }) => [file, line])).toEqual([
      [path, 2],
      [path, 3],
    ]);
    expect((await store.messages.page(2, { limit: 10 })).messages).toHaveLength(1);
    expect((await store.messages.append(message(1, 'continues'))).message.id).toBe(6);
    await store.close();
  });

  it('are shown without text if their line in the journal is damaged, and the store opens', async () => {
    const folder = await makeTempFolder();
    const store = await openNew(folder);
    for (const text of ['a', 'b', 'c']) await store.messages.append(message(1, text));
    const killed = join(await makeTempFolder(), 'killed');
    await cp(folder, killed, { recursive: true });
    await store.close();
    const path = join(killed, 'messages/journal.1.jsonl');
    await writeFile(path, (await readFile(path, 'utf8')).replace('"text":"b"', '"text":"x"'));
    for (const file of [path, join(killed, 'messages/chats/01/1.jsonl')]) {
      const findings: Finding[] = [];
      const again = await open(killed, { onDamage: (finding) => findings.push(finding) });
      const { messages } = await again.messages.page(1, { limit: 10 });
      expect(messages.map(({ id, text }) => [id, text])).toEqual([
        [1, 'a'],
        [2, undefined],
        [3, 'c'],
      ]);
      expect(findings.map((finding) => finding.file)).toContain(file);
      await again.close();
    }
  });

  it('that a chat log has lost are reported on reading, and shown as damaged after the log has grown', async () => {
    const folder = await makeTempFolder();
    const first = await open(folder);
    await first.chats.create({ type: 'group', name: 'g', ownerId: 1, createdAt });
    for (const text of ['a', 'b', 'c']) await first.messages.append(message(1, text));
    await first.close();
    const path = join(folder, 'messages/chats/01/1.jsonl');
    await writeFile(
      path,
      (await readFile(path, 'utf8')).split('\n').slice(0, 2).join('\n').concat('\n'),
    );
    for (const [texts, found] of [
      [['a', 'b'], /Lines are missing/],
      [['a', 'b', undefined, 'd'], /line is damaged/],
    ] as const) {
      const findings: Finding[] = [];
      const store = await open(folder, { onDamage: (finding) => findings.push(finding) });
      for (const _ of 'xy') {
        const { messages } = await store.messages.page(1, { limit: 10 });
        expect(messages.map(({ text }) => text)).toEqual(texts);
      }
      expect(findings).toMatchObject([{ file: path, message: found }]);
      if (texts.length === 2) await store.messages.append(message(1, 'd'));
      await store.close();
    }
  });

  it('cannot be opened if a part of the journal is missing', async () => {
    const folder = await makeTempFolder();
    await (await open(folder)).close();
    const path = join(folder, 'messages/journal.1.jsonl');
    await rm(path);
    await expect(open(folder)).rejects.toMatchObject({
      code: 'data_damaged',
      message: expect.stringContaining(path),
    });
  });
});

describe('a folder without store.json', () => {
  async function filled() {
    const folder = await makeTempFolder();
    const store = await openNew(folder);
    const fields = { username: 'u', passwordHash: 'x', avatar: null, bio: '', createdAt };
    await store.users.create({ ...fields, email: 'a@x.kz' });
    await store.messages.append(message(1, 'x'));
    await store.close();
    await rm(join(folder, 'store.json'));
    return folder;
  }

  it('is opened and reported if all other files exist', async () => {
    const folder = await filled();
    const findings: Finding[] = [];
    const store = await open(folder, { onDamage: (finding) => findings.push(finding) });
    expect(await store.users.findByEmail('a@x.kz')).toBeDefined();
    await store.close();
    expect(findings).toMatchObject([{ file: join(folder, 'store.json'), message: /missing/ }]);
  });

  it.each([/^users/, /^messages$/, /jsonl?$/])(
    'is rejected if files that match %s are also missing',
    async (lost) => {
      const folder = await filled();
      for (const name of await readdir(folder)) {
        if (lost.test(name)) await rm(join(folder, name), { recursive: true });
      }
      await expect(open(folder)).rejects.toMatchObject({ code: 'data_damaged' });
    },
  );

  it('is opened after an interrupted first startup', async () => {
    const folder = await makeTempFolder();
    await (await open(folder)).close();
    for (const name of await readdir(folder)) {
      if (/^(store|idempotency|messages)/.test(name)) {
        await rm(join(folder, name), { recursive: true });
      }
    }
    await (await open(folder)).close();
    expect(await readdir(folder)).toContain('store.json');
  });
});

describe('after a failure', () => {
  it('a journal that was cut at any byte contains exactly the acknowledged messages', async () => {
    const folder = await makeTempFolder();
    const path = join(folder, 'journal.1.jsonl');
    const openTexts = async () => {
      const texts: string[] = [];
      const journal = await openJournal(folder, systemFiles, ({ text = '' }) => texts.push(text));
      return { journal, texts };
    };
    const { journal } = await openTexts();
    const lengths = [(await readFile(path)).length];
    for (const text of ['a', 'é🙂', 'c']) {
      await journal.append(JSON.stringify({ id: journal.nextId(), ...message(1, text) }));
      lengths.push((await readFile(path)).length);
    }
    await journal.close();
    const bytes = await readFile(path);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      // Tests all positions near the ends of lines, and a sample of the others.
      const isNearEnd = [0, ...lengths].some((length) => Math.abs(length - cut) <= 2);
      if (!everyCut && !isNearEnd && Math.random() > 0.06) continue;
      await writeFile(path, bytes.subarray(0, cut));
      // This file was never synced, so a power cut loses it.
      await rm(join(folder, 'journal.durable.json'));
      const again = await openTexts();
      const acknowledged = lengths.filter((length) => length <= cut).length - 1;
      const kept = ['a', 'é🙂', 'c'].slice(0, Math.max(0, acknowledged));
      expect(again.texts, `cut at byte ${cut}`).toEqual(kept);
      const next = again.journal.nextId();
      await again.journal.append(JSON.stringify({ id: next }));
      expect(next).toBe(Math.max(0, acknowledged) + 1);
      await again.journal.close();
    }
  });

  it.each<[string, (last: string) => string]>([
    ['half a line', (last) => last.slice(0, last.length / 2)],
    ['zeros', () => '\0'.repeat(400)],
    ['a whole line', (last) => `${last}\n`],
  ])(
    'a chat log with %s at its end hides no message, and the bytes are removed',
    async (_, torn) => {
      const folder = await makeTempFolder();
      const first = await openNew(folder);
      // The IDs are adjacent in one chat, but not in the other.
      for (const chatId of [1, 2, 2, 1]) await first.messages.append(message(chatId, 'moved'));
      await first.close();
      const second = await open(folder);
      for (const chatId of [1, 2]) await second.messages.append(message(chatId, 'acknowledged'));
      const killed = join(await makeTempFolder(), 'messaging');
      await cp(folder, killed, { recursive: true });
      await second.close();
      const paths = [1, 2].map((chatId) =>
        join(killed, `messages/chats/0${chatId}/${chatId}.jsonl`),
      );
      for (const path of paths) {
        const text = await readFile(path, 'utf8');
        await writeFile(path, text + torn(text.trimEnd().split('\n').at(-1) ?? ''));
      }
      const check = async () => {
        const findings: Finding[] = [];
        await messagingChecker(undefined).check(dirname(killed), (each) => findings.push(each));
        // The test has no accounts, and its encrypted texts are fictional.
        return findings.filter(({ message }) => !/unknown user|pattern/.test(message));
      };
      expect((await check()).map(({ severity }) => severity)).toEqual(['note', 'note']);
      for (let start = 1; start <= 3; start += 1) {
        const findings: Finding[] = [];
        const again = await open(killed, { onDamage: (finding) => findings.push(finding) });
        for (const [chatId, ids] of [
          [1, [1, 4, 5]],
          [2, [2, 3, 6]],
        ] as const) {
          const { messages } = await again.messages.page(chatId, { limit: 10 });
          expect(messages.map(({ id }) => id)).toEqual(ids);
          expect(messages.map(({ text }) => text)).toEqual(['moved', 'moved', 'acknowledged']);
        }
        expect(findings).toEqual([]);
        await again.close();
        expect(await check()).toEqual([]);
      }
    },
  );

  it('idempotency keys are preserved with their messages, so that a repeated post is stored once', async () => {
    const folder = await makeTempFolder();
    const path = join(folder, 'messages/journal.1.jsonl');
    const store = await openNew(folder);
    const lengths: number[] = [];
    for (const text of ['a', 'b']) {
      await store.messages.append(message(1, text), { key: text, bodyHash: 'h' });
      lengths.push((await readFile(path)).length);
    }
    const bytes = await readFile(path);
    const crashed = join(await makeTempFolder(), 'crashed');
    await cp(folder, crashed, { recursive: true });
    await store.close();
    const [first = 0, second = 0] = lengths;
    for (const cut of [first, first + 1, second - 30, second - 1, second]) {
      const copy = join(await makeTempFolder(), 'copy');
      await cp(crashed, copy, { recursive: true });
      await writeFile(join(copy, 'messages/journal.1.jsonl'), bytes.subarray(0, cut));
      await rm(join(copy, 'messages/journal.durable.json'));
      const again = await open(copy);
      for (const [text, length] of [
        ['a', first],
        ['b', second],
      ] as const) {
        const repeat = await again.messages.append(message(1, text), { key: text, bodyHash: 'h' });
        expect(repeat.stored).toBe(length > cut);
      }
      await again.close();
      expect(await textsIn(copy, [1])).toEqual([['a', 'b']]);
    }
  });

  it('messages that were being moved to their chats are neither lost nor duplicated', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 120 }),
        fc.constantFrom('once', 'from then on'),
        async (failAt, how) => {
          const folder = await makeTempFolder();
          const files = createFaultyFiles();
          const store = await openNew(folder, { files, segmentBytes: 700 });
          const start = files.uses.length;
          files.fault = ({ path, step }) => {
            // Posts to the current journal succeed. All other steps may fail.
            const isPost = /journal\.\d+\.jsonl$/.test(path) && /write|datasync/.test(step);
            const index = files.uses.length - start;
            const fails = how === 'once' ? index === failAt : index >= failAt;
            return fails && !isPost ? 'EIO' : undefined;
          };
          const kept: string[][] = [[], []];
          for (let n = 0; n < 25; n += 1) {
            const chat = n % 2;
            const outcome = store.messages.append(message(chat + 1, `m${n}`), {
              key: `k${n}`,
              bodyHash: 'h',
            });
            await outcome.then(
              () => kept[chat]?.push(`m${n}`),
              () => {},
            );
          }
          const pages = await Promise.allSettled(
            [1, 2].map((chatId) => store.messages.page(chatId, { limit: 100 })),
          );
          for (const [chat, page] of pages.entries()) {
            if (page.status === 'fulfilled') {
              expect(page.value.messages.map(({ text }) => text)).toEqual(kept[chat]);
            }
          }
          // Simulates a crash. Nothing reaches the disk from here on, and operations in progress end first.
          files.fault = () => 'EIO';
          await delay(20);
          const crashed = join(await makeTempFolder(), 'copy');
          await cp(folder, crashed, { recursive: true });
          expect(await textsIn(crashed, [1, 2])).toEqual(kept);
          files.fault = () => undefined;
          await store.close();
          expect(files.openFiles).toBe(0);
          expect(await textsIn(folder, [1, 2])).toEqual(kept);
        },
      ),
      { numRuns: everyCut ? 250 : 8 },
    );
  }, 60_000);

  it('changes that were rejected because of a full disk are not visible, and succeed later without a restart', async () => {
    const folder = await makeTempFolder();
    const files = createFaultyFiles();
    const store = await openNew(folder, { files });
    await store.messages.append(message(1, 'before'));
    await store.messages.page(1, { limit: 10 });
    let writes = 0;
    files.fault = ({ step }) => {
      if (step !== 'write') return undefined;
      writes += 1;
      return { fits: writes % 2 };
    };
    const fields = { username: 'u', passwordHash: 'x', avatar: null, bio: '', createdAt };
    const outcomes = await Promise.allSettled([
      store.messages.append(message(1, 'lost')),
      store.messages.append(message(1, 'keyed'), { key: 'k', bodyHash: 'h' }),
      store.users.create({ ...fields, email: 'a@x.kz' }),
      store.chats.create({ type: 'group', name: 'g', ownerId: 1, createdAt }),
      store.tokens.revoke('t', clock.now() + 1000),
    ]);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ reason: { code: 'storage_unavailable', status: 503 } });
    }
    expect((await store.messages.page(1, { limit: 10 })).messages).toHaveLength(1);
    expect(await store.users.findByEmail('a@x.kz')).toBeUndefined();
    expect(await store.chats.listOf(1)).toHaveLength(3);
    files.fault = () => undefined;
    await store.users.create({ ...fields, email: 'a@x.kz' });
    expect(await isRevoked(store, 't', clock.now())).toBe(false);
    const again = await store.messages.append(message(1, 'keyed'), { key: 'k', bodyHash: 'h' });
    expect(again.stored).toBe(true);
    await store.close();
    expect(await textsIn(folder, [1])).toEqual([['before', 'keyed']]);
  });
});

it('a disk failure while a segment is being created does not lose the highest ID', async () => {
  const folder = await makeTempFolder();
  const files = createFaultyFiles();
  const journal = await openJournal(folder, files);
  const append = async () => {
    const id = journal.nextId();
    await journal.append(JSON.stringify({ id, ...message(1, 'x') }));
    return id;
  };
  await append();
  // The header is written, but neither synced nor removed. It therefore contains an outdated ID.
  files.fault = ({ path, step }) =>
    path.endsWith('journal.2.jsonl') && /sync|unlink/.test(step) ? 'EIO' : undefined;
  await expect(journal.rotate()).rejects.toMatchObject({
    code: 'storage_unavailable',
  });
  files.fault = () => undefined;
  await append();
  const id = await append();
  await journal.drop(await journal.rotate());
  await journal.close();
  const again = await openJournal(folder, files);
  expect(again.nextId()).toBe(id + 1);
  await again.close();
});

describe('a failing disk', () => {
  /** Creates a folder with data in every file, as a copy of a store that was not closed. */
  async function filled() {
    const folder = await makeTempFolder();
    const files = createFaultyFiles();
    const store = await openJsonMessagingStore({ folder, clock, files, segmentBytes: 300 });
    const fields = { username: 'u', passwordHash: 'x', avatar: null, bio: '', createdAt };
    await store.users.create({ ...fields, email: 'a@x.kz' });
    await store.chats.create({ type: 'group', name: 'g', ownerId: 1, createdAt });
    await store.chats.addMember(1, 2);
    await store.tokens.revoke('t', clock.now() + 1e9);
    // Nothing is moved to the chats' logs, so several segments remain.
    files.fault = ({ path }) => (path.includes('chats/') ? 'EIO' : undefined);
    for (let n = 0; n < 6; n += 1) {
      await store.messages.append(message(1, `m${n}`), { key: `k${n}`, bodyHash: 'h' });
    }
    const copy = join(await makeTempFolder(), 'copy');
    await cp(folder, copy, { recursive: true });
    files.fault = () => undefined;
    await store.close();
    return copy;
  }

  it('at any step of opening leaves no file open', async () => {
    const folder = await filled();
    const stride = everyCut ? 1 : 4;
    for (let steps = Math.floor(Math.random() * stride); ; steps += stride) {
      const copy = join(await makeTempFolder(), 'copy');
      await cp(folder, copy, { recursive: true });
      const files = createFaultyFiles(() => (files.uses.length > steps ? 'EIO' : undefined));
      const store = await openJsonMessagingStore({ folder: copy, clock, files }).catch(() => {});
      files.fault = () => undefined;
      await store?.close();
      expect(files.openFiles, `after ${steps} steps`).toBe(0);
      if (!store) continue;
      expect(steps).toBeGreaterThan(20);
      break;
    }
  });

  it('during closing leaves no file open', async () => {
    const folder = await filled();
    const files = createFaultyFiles();
    const store = await openJsonMessagingStore({ folder, clock, files });
    files.fault = ({ step }) => (step === 'write' ? 'EIO' : undefined);
    await store.messages.append(message(1, 'lost')).catch(() => {});
    files.fault = () => 'EIO';
    await store.close().catch(() => {});
    expect(files.openFiles).toBe(0);
  });
});
