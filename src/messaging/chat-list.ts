import pLimit from 'p-limit';
import { AppError } from '../base/errors.js';
import type { Logger } from '../base/log.js';
import type { MessageTexts } from './cipher.js';
import type { Chat, MessageType, StoredMessage, User } from './model.js';
import type { Membership, MessagingStore } from './store.js';

/** A chat with the data that its views require, as one user sees it. */
export interface ChatDetails {
  readonly chat: Chat;
  /** User IDs, the founders first. A channel's subscribers see only the owner and themselves. */
  readonly participants: readonly number[];
  readonly participantCount: number;
  /** Number of messages from others after the read mark and after the user joined, up to `maxUnread`. */
  readonly unread: number;
  /** The user's read mark; null if there is none. */
  readonly lastReadId: number | null;
  /** The other participant of a private chat. */
  readonly other?: User;
  /** The read mark of the other participant of a private chat. */
  readonly peerReadId?: number | null;
}

/** Maximum number of unread messages that are counted in a chat. */
const maxUnread = 10_000;

/** Finds a user. Reads each user only once. */
type FindUser = (id: number) => Promise<User | undefined>;

type ChatDetailsReader = ReturnType<typeof createChatDetails>;

export function createChatDetails({ chats, messages, users }: MessagingStore) {
  /** Returns the participants, as far as the viewer may see them. */
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
    // A channel can have any number of subscribers. Each of them sees only the owner and themselves.
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
    // Skips the count for most chats in a list: their last message shows that nothing is unread.
    if (!last || last.id <= after) return 0;
    return messages.countOthers(chat.id, { userId: viewer.id, after, max: maxUnread });
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
    /** Returns a chat as a member sees it. The caller has already loaded the last message. */
    of: detailsOf,
    /** Loads the last message and returns the chat as a member sees it. */
    async now(membership: Membership, viewer: User): Promise<ChatDetails> {
      return detailsOf(membership, viewer, await messages.last(membership.chat.id));
    },
    /** Returns a chat that was just created. */
    ofNew: (chat: Chat, viewer: User): Promise<ChatDetails> =>
      detailsOf({ chat, memberCount: 1, startId: 0, readId: null }, viewer, undefined),
  };
}

/** Returns a chat as shown to a user who is not (or no longer) a participant. */
export function fromOutside(chat: Chat, participantCount: number): ChatDetails {
  return { chat, participants: [], participantCount, unread: 0, lastReadId: null };
}

export interface ListedChat extends ChatDetails {
  readonly lastMessage: LastMessage | undefined;
}

/** The last message of a chat. Its text is empty if it cannot be decrypted, and shortened in a long list. */
export interface LastMessage extends ListedText {
  readonly id: number;
  readonly senderId: number;
  readonly sender: User | undefined;
  readonly type: MessageType;
  readonly createdAt: string;
}

/** A user's chats, the most recently active first. */
export interface ChatList {
  readonly chats: readonly ListedChat[];
  /** IDs of all people whose name or picture is shown, including the user. */
  readonly people: readonly number[];
}

export interface ChatListOptions {
  readonly store: MessagingStore;
  readonly details: ChatDetailsReader;
  readonly texts: MessageTexts;
  readonly log: Pick<Logger, 'error'>;
}

/** Maximum number of chats that are read concurrently. */
const lookUps = 16;

/** Number of chats that are read before their long texts are shortened. */
const listedTogether = 200;

/** Returns a function that lists a user's chats. */
export function createChatLists({ store, details, texts, log }: ChatListOptions) {
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
      // One damaged log must not make the whole list fail.
      if (!(error instanceof AppError && error.code === 'data_damaged')) throw error;
      log.error({ chatId: chat.id, err: error }, 'The messages of a chat cannot be read.');
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

  /** Lists a user's chats. Shortens texts after the first `textBytes` bytes. */
  return async function listChats(viewer: User, textBytes: number): Promise<ChatList> {
    const limit = pLimit(lookUps);
    // Reads the viewer again, whose name may have changed while the request waited.
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

/** Sorts the most recently active chats first. */
function byLatestActivity(a: ListedChat, b: ListedChat): number {
  const [first, second] = [activityOf(a), activityOf(b)];
  if (first !== second) return first < second ? 1 : -1;
  return (b.lastMessage?.id ?? 0) - (a.lastMessage?.id ?? 0) || b.chat.id - a.chat.id;
}

function activityOf({ lastMessage, chat }: ListedChat): string {
  return lastMessage?.createdAt ?? chat.createdAt;
}

/** Maximum length of a last message in a long list of chats, in characters. @bound */
const shortText = 200;

interface ListedText {
  readonly text: string;
  /** Size of the whole text in UTF-8, in bytes. */
  readonly bytes: number;
}

/**
 * Shortens the texts after the first `maxBytes` bytes (in UTF-8) of a list. Repeated calls on a growing list return the
 * same result as one call at the end.
 */
export function shortenTexts<Item extends { readonly lastMessage?: ListedText | undefined }>(
  latestFirst: readonly Item[],
  maxBytes: number,
): Item[] {
  let sum = 0;
  return latestFirst.map((item) => {
    const { lastMessage } = item;
    if (!lastMessage) return item;
    sum += lastMessage.bytes;
    if (sum <= maxBytes) return item;
    return { ...item, lastMessage: { ...lastMessage, text: shorten(lastMessage.text) } };
  });
}

function shorten(text: string): string {
  // Slices first to avoid splitting a long text into characters.
  const characters = [...text.slice(0, 2 * (shortText + 2))];
  if (characters.length <= shortText + 1) return text;
  return `${characters.slice(0, shortText).join('')}…`;
}
