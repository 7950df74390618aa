import type {
  Chat,
  Member,
  Message,
  MessageKey,
  RevokedToken,
  User,
} from '#validators/messaging-records';
import type { FieldsOf } from '../base/record-fields.js';

/** The stored records, as described by the export's schema. */
export type {
  Chat,
  ChatIds as ChatIdsRecord,
  Member as MemberRecord,
  Message as StoredMessage,
  MessageIds as MessageIdsRecord,
  MessageKey as MessageKeyRecord,
  RevokedToken as RevokedTokenRecord,
  User,
} from '#validators/messaging-records';

export type ChatType = Chat['type'];
export type MessageType = Message['type'];
export type EncryptedText = Message['encrypted'];

/** The derivation of a message's key: from the e-mail address alone, or with the operator's secret. */
export type CipherScheme = Message['scheme'];

const number = { type: 'bigint' } as const;
const text = { type: 'text' } as const;
const time = { type: 'timestamptz' } as const;

/** The fields of each stored type, in the order of exports. They are listed only here and in the schema. */
export const userFields = {
  id: number,
  username: text,
  email: text,
  passwordHash: text,
  avatar: { type: 'text', isNullable: true },
  bio: text,
  createdAt: time,
  sessions: { type: 'bigint', absent: 0 },
  reset: { hash: text, expires: number },
  deleted: { at: time, key: { type: 'bytea' } },
} as const satisfies FieldsOf<User>;

export const tokenFields = {
  jti: text,
  expires: { type: 'time', column: 'expiresAt' },
  from: { type: 'bigint', column: 'goodUntil', absent: 0 },
} as const satisfies FieldsOf<RevokedToken>;

export const chatFields = {
  id: number,
  type: text,
  name: text,
  ownerId: number,
  participantId: number,
  createdAt: time,
} as const satisfies FieldsOf<Chat>;

export const memberFields = {
  chatId: number,
  userId: number,
  startId: number,
  readId: number,
} as const satisfies FieldsOf<Member>;

/** `isShown` marks the fields that every reader sees. `views.ts` adds the text and its encrypted form. */
export const messageFields = {
  id: { type: 'bigint', isShown: true },
  chatId: { type: 'bigint', isShown: true },
  senderId: { type: 'bigint', isShown: true },
  type: { type: 'text', isShown: true },
  text,
  encrypted: {
    iv: { type: 'bytea', column: 'iv' },
    encrypted: { type: 'bytea', column: 'encrypted' },
    authTag: { type: 'bytea', column: 'authTag' },
  },
  scheme: text,
  createdAt: { type: 'timestamptz', isShown: true },
} as const satisfies FieldsOf<Message>;

export const messageKeyFields = {
  senderId: number,
  key: text,
  chatId: number,
  messageId: number,
  bodyHash: text,
  expires: { type: 'time', column: 'expiresAt' },
} as const satisfies FieldsOf<MessageKey>;
