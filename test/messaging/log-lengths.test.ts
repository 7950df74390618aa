import { expect, it } from 'vitest';
import { createLogLengths } from '../../src/messaging/store-json/chat-logs.js';
import { type KeptChat, messagingCollections } from '../../src/messaging/store-json/collections.js';
import { openCollection } from '../../src/storage/json/collection/collection.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

it('storing the length of a log preserves a concurrent change of its chat', async () => {
  const { chats: collection } = messagingCollections(await makeTempFolder());
  const chats = await openCollection<KeptChat>({ ...collection, clock: createManualClock() });
  const createdAt = '2026-07-28T09:00:00.000Z';
  await chats.put({ id: 1, type: 'group', name: 'before', ownerId: 1, createdAt });
  const lengths = createLogLengths(chats);
  await Promise.all([
    chats.update(1, (chat) => ({ ...chat, name: 'after' })),
    lengths.keep(
      new Map([
        [1, 120],
        [2, 80],
      ]),
    ),
  ]);
  expect(chats.get(1)).toMatchObject({ name: 'after', logBytes: 120 });
  // No record is created for an unknown chat.
  expect(lengths.chatIds()).toEqual([1]);
  await chats.close();
});
