import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMessageCipher } from '../../src/messaging/cipher.js';
import { messagingChecker } from '../../src/messaging/store-json/checker.js';
import { openJsonMessagingStore } from '../../src/messaging/store-json/open.js';
import { repairMessaging } from '../../src/messaging/store-json/repair.js';
import type { Finding, RepairStep } from '../../src/storage/json/check/data-checker.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { isRevoked } from './store-samples.js';

const clock = createManualClock();
const createdAt = new Date(clock.now()).toISOString();
const cipher = createMessageCipher(undefined);

const open = (data: string) => openJsonMessagingStore({ folder: join(data, 'messaging'), clock });

let prepared: string;

beforeAll(async () => {
  prepared = await mkdtemp(join(tmpdir(), 'msgsite-repair-'));
  await populate(join(prepared, 'stopped'), join(prepared, 'killed'));
});

afterAll(() => rm(prepared, { recursive: true }));

/** Returns a copy of a data folder. In that of a killed process, all data is still in logs. */
async function prepare(how: 'stopped' | 'killed'): Promise<string> {
  const data = await makeTempFolder();
  await cp(join(prepared, how), data, { recursive: true });
  return data;
}

/** Creates three accounts, two groups with one other member each, and three messages per group. */
async function populate(data: string, killed: string): Promise<void> {
  const store = await open(data);
  for (const name of ['a', 'b', 'c']) {
    const email = `${name}@x.kz`;
    const fields = { passwordHash: 'x', avatar: null, bio: '', createdAt };
    await store.users.create({ username: name, email, ...fields });
  }
  for (const [chatId, ownerId] of [
    [1, 1],
    [2, 2],
  ] as const) {
    await store.chats.create({ type: 'group', name: 'g', ownerId, createdAt });
    await store.chats.addMember(chatId, 3);
    for (const senderId of [ownerId, 3, ownerId]) {
      const sender = await store.users.find(senderId);
      const text = `by ${senderId}`;
      const encrypted = cipher.encrypt(text, sender ?? ({ email: '', createdAt: '' } as never));
      const message = { chatId, senderId, type: 'text', text, encrypted, scheme: 'email' } as const;
      await store.messages.append({ ...message, createdAt });
    }
  }
  await store.tokens.revoke('t1', clock.now() + 1e9);
  await store.tokens.revoke('t2', clock.now() + 1e9);
  await cp(data, killed, { recursive: true });
  await store.close();
}

async function findingsIn(data: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  const { check } = messagingChecker(undefined);
  await check(data, (finding) => findings.push(finding));
  return findings.filter(({ severity }) => severity === 'error');
}

const flip = (text: string) => (content: string) => content.replace(text, `!${text.slice(1)}`);
const flipAll = (text: string) => (content: string) =>
  content.replaceAll(text, `!${text.slice(1)}`);
const remove = () => undefined;
const loseLastLine = (content: string) => content.replace(/[^\n]*\n$/, '');
type Edit = (content: string) => string | undefined;

it.each<['stopped' | 'killed', string, Edit, RegExp]>([
  ['stopped', 'users.1.jsonl', flip('"id":3'), /Account 3 is lost, but other records refer to it/],
  ['stopped', 'users.1.jsonl', remove, /Account 1 is lost, but other records refer to it/],
  ['stopped', 'users.snapshot.jsonl', remove, /missing/],
  ['stopped', 'chats.1.jsonl', flipAll('"id":2'), /Chat 2 is lost, but other records refer to it/],
  ['stopped', 'members.1.jsonl', flip('"userId":3'), /set aside/],
  ['stopped', 'revoked-tokens.1.jsonl', flip('"t2"'), /All tokens issued before now were revoked/],
  ['stopped', 'idempotency-keys.1.jsonl', remove, /missing/],
  ['stopped', 'messages/chats/01/1.jsonl', flip('"by 3"'), /set aside/],
  ['stopped', 'messages/chats/01/1.jsonl', loseLastLine, /Lines are missing/],
  ['stopped', 'messages/chats/01/1.jsonl', remove, /Lines are missing/],
  ['stopped', 'messages/journal.2.jsonl', remove, /missing/],
  ['stopped', 'store.json', flip('"coll'), /set aside/],
  ['stopped', 'store.json', remove, /missing/],
  ['killed', 'messages/journal.1.jsonl', flip('"by 3"'), /set aside/],
  ['killed', 'messages/journal.1.jsonl', flip('"log"'), /set aside/],
  ['killed', 'messages/journal.1.jsonl', remove, /missing/],
])(
  'the folder of a %s process with damaged %s is valid after a repair (%#)',
  async (how, name, edit, expected) => {
    const data = await prepare(how);
    expect(await findingsIn(data)).toEqual([]);
    const path = join(data, 'messaging', name);
    const content = edit(await readFile(path, 'utf8'));
    await (content === undefined ? rm(path) : writeFile(path, content));
    expect((await findingsIn(data)).map(({ file }) => file)).toContain(path);

    const steps: RepairStep[] = [];
    await repairMessaging(data, { clock, tell: (step) => steps.push(step) });
    expect(steps.map(({ message }) => message).join('\n')).toMatch(expected);
    expect(await findingsIn(data)).toEqual([]);
    if (content?.includes('!')) {
      const kept = await readdir(join(data, 'damaged'), { recursive: true });
      expect(kept).toContain(join('messaging', `${name}.1`));
    }
    const again: RepairStep[] = [];
    await repairMessaging(data, { clock, tell: (step) => again.push(step) });
    expect(again).toEqual([]);

    const store = await open(data);
    const fields = { username: 'd', passwordHash: 'x', avatar: null, bio: '', createdAt };
    expect((await store.users.create({ ...fields, email: 'd@x.kz' })).id).toBe(4);
    const group = await store.chats.create({ type: 'group', name: 'g', ownerId: 1, createdAt });
    expect(group.chat.id).toBe(3);
    const message = { chatId: 1, senderId: 1, type: 'text', scheme: 'email', createdAt } as const;
    const encrypted = { iv: '', encrypted: '', authTag: '' };
    const posted = await store.messages.append({ ...message, text: 'new', encrypted });
    expect(posted.message.id).toBe(7);
    if (name.startsWith('revoked')) {
      expect(await isRevoked(store, 'other', clock.now() - 1)).toBe(true);
      expect(await isRevoked(store, 'other', clock.now() + 1)).toBe(false);
    } else {
      expect(await isRevoked(store, 'other', clock.now() - 1)).toBe(false);
      expect(await isRevoked(store, 't2', clock.now())).toBe(true);
    }
    await store.close();
  },
);

it('a lost account is reported once, regardless of how many records reference it', async () => {
  const data = await prepare('stopped');
  await rm(join(data, 'messaging/users.1.jsonl'));
  const found = (await findingsIn(data)).filter(({ message }) => /references/.test(message));
  expect(found.map(({ message }) => message)).toEqual([
    'This chat references unknown user 1. 3 more records reference it.',
    'This chat references unknown user 2. 3 more records reference it.',
    'This member references unknown user 3. 3 more records reference it.',
  ]);
  // Moving messages to the logs rewrote the records of both chats, in either order.
  expect(found.map(({ line }) => line).sort()).toEqual([2, 4, 5]);
});

it('read marks beyond the last message are reported, and a repair moves them back to it', async () => {
  const data = await prepare('stopped');
  const store = await open(data);
  await store.chats.markRead(1, 3, 999);
  await store.chats.markRead(2, 3, 6);
  await store.close();
  const findings = await findingsIn(data);
  expect(findings.map(({ message }) => message)).toEqual([
    'Member 3 of chat 1 has marks above 6, the highest message ID.',
  ]);
  expect(findings[0]).toMatchObject({ file: join(data, 'messaging/members.1.jsonl'), line: 4 });
  const steps: RepairStep[] = [];
  await repairMessaging(data, { clock, tell: (step) => steps.push(step) });
  expect(steps).toHaveLength(1);
  expect(await findingsIn(data)).toEqual([]);
  const again = await open(data);
  expect(await again.chats.membership(1, 3)).toMatchObject({ startId: 0, readId: 6 });
  expect(await again.chats.membership(2, 3)).toMatchObject({ startId: 3, readId: 6 });
  await again.close();
});

it.each(['stopped', 'killed'] as const)(
  'the folder of a %s process with deleted accounts and chats is valid before and after a repair',
  async (how) => {
    const data = await prepare('stopped');
    const store = await open(data);
    await store.endAccount(1, { at: createdAt });
    for (const userId of [2, 3]) await store.chats.removeMember(2, userId);
    const killed = await makeTempFolder();
    await cp(data, killed, { recursive: true });
    await store.close();
    const folder = how === 'killed' ? killed : data;
    expect(await findingsIn(folder)).toEqual([]);
    const steps: RepairStep[] = [];
    for (const _ of 'ab') {
      await repairMessaging(folder, { clock, tell: (step) => steps.push(step) });
      expect(await findingsIn(folder)).toEqual([]);
    }
    expect(steps).toEqual([]);
    const again = await open(folder);
    expect(await again.chats.find(1)).toMatchObject({ ownerId: 3 });
    expect((await again.messages.page(1, { limit: 9 })).messages).toHaveLength(3);
    expect(await again.chats.find(2)).toBeUndefined();
    expect(
      (await again.chats.create({ type: 'group', name: 'g', ownerId: 3, createdAt })).chat.id,
    ).toBe(3);
    await again.close();
    const names = await readdir(join(folder, 'messaging'), { recursive: true });
    expect(names).not.toContain('messages/chats/02/2.jsonl');
  },
);

it.each(['stopped', 'killed'] as const)(
  'damage at the end of the journal and in its mark does not hide damaged chat logs (%s)',
  async (how) => {
    const data = await prepare(how);
    if (how === 'killed') {
      // Creates messages in the logs of both chats, and two in the journal.
      await (await open(data)).close();
      const store = await open(data);
      const sender = await store.users.find(1);
      const encrypted = cipher.encrypt('x', sender ?? ({ email: '', createdAt: '' } as never));
      for (const text of ['x', 'x']) {
        const message = {
          chatId: 1,
          senderId: 1,
          type: 'text',
          scheme: 'email',
          createdAt,
        } as const;
        await store.messages.append({ ...message, text, encrypted });
      }
      const copy = await makeTempFolder();
      await cp(data, copy, { recursive: true });
      await store.close();
      await rm(data, { recursive: true });
      await cp(copy, data, { recursive: true });
    }
    const folder = join(data, 'messaging', 'messages');
    const names = (await readdir(folder)).filter((each) => /^journal\.\d+\.jsonl$/.test(each));
    const journal = join(folder, names.sort().at(-1) ?? '');
    for (const path of [journal, join(folder, 'journal.durable.json')]) {
      const bytes = await readFile(path);
      bytes.fill(0, bytes.length - 20, bytes.length - 10);
      await writeFile(path, bytes);
    }
    const logs = [1, 2].map((chatId) => join(folder, 'chats', `0${chatId}`, `${chatId}.jsonl`));
    for (const path of logs) await writeFile(path, flip('"by 3"')(await readFile(path, 'utf8')));
    const found = (await findingsIn(data)).map(({ file }) => file);
    expect(found).toEqual(expect.arrayContaining(logs));
    await repairMessaging(data, { clock, tell() {} });
    expect(await findingsIn(data)).toEqual([]);
    for (const path of logs)
      expect((await readFile(path, 'utf8')).match(/"by 1"|"by 2"/g)).toHaveLength(2);
  },
);
