import {
  Chat as isChat,
  ChatIds as isChatIds,
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
import { createIdList } from './id-list.js';
import type { Chat, User } from './model.js';

/** Prefix of the `jti` in records that revoke all tokens issued before a time. */
const allBefore = 'issued-before-';

/** Returns the record that revokes every token issued before `time` (milliseconds). */
export function revocationOfAll(time: number): RevokedTokenRecord {
  return { jti: `${allBefore}${time}`, expires: 8_640_000_000_000_000 };
}

/** Returns the time before which a record revokes all tokens; 0 if it revokes a single token. */
export function revokedBefore({ jti }: Pick<RevokedTokenRecord, 'jti'>): number {
  return jti.startsWith(allBefore) ? Number(jti.slice(allBefore.length)) || 0 : 0;
}

const byId = (a: { readonly id: number }, b: { readonly id: number }) => a.id - b.id;

/** Returns the kinds of messaging records in an export, in order. */
export function messagingKinds(): readonly RecordKind[] {
  const users = createIdList();
  const ended = new Set<number>();
  const chats = createIdList();
  let lastMessageId = 0;
  let highestMark = 0;
  const userOf = (id: number) => (users.has(id) ? undefined : `references unknown user ${id}`);
  const chatOf = (id: number) => (chats.has(id) ? undefined : `references unknown chat ${id}`);
  return [
    {
      name: 'user',
      check: checkBy(
        isUser,
        rising(byId),
        ({ email, deleted }) =>
          (email === '') === (deleted !== undefined)
            ? undefined
            : 'must have an e-mail address if it is not deleted, and must not have one otherwise',
        ({ id, deleted }) => {
          if (deleted) ended.add(id);
          return users.add(id);
        },
      ),
    },
    {
      name: 'revoked-token',
      check: checkBy(
        isRevokedToken,
        rising((a, b) => compareTexts(a.jti, b.jti)),
      ),
    },
    {
      name: 'chat-ids',
      check: checkBy(
        isChatIds,
        rising(() => 0),
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
            : 'must have a participantId if it is private, and must not have one otherwise',
        ({ id }) => chats.add(id),
        ({ ownerId, participantId = ownerId }) => userOf(ownerId) ?? userOf(participantId),
      ),
    },
    {
      name: 'member',
      check: checkBy(
        isMember,
        createMemberOrder(),
        ({ chatId, userId }) => chatOf(chatId) ?? userOf(userId),
        ({ userId, startId }) =>
          startId === undefined && !ended.has(userId)
            ? 'must have a startId unless its account is deleted'
            : undefined,
        ({ startId = 0, readId = 0 }) => {
          highestMark = Math.max(highestMark, startId, readId);
          return undefined;
        },
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
        // Its chat may have been deleted since.
        ({ senderId }) => userOf(senderId),
      ),
    },
    {
      name: 'message-ids',
      check: checkBy(
        isMessageIds,
        rising(() => 0),
        (ids) =>
          ids.lastMessageId < lastMessageId
            ? `must not be below ${lastMessageId}, the highest message ID`
            : undefined,
        (ids) =>
          ids.lastMessageId < highestMark
            ? `must not be below ${highestMark}, the highest read mark`
            : undefined,
      ),
    },
  ];
}

/** Returns a check that chat IDs ascend, and that no member appears twice in a chat. */
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

/** Returns a check that reports users with the e-mail address of an earlier user. */
export function uniqueEmails(): (user: User) => string | undefined {
  const emails = new Set<string>();
  return ({ email, deleted }) => {
    if (deleted) return undefined;
    const name = email.toLowerCase();
    if (emails.has(name)) return 'Another user has the same e-mail address.';
    emails.add(name);
    return undefined;
  };
}

/** Returns a check that reports private chats between two people who already have one. */
export function uniquePairs(): (chat: Chat) => string | undefined {
  const pairs = new Set<string>();
  return ({ type, ownerId, participantId = ownerId }) => {
    if (type !== 'private') return undefined;
    const pair = [ownerId, participantId].sort((a, b) => a - b).join(' ');
    if (pairs.has(pair)) return 'These two people already have a private chat.';
    pairs.add(pair);
    return undefined;
  };
}

/** Stored in place of a password hash. No password matches it. */
export const noHash = '!';

/** Returns the record that replaces a deleted account. It contains no personal data. */
export function placeholderOf(
  { id, createdAt, sessions = 0 }: User,
  deleted: NonNullable<User['deleted']>,
): User {
  const profile = { username: 'Deleted account', email: '', avatar: null, bio: '' };
  return { id, ...profile, passwordHash: noHash, createdAt, sessions: sessions + 1, deleted };
}
