import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { StoredMessage } from '../../../src/messaging/model.js';
import type { MessageQuery } from '../../../src/messaging/store.js';
import { group, makeUsers, message, openTwoProcesses } from './two-processes.js';

const both = openTwoProcesses();
let chatId = 0;
const iv = () => randomBytes(16).toString('hex');

beforeEach(async () => {
  await makeUsers(both.here, 1);
  chatId = (await both.here.chats.create(group)).chat.id;
});

/** Posts through one process, and returns the stored message. */
async function post(text: string, bytes = 1): Promise<StoredMessage> {
  const encrypted = { iv: iv(), encrypted: '00'.repeat(bytes), authTag: '0'.repeat(32) };
  return (await both.here.messages.append({ ...message(chatId, text), encrypted })).message;
}

/** Returns the page as the other process reads it. */
const read = (query: MessageQuery) => both.there.messages.page(chatId, query);

describe('the latest messages that another process reads repeatedly', () => {
  it.each([1, 3, 17, 40])('are up to date when %i arrive between two readings', async (count) => {
    expect(await read({ limit: 20 })).toEqual({ messages: [], hasMore: false });
    const stored = [await post('first')];
    for (let reading = 0; reading < 3; reading += 1) {
      for (let n = 0; n < count; n += 1) stored.push(await post(`${reading}.${n}`));
      for (const _again of ['new', 'known']) {
        expect(await read({ limit: 20 })).toEqual({
          messages: stored.slice(-20),
          hasMore: stored.length > 20,
        });
      }
    }
  });

  it('are the newest messages that fit into a page', async () => {
    const stored: StoredMessage[] = [];
    for (let n = 0; n < 8; n += 1) {
      stored.push(await post('long', 100));
      for (const _again of ['new', 'known']) {
        const { messages, hasMore } = await read({ limit: 20, bytes: 350 });
        expect(messages).toEqual(stored.slice(-3));
        expect(hasMore).toBe(stored.length > 3);
      }
    }
  });

  it('match the database after a backup with different messages was restored', async () => {
    const stored = [await post('a'), await post('b')];
    expect((await read({ limit: 20 })).messages).toEqual(stored);
    await both.database.run(
      'put back',
      (sql) => sql`
        update msgsite.messages set text = 'other', iv = decode(${iv()}, 'hex')
        where id = ${stored[0]?.id ?? 0}`,
    );
    const { messages } = await read({ limit: 20 });
    expect(messages.map(({ text }) => text)).toEqual(['other', 'b']);
  });

  it('are an empty list after the chat was deleted', async () => {
    await post('a');
    expect((await read({ limit: 20 })).messages).toHaveLength(1);
    await both.here.chats.removeMember(chatId, 1);
    await expect.poll(() => read({ limit: 20 })).toEqual({ messages: [], hasMore: false });
  });
});
