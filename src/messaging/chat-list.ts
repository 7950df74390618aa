import pLimit from 'p-limit';
import { AppError } from '../base/errors.js';
import type { MessageTexts } from './cipher.js';
import type { Chat, MessageType, StoredMessage, User } from './model.js';
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
type FindUser = (id: number) => Promise<User | undefined>;

type ChatDetailsReader = ReturnType<typeof createChatDetails>;

export function createChatDetails({ chats, messages, users }: MessagingStore) {
  /** What depends on the kind of chat. */
  async function peopleOf(
    { chat, memberCount }: Membership,
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
      return { participants: [ownerId, viewer.id], participantCount: memberCount };
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
      peopleOf(membership, viewer, findUser),
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
      detailsOf({ chat, memberCount: 1, startId: 0, readId: null }, viewer, undefined),
  };
}

/** Returns a chat as shown to somebody who is not, or no longer, a participant. */
export function fromOutside(chat: Chat, participantCount: number): ChatDetails {
  return { chat, participants: [], participantCount, unread: 0, lastReadId: null };
}

export interface ListedChat extends ChatDetails {
  readonly lastMessage: LastMessage | undefined;
}

/** Its text is empty where it cannot be decrypted, and cut where the list has much before it. */
export interface LastMessage extends ListedText {
  readonly id: number;
  readonly senderId: number;
  readonly sender: User | undefined;
  readonly type: MessageType;
  readonly createdAt: string;
}

/** A user's chats, the latest activity first. */
export interface ChatList {
  readonly chats: readonly ListedChat[];
  /** Ids of whoever is shown by name or picture, the user among them. */
  readonly people: readonly number[];
}

export interface ChatListOptions {
  readonly store: MessagingStore;
  readonly details: ChatDetailsReader;
  readonly texts: MessageTexts;
  /** Called with a chat whose messages cannot be read; it is listed without them. */
  onUnreadable(chatId: number, error: unknown): void;
}

/** How many chats are read at once. */
const lookUps = 16;

/** Chats that are listed before the long texts among them are cut. */
const listedTogether = 200;

/** Lists the chats of users. */
export function createChatLists({ store, details, texts, onUnreadable }: ChatListOptions) {
  async function listed(
    membership: Membership,
    viewer: User,
    findUser: FindUser,
  ): Promise<ListedChat> {
    const { chat } = membership;
    try {
      const last = await store.messages.last(chat.id);
      const [known, lastMessage] = await Promise.all([
        details.of(membership, viewer, last, findUser),
        last && shown(last, findUser),
      ]);
      return { ...known, lastMessage };
    } catch (error) {
      // One damaged log must not take the list of all chats away.
      if (!(error instanceof AppError && error.code === 'data_damaged')) throw error;
      onUnreadable(chat.id, error);
      const known = await details.of(membership, viewer, undefined, findUser);
      return { ...known, lastMessage: undefined };
    }
  }

  async function shown(message: StoredMessage, findUser: FindUser): Promise<LastMessage> {
    const { id, senderId, type, createdAt } = message;
    const sender = await findUser(senderId);
    const text = texts.decrypt(message, sender) ?? '';
    return { id, senderId, sender, type, createdAt, text, bytes: Buffer.byteLength(text) };
  }

  /** Last messages beyond `textBytes` are cut. */
  return async function listChats(viewer: User, textBytes: number): Promise<ChatList> {
    const limit = pLimit(lookUps);
    // The viewer among them: a request that has waited knows an old name.
    const found = new Map<number, Promise<User | undefined>>();
    const findUser: FindUser = (id) => {
      const user = found.get(id) ?? store.users.find(id);
      found.set(id, user);
      return user;
    };
    const memberships = await store.chats.listOf(viewer.id);
    let chats: ListedChat[] = [];
    for (let start = 0; start < memberships.length; start += listedTogether) {
      const some = memberships.slice(start, start + listedTogether);
      chats.push(...(await Promise.all(some.map((each) => limit(listed, each, viewer, findUser)))));
      chats = shortenTexts(chats.sort(byLatestActivity), textBytes);
    }
    return { chats, people: [...new Set([viewer.id, ...found.keys()])] };
  };
}

/** Chats in which something happened last come first. */
function byLatestActivity(a: ListedChat, b: ListedChat): number {
  const [first, second] = [activityOf(a), activityOf(b)];
  if (first !== second) return first < second ? 1 : -1;
  return (b.lastMessage?.id ?? 0) - (a.lastMessage?.id ?? 0) || b.chat.id - a.chat.id;
}

function activityOf({ lastMessage, chat }: ListedChat): string {
  return lastMessage?.createdAt ?? chat.createdAt;
}

/** How much text of last messages a list of chats holds. */

/** Characters of a last message in a long list of chats. @bound */
const shortText = 200;

interface ListedText {
  readonly text: string;
  /** Bytes of the whole text in UTF-8. */
  readonly bytes: number;
}

/**
 * Shortens the texts behind the first `most` bytes (in UTF-8) of a list. It may be done while the list still grows,
 * and gives the same in the end: what is behind them stays behind them.
 */
export function shortenTexts<Item extends { readonly lastMessage?: ListedText | undefined }>(
  latestFirst: readonly Item[],
  most: number,
): Item[] {
  let sum = 0;
  return latestFirst.map((item) => {
    const { lastMessage } = item;
    if (!lastMessage) return item;
    sum += lastMessage.bytes;
    if (sum <= most) return item;
    return { ...item, lastMessage: { ...lastMessage, text: shorten(lastMessage.text) } };
  });
}

function shorten(text: string): string {
  // Cut first: taking apart a long text for a few of its characters is what this is to avoid.
  const characters = [...text.slice(0, 2 * (shortText + 2))];
  if (characters.length <= shortText + 1) return text;
  return `${characters.slice(0, shortText).join('')}…`;
}
