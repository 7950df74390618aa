import type { Chat, StoredMessage, User } from './model.js';
import type { Membership, MessagingStore } from './store.js';

/** A chat with what its views need, as the one who asks has it. */
export interface ChatDetails {
  readonly chat: Chat;
  /** User ids, the founders first; of a channel only the owner and oneself, but for its owner. */
  readonly participants: readonly number[];
  readonly participantCount: number;
  /** Messages of others behind what was read or there when they joined, up to `mostUnread`. */
  readonly unread: number;
  /** Their read mark; null before the first reading. */
  readonly lastReadId: number | null;
  /** The other side of a private chat. */
  readonly other?: User;
  /** The read mark of the other side of a private chat. */
  readonly peerReadId?: number | null;
}

/** The most unread messages that are counted. */
const mostUnread = 10_000;

/** Finds users, each once however often it is asked for. */
export type FindUser = (id: number) => Promise<User | undefined>;

export type ChatDetailsReader = ReturnType<typeof createChatDetails>;

export function createChatDetails({ chats, messages, users }: MessagingStore) {
  /** What depends on the kind of chat. */
  async function peopleOf(
    chat: Chat,
    viewer: User,
    findUser: FindUser,
  ): Promise<Pick<ChatDetails, 'participants' | 'participantCount' | 'other' | 'peerReadId'>> {
    const { id, type, ownerId, participantId } = chat;
    if (type === 'private' && participantId !== undefined) {
      const otherId = ownerId === viewer.id ? participantId : ownerId;
      const [other, theirs] = await Promise.all([findUser(otherId), chats.membership(id, otherId)]);
      const participants = [ownerId, participantId];
      const peerReadId = theirs?.readId ?? null;
      return { participants, participantCount: 2, peerReadId, ...(other ? { other } : {}) };
    }
    // Any number of people subscribe to a channel: each of them sees its owner and themselves.
    if (type === 'channel' && ownerId !== viewer.id) {
      const participantCount = await chats.countMembers(id);
      return { participants: [ownerId, viewer.id], participantCount };
    }
    const participants = await chats.members(id);
    return { participants, participantCount: participants.length };
  }

  async function countUnread(
    { chat, startId, readId }: Membership,
    viewer: User,
    last: StoredMessage | undefined,
  ): Promise<number> {
    const after = Math.max(startId, readId ?? 0);
    // Most chats of a list have nothing new, which their last message says.
    if (!last || last.id <= after) return 0;
    return messages.countOthers(chat.id, { userId: viewer.id, after, most: mostUnread });
  }

  async function detailsOf(
    membership: Membership,
    viewer: User,
    last: StoredMessage | undefined,
    findUser: FindUser = users.find,
  ): Promise<ChatDetails> {
    const { chat, readId } = membership;
    const [people, unread] = await Promise.all([
      peopleOf(chat, viewer, findUser),
      countUnread(membership, viewer, last),
    ]);
    return { chat, ...people, unread, lastReadId: readId };
  }

  return {
    /** A chat as a member sees it whose last message is known. */
    of: detailsOf,
    /** The same where it is looked up. */
    async now(membership: Membership, viewer: User): Promise<ChatDetails> {
      return detailsOf(membership, viewer, await messages.last(membership.chat.id));
    },
    /** A chat that was just made. */
    ofNew: (chat: Chat, viewer: User): Promise<ChatDetails> =>
      detailsOf({ chat, startId: 0, readId: null }, viewer, undefined),
  };
}

/** A chat as somebody sees it who is no participant (any more). */
export function fromOutside(chat: Chat, participantCount: number): ChatDetails {
  return { chat, participants: [], participantCount, unread: 0, lastReadId: null };
}
