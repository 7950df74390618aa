import { cpSync } from 'node:fs';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openJsonMessagingStore } from '../../src/messaging/store-json/open.js';
import { readJsonMessaging } from '../../src/messaging/store-json/transfer.js';
import { entryOf } from '../../src/transfer/record-stream.js';
import { createFaultyFiles } from '../faults/faulty-files.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { createdAt, group, message, privateChat, userFields } from './store-samples.js';

const clock = createManualClock();

/** The personal data that must be erased when the account is deleted. */
const personal = {
  email: 'secret-mail@x.kz',
  username: 'Secret Name',
  bio: 'secret bio',
  avatar: 'https://x.kz/secret-avatar',
  passwordHash: '$2b$04$secrethash',
};
const words = [
  ...Object.values(personal),
  ...['Secret Earlier', 'secret-earlier-hash', 'secret group', 'secret former group'],
  ...['secret text in a log', 'secret text in the journal', 'secret private text'],
];

/**
 * Creates an account whose fields are in a snapshot and in a later log, and chats that are deleted together with it.
 */
async function prepare(): Promise<string> {
  const folder = join(await makeTempFolder(), 'messaging');
  const open = () => openJsonMessagingStore({ folder, clock });
  const first = await open();
  for (const n of [1, 2]) await first.users.create(userFields(`u${n}@x.kz`));
  await first.users.create({
    ...{ ...personal, username: 'Secret Earlier', passwordHash: 'secret-earlier-hash' },
    createdAt,
  });
  await first.chats.create(group(3, 'secret former group'));
  await first.chats.create(group(3, 'kept group'));
  await first.chats.addMember(2, 1);
  await first.chats.create(privateChat(3, 2));
  await first.messages.append(message(1, 'secret text in a log', 3));
  await first.messages.append(message(2, 'kept text', 3));
  await first.messages.append(message(3, 'secret private text', 2));
  // Closing compacts everything into a snapshot, because data was erased.
  await first.endAccount(2, { at: createdAt });
  await first.close();
  expect(await readFile(join(folder, 'users.snapshot.jsonl'), 'utf8')).toContain('Secret Earlier');
  const store = await open();
  await store.users.change(3, { username: personal.username });
  await store.users.replaceHash(3, 'secret-earlier-hash', personal.passwordHash);
  await store.chats.rename(1, 'secret group');
  await store.messages.append(message(1, 'secret text in the journal', 3), {
    ...{ key: 'k', bodyHash: 'h' },
  });
  // This copy is in the state of a killed process: the latest changes are only in logs.
  const killed = join(await makeTempFolder(), 'messaging');
  await cp(folder, killed, { recursive: true });
  await store.close();
  return killed;
}

/** Returns the names and the content of all files. */
async function allOf(folder: string): Promise<string> {
  const parts: string[] = [];
  for (const name of await readdir(folder, { recursive: true, withFileTypes: true })) {
    parts.push(name.name);
    if (name.isFile()) parts.push(await readFile(join(name.parentPath, name.name), 'latin1'));
  }
  return parts.join('\n');
}

async function exportOf(folder: string): Promise<string> {
  const lines: string[] = [];
  for (const { kind, read } of readJsonMessaging(folder, clock.now())) {
    for await (const record of read()) lines.push(entryOf(kind, record).line);
  }
  return lines.join('\n');
}

const found = (text: string) => words.filter((word) => text.includes(word));

it('no file contains data of a deleted account after the next clean stop, even if a kill interrupted the deletion', async () => {
  const folder = await prepare();
  expect(found(await allOf(folder))).toEqual(words);
  const files = createFaultyFiles();
  const killed: { step: number; copy: string; isEnded: boolean }[] = [];
  const root = await makeTempFolder();
  let isEnded = false;
  // Tests every third step, or all steps with MSGSITE_TEST_EVERY_STEP.
  const stride = process.env.MSGSITE_TEST_EVERY_STEP !== undefined ? 1 : 3;
  let steps = Math.floor(Math.random() * stride);
  const store = await openJsonMessagingStore({ folder, clock, files });
  files.fault = ({ step }) => {
    // The other steps do not change files.
    if (!['write', 'rename', 'unlink', 'truncate'].includes(step)) return undefined;
    steps += 1;
    if (steps % stride !== 0) return undefined;
    const copy = join(root, String(steps), 'messaging');
    cpSync(folder, copy, { recursive: true });
    killed.push({ step: steps, copy, isEnded });
    return undefined;
  };
  await store.endAccount(3, { at: createdAt });
  isEnded = true;
  await store.close();
  files.fault = () => undefined;
  expect(found(await allOf(folder))).toEqual([]);
  expect(await allOf(folder)).toContain('kept text');

  expect(steps).toBeGreaterThan(20);
  expect(new Set(killed.map((each) => each.isEnded))).toEqual(new Set([false, true]));
  for (const { step, copy, isEnded } of killed) {
    const context = `killed at ${step}, ${isEnded ? 'after' : 'before'} the acknowledgment`;
    if (isEnded) expect(found(await exportOf(copy)), context).toEqual([]);
    const again = await openJsonMessagingStore({ folder: copy, clock });
    // A client that receives no response retries.
    if (!isEnded) await again.endAccount(3, { at: createdAt });
    expect((await again.users.find(3))?.username).toBe('Deleted account');
    await again.close();
    expect(found(await allOf(copy)), context).toEqual([]);
    expect(found(await exportOf(copy)), context).toEqual([]);
    expect(await exportOf(copy)).toContain('kept text');
  }
});

it('an unfinished snapshot of a killed process is deleted at the next startup', async () => {
  const folder = await prepare();
  await writeFile(join(folder, 'users.snapshot.jsonl.7-abc.tmp'), 'secret');
  await (await openJsonMessagingStore({ folder, clock })).close();
  expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

it('a disk failure during compaction postpones the erasure to the next stop', async () => {
  const folder = await prepare();
  const files = createFaultyFiles();
  const failures: unknown[] = [];
  const store = await openJsonMessagingStore({
    ...{ folder, clock, files },
    onBackgroundFailure: (error) => failures.push(error),
  });
  await store.endAccount(3, { at: createdAt });
  files.fault = ({ step }) => (step === 'rename' ? 'EIO' : undefined);
  await store.close();
  expect(failures.length).toBeGreaterThan(0);
  expect(found(await allOf(folder))).not.toEqual([]);
  await (await openJsonMessagingStore({ folder, clock })).close();
  expect(found(await allOf(folder))).toEqual([]);
});
