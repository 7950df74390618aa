import type { Chat, MemberRecord } from '../model.js';
import type { Located } from './chat-log-files.js';
import { foundersOf, type KeptChat, memberName } from './collections.js';

/** The records in the collections of chats and members. */
export interface KeptChats {
  /** In ascending order of IDs. */
  readonly chats: readonly Located<KeptChat>[];
  /** In the order in which they joined. */
  readonly members: readonly Located<MemberRecord>[];
  /** Returns whether an account is deleted. */
  isEnded(userId: number): boolean;
}

/** The existing chats and members. */
export interface StandingChats {
  readonly chats: readonly Located<Chat>[];
  /** Grouped by chat: the founders first, then the others in the order in which they joined. */
  readonly members: readonly Located<MemberRecord>[];
  /** IDs of deleted chats. The files may still contain their data. */
  readonly gone: ReadonlySet<number>;
}

/**
 * Returns the chats and members that a server would have after opening these files: without deleted chats, and with
 * interrupted changes finished. Members of unknown chats are included, because they are damage.
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

/** Returns each member of a chat once, with marks. Founders come first. */
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

/** Returns a chat without deleted accounts, or undefined if no member is left. */
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
  // The deleted account remains a member of the private chat, without marks.
  const unmarked = members.map(({ record: { chatId, userId, ...marks }, place }) => ({
    record: { chatId, userId, ...(isEnded(userId) ? {} : marks) },
    place,
  }));
  return { chat, members: unmarked };
}
