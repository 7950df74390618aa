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

/** What the names of records begin with that revoke all tokens of a time. */
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
            : 'must have an e-mail address unless it is deleted, and not where it is',
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
            : 'must have a participantId where it is private, and only there',
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
            ? 'must have a startId unless its account has ended'
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
        // Its chat may have gone since.
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
            ? `must not be below ${lastMessageId}, the highest id of a message`
            : undefined,
        (ids) =>
          ids.lastMessageId < highestMark
            ? `must not be below ${highestMark}, up to where a member has read`
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

/** Says of a user whether one before it has the same e-mail address. */
export function uniqueEmails(): (user: User) => string | undefined {
  const emails = new Set<string>();
  return ({ email, deleted }) => {
    if (deleted) return undefined;
    const name = email.toLowerCase();
    if (emails.has(name)) return 'This e-mail address belongs to another user, too.';
    emails.add(name);
    return undefined;
  };
}

/** Says of a chat whether one before it is a private one of the same two. */
export function uniquePairs(): (chat: Chat) => string | undefined {
  const pairs = new Set<string>();
  return ({ type, ownerId, participantId = ownerId }) => {
    if (type !== 'private') return undefined;
    const pair = [ownerId, participantId].sort((a, b) => a - b).join(' ');
    if (pairs.has(pair)) return 'These two have another private chat.';
    pairs.add(pair);
    return undefined;
  };
}

/** What stands in the place of a password's hash where no password fits. */
export const noHash = '!';

/** What stays of an account that has ended: nothing of what was personal. */
export function placeholderOf(
  { id, createdAt, sessions = 0 }: User,
  deleted: NonNullable<User['deleted']>,
): User {
  const profile = { username: 'Deleted account', email: '', avatar: null, bio: '' };
  return { id, ...profile, passwordHash: noHash, createdAt, sessions: sessions + 1, deleted };
}
