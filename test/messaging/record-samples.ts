import { readFileSync } from 'node:fs';

const at = '2026-07-28T09:30:00.000Z';
const later = 4_000_000_000_000;
const user = (id: number, more: object = {}) => ({
  ...{ id, username: `User ${id}`, email: `u${id}@x.kz`, passwordHash: '$2b$04$x' },
  ...{ avatar: null, bio: '', createdAt: at, ...more },
});
const chat = { id: 1, type: 'group', name: 'Early shift', ownerId: 1, createdAt: at };
const message = {
  ...{ id: 1, chatId: 1, senderId: 1, type: 'text', scheme: 'secret', createdAt: at },
  encrypted: { iv: '0f'.repeat(16), encrypted: 'a0', authTag: '1e'.repeat(16) },
};

/**
 * Consistent records in the order of an export. Every field is present in at least one of them, and every optional
 * field is missing in at least one.
 */
export const samples: Readonly<Record<string, readonly object[]>> = {
  user: [
    user(1, { avatar: 'https://x.kz/a.png', sessions: 3, reset: { hash: 'ab', expires: later } }),
    user(2),
    user(3, { email: '', deleted: { at, key: 'ab'.repeat(32) } }),
    user(4, { email: '', deleted: { at } }),
  ],
  'revoked-token': [
    { jti: 'a', expires: later, from: later - 1 },
    { jti: 'b', expires: later },
  ],
  'chat-ids': [{ lastChatId: 7 }],
  chat: [
    chat,
    { ...chat, id: 2, type: 'private', name: '', participantId: 2 },
    { ...chat, id: 3, type: 'private', name: '', participantId: 3 },
  ],
  member: [
    { chatId: 1, userId: 1, startId: 0, readId: 2 },
    { chatId: 1, userId: 2, startId: 1 },
    { chatId: 2, userId: 1, startId: 0 },
    { chatId: 2, userId: 2, startId: 0 },
    { chatId: 3, userId: 1, startId: 0 },
    { chatId: 3, userId: 3 },
  ],
  message: [
    { ...message, text: 'a \u0000 b \uf8f0', scheme: 'email' },
    { ...message, id: 2, type: 'emoji' },
  ],
  'message-key': [
    { senderId: 1, key: 'k', chatId: 1, messageId: 1, bodyHash: 'h', expires: later },
  ],
  'message-ids': [{ lastMessageId: 2 }],
};

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const file = new URL('../../schemas/messaging-records.schema.json', import.meta.url);
const { $defs } = JSON.parse(readFileSync(file, 'utf8')) as { $defs: Record<string, Schema> };

/**
 * Returns the fields that are missing in all samples of a kind, and optional fields that are present in all of them.
 */
export function unsampled(kind: string): string[] {
  const name = kind.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase());
  return unsampledIn(samples[kind] ?? [], $defs[name] ?? {}, kind);
}

function unsampledIn(objects: readonly object[], schema: Schema, path: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const isOptional = !schema.required?.includes(name);
    const values = objects.map((each) => (each as Record<string, unknown>)[name]);
    const present = values.filter((value) => value !== undefined);
    const isSampled = present.length > 0 && (!isOptional || present.length < values.length);
    return [
      ...(isSampled ? [] : [`${path}.${name}`]),
      ...unsampledIn(present as object[], member, `${path}.${name}`),
    ];
  });
}
