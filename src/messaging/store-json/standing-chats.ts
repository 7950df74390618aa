import type { Chat, MemberRecord } from '../model.js';
import type { Located } from './chat-log-files.js';
import { foundersOf, type KeptChat, memberName } from './collections.js';

/** What the collections hold of chats and their members. */
export interface KeptChats {
  /** Rising by id. */
  readonly chats: readonly Located<KeptChat>[];
  /** In the order in which they joined. */
  readonly members: readonly Located<MemberRecord>[];
  /** Whether an account has ended. */
  isEnded(userId: number): boolean;
}

/** What counts of it. */
export interface StandingChats {
  readonly chats: readonly Located<Chat>[];
  /** Chat after chat, of each the founders first, then in the order in which they joined. */
  readonly members: readonly Located<MemberRecord>[];
  /** Chats that are gone, although something of them may be in the files still. */
  readonly gone: ReadonlySet<number>;
}

/**
 * The chats and members that a server would have that opens these files: without what is gone, and with what a
 * process that died had begun done to its end. A member of a chat that is not there is kept, as damage.
 */
export function standingChats({ chats, members, isEnded }: KeptChats): StandingChats {
  const gone = new Set<number>();
  const known = new Set(chats.map(({ record }) => record.id));
  const joined = new Map<number, Located<MemberRecord>[]>();
  for (const member of members) {
    const { chatId } = member.record;
    const ofChat = joined.get(chatId);
    if (ofChat) ofChat.push(member);
    else joined.set(chatId, [member]);
  }
  const standing: Located<Chat>[] = [];
  const present: Located<MemberRecord>[] = members.filter(
    ({ record }) => !known.has(record.chatId),
  );
  for (const { record, place } of chats) {
    const chat = record.removed
      ? undefined
      : withoutEnded(record, membersOf({ record, place }, joined.get(record.id) ?? []), isEnded);
    if (chat) {
      standing.push({ record: chat.chat, place });
      for (const member of chat.members) present.push(member);
    } else gone.add(record.id);
  }
  present.sort((a, b) => a.record.chatId - b.record.chatId);
  return { chats: standing, members: present, gone };
}

/** Founders first, each once, with their marks where there are any. */
function membersOf(
  { record: chat, place }: Located<KeptChat>,
  joined: readonly Located<MemberRecord>[],
): Located<MemberRecord>[] {
  const members = new Map<string, Located<MemberRecord>>();
  for (const userId of foundersOf(chat)) {
    const record = { chatId: chat.id, userId, startId: 0 };
    members.set(memberName(record), { record, place });
  }
  for (const { record, place } of joined) {
    if (record.userId === chat.left) continue;
    members.set(memberName(record), { record: { startId: 0, ...record }, place });
  }
  return [...members.values()];
}

/** The chat once the accounts have left that have ended; undefined where it goes with them. */
function withoutEnded(
  chat: Chat,
  members: readonly Located<MemberRecord>[],
  isEnded: (userId: number) => boolean,
): { chat: Chat; members: readonly Located<MemberRecord>[] } | undefined {
  const present = members.filter(({ record }) => !isEnded(record.userId));
  const [first] = present;
  if (!first) return undefined;
  if (present.length === members.length) return { chat, members };
  if (chat.type !== 'private') {
    const ownerId = isEnded(chat.ownerId) ? first.record.userId : chat.ownerId;
    return { chat: { ...chat, ownerId }, members: present };
  }
  // The other one stays in it as a name, without marks.
  const unmarked = members.map(({ record: { chatId, userId, ...marks }, place }) => ({
    record: { chatId, userId, ...(isEnded(userId) ? {} : marks) },
    place,
  }));
  return { chat, members: unmarked };
}
