import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { bringOver } from '../../src/app/bring-over.js';
import { folderRecords } from '../../src/app/data-records.js';
import { formatOf } from '../../src/app/folder-format.js';
import { systemFiles } from '../../src/base/files/file-layer.js';
import { openJsonMessagingStore } from '../../src/messaging/store-json/open.js';
import { encodeLine } from '../../src/storage/json/lines/lines.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

const clock = createManualClock();
const createdAt = new Date(clock.now()).toISOString();
const open = (data: string) => openJsonMessagingStore({ folder: join(data, 'messaging'), clock });

async function post(data: string): Promise<void> {
  const store = await open(data);
  const encrypted = { iv: '00', encrypted: '00', authTag: '00' };
  const message = { chatId: 1, senderId: 1, type: 'text', text: 'x', scheme: 'email' } as const;
  await store.messages.append({ ...message, encrypted, createdAt });
  await store.close();
}

/** Removes the marks from the folder, as the previous version left it. */
async function asFormat3(data: string): Promise<void> {
  const path = join(data, 'messaging', 'store.json');
  const [json = ''] = (await readFile(path, 'utf8')).split('\t');
  const { readThrough: _, ...manifest } = JSON.parse(json);
  await writeFile(path, encodeLine(JSON.stringify(manifest)));
  await writeFile(join(data, 'format.json'), '{"format":3}\n');
}

/** Creates a folder of format 3 with a group of the users 1 and 2 and two messages. */
async function format3(): Promise<string> {
  const data = await makeTempFolder();
  const store = await open(data);
  const fields = { username: 'u', passwordHash: 'x', avatar: null, bio: '', createdAt };
  for (const email of ['a@x.kz', 'b@x.kz']) await store.users.create({ ...fields, email });
  await store.chats.create({ type: 'group', name: 'g', ownerId: 1, createdAt });
  await store.chats.addMember(1, 2);
  await store.close();
  for (const _ of 'ab') await post(data);
  // The previous version wrote no more than this of a member.
  const path = join(data, 'messaging', 'members.1.jsonl');
  const lines = (await readFile(path, 'utf8')).split('\n');
  const written = lines.map((line) => {
    const [json = ''] = line.split('\t');
    if (!json.includes('startId')) return line;
    return encodeLine(json.replace(',"startId":0', '')).slice(0, -1);
  });
  await writeFile(path, written.join('\n'));
  await writeFile(join(data, 'messaging', 'members.durable.json'), '');
  await asFormat3(data);
  return data;
}

async function startsIn(data: string): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const { kind, read } of folderRecords(data).readers(clock.now())) {
    if (kind !== 'member') continue;
    for await (const record of read()) found.push((record as { startId?: number }).startId);
  }
  return found;
}

it('existing messages of format 3 count as read, even after an older version was used in between', async () => {
  for (let cut = 1, isCut = true; isCut; cut += 1) {
    const data = await format3();
    expect(await startsIn(data)).toEqual([undefined, undefined]);
    const { rename } = systemFiles;
    let renamed = 0;
    const failing = vi.spyOn(systemFiles, 'rename').mockImplementation((from, to) => {
      renamed += 1;
      return renamed < cut ? rename(from, to) : Promise.reject(new Error('The power is off.'));
    });
    isCut = await bringOver(data, clock.now()).then(
      () => false,
      () => true,
    );
    failing.mockRestore();
    expect(await formatOf(data)).toBe(isCut ? 'older' : 'ours');
    if (isCut) {
      await post(data);
      await bringOver(data, clock.now());
    }
    const last = isCut ? 3 : 2;
    expect(await startsIn(data), `cut ${cut}`).toEqual([undefined, undefined]);
    await post(data);
    // There is an unread message now.
    expect(await startsIn(data), `cut ${cut}`).toEqual([last, last]);
    const store = await open(data);
    for (const userId of [1, 2]) {
      const { startId, readId } = (await store.chats.membership(1, userId)) ?? {};
      expect([startId, readId]).toEqual([last, null]);
    }
    await store.close();
  }
});

it('a damaged journal of format 3 keeps the known highest id', async () => {
  const data = await format3();
  const { unlink } = systemFiles;
  for (const name of ['journal.2.jsonl', 'journal.3.jsonl', 'journal.durable.json']) {
    await unlink(join(data, 'messaging', 'messages', name)).catch(() => {});
  }
  await bringOver(data, clock.now());
  const [json = ''] = (await readFile(join(data, 'messaging', 'store.json'), 'utf8')).split('\t');
  expect(JSON.parse(json).readThrough).toBe(2);
});
