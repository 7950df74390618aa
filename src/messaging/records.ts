import {
  Chat as isChat,
  Member as isMember,
  Message as isMessage,
  MessageIds as isMessageIds,
  MessageKey as isMessageKey,
  RevokedToken as isRevokedToken,
  User as isUser,
  type Member as MemberRecord,
  type RevokedToken as RevokedTokenRecord,
} from '#validators/messaging-records';
import { checkBy, compareTexts, type RecordKind, rising } from '../base/records.js';
import type { Chat, StoredMessage, User } from './model.js';

export type {
  Member as MemberRecord,
  MessageIds as MessageIdsRecord,
  MessageKey as MessageKeyRecord,
  RevokedToken as RevokedTokenRecord,
} from '#validators/messaging-records';

const allBefore = 'issued-before-';

/** What revokes every token that was issued before a time (milliseconds): which ones were is not known. */
export function revocationOfAll(time: number): RevokedTokenRecord {
  return { jti: `${allBefore}${time}`, expires: 8_640_000_000_000_000 };
}

/** The time before which such a record revokes everything; 0 for one of a single token. */
export function revokedBefore({ jti }: Pick<RevokedTokenRecord, 'jti'>): number {
  return jti.startsWith(allBefore) ? Number(jti.slice(allBefore.length)) || 0 : 0;
}

const byId = (a: { readonly id: number }, b: { readonly id: number }) => a.id - b.id;

/** What messaging puts into an export, in this order. */
export function messagingKinds(): readonly RecordKind[] {
  const users = createIdSet();
  const chats = createIdSet();
  let lastMessageId = 0;
  const userOf = (id: number) => (users.has(id) ? undefined : `references unknown user ${id}`);
  const chatOf = (id: number) => (chats.has(id) ? undefined : `references unknown chat ${id}`);
  return [
    {
      name: 'user',
      check: checkBy(isUser, rising(byId), ({ id }) => users.add(id)),
    },
    {
      name: 'revoked-token',
      check: checkBy(
        isRevokedToken,
        rising((a, b) => compareTexts(a.jti, b.jti)),
      ),
    },
    {
      name: 'chat',
      check: checkBy(
        isChat,
        rising(byId),
        ({ type, participantId }) =>
          (type === 'private') === (participantId !== undefined)
            ? undefined
            : 'must have a participantId where it is private, and only there',
        ({ ownerId, participantId = ownerId }) => userOf(ownerId) ?? userOf(participantId),
        ({ id }) => chats.add(id),
      ),
    },
    {
      name: 'member',
      check: checkBy(
        isMember,
        createMemberOrder(),
        ({ chatId, userId }) => chatOf(chatId) ?? userOf(userId),
      ),
    },
    {
      name: 'message',
      check: checkBy(
        isMessage,
        rising((a, b) => a.chatId - b.chatId || a.id - b.id),
        ({ chatId, senderId }) => chatOf(chatId) ?? userOf(senderId),
        ({ id }) => {
          lastMessageId = Math.max(lastMessageId, id);
          return undefined;
        },
      ),
    },
    {
      name: 'message-key',
      check: checkBy(
        isMessageKey,
        rising((a, b) => a.senderId - b.senderId || compareTexts(a.key, b.key)),
        ({ chatId, senderId }) => chatOf(chatId) ?? userOf(senderId),
      ),
    },
    {
      name: 'message-ids',
      check: checkBy(
        isMessageIds,
        rising(() => 0),
        (ids) =>
          ids.lastMessageId < lastMessageId
            ? `must not be below ${lastMessageId}, the highest id of a message`
            : undefined,
      ),
    },
  ];
}

/** Chats rise; within one nobody is listed twice. */
function createMemberOrder(): (member: MemberRecord) => string | undefined {
  let chat = 0;
  let members = new Set<number>();
  return ({ chatId, userId }) => {
    if (chatId < chat) return 'is out of order';
    if (chatId > chat) members = new Set();
    chat = chatId;
    if (members.has(userId)) return 'is duplicated';
    members.add(userId);
    return undefined;
  };
}

/** Rising ids in eight bytes each, found by halving. */
function createIdSet() {
  let ids = new Float64Array(1024);
  let size = 0;
  return {
    add(id: number): undefined {
      if (size === ids.length) {
        const longer = new Float64Array(2 * size);
        longer.set(ids);
        ids = longer;
      }
      ids[size] = id;
      size += 1;
    },
    has(id: number): boolean {
      let low = 0;
      let high = size;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((ids[middle] ?? 0) < id) low = middle + 1;
        else high = middle;
      }
      return low < size && ids[low] === id;
    },
  };
}

/** A user with its fields in the order of exports, whichever storage it comes from. */
export function userRecord(user: User): User {
  const { id, username, email, passwordHash, avatar, bio, createdAt } = user;
  return { id, username, email, passwordHash, avatar, bio, createdAt };
}

/** A chat with its fields in the order of exports. */
export function chatRecord({ id, type, name, ownerId, participantId, createdAt }: Chat): Chat {
  const other = participantId === undefined ? {} : { participantId };
  return { id, type, name, ownerId, ...other, createdAt };
}

/** A message with its fields in the order of exports. */
export function messageRecord(message: StoredMessage): StoredMessage {
  const { id, chatId, senderId, type, text, encrypted, scheme, createdAt } = message;
  const { iv, encrypted: bytes, authTag } = encrypted;
  return {
    id,
    chatId,
    senderId,
    type,
    ...(text === undefined ? {} : { text }),
    encrypted: { iv, encrypted: bytes, authTag },
    scheme,
    createdAt,
  };
}
