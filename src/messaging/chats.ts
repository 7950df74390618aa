import pLimit from 'p-limit';
import type { NewChat } from '#validators/messaging';
import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';
import type { RateLimitRule } from '../base/rate-limit.js';
import { type Counter, chatRules, counted, groupIsFull, mostMembers } from './chat-limits.js';
import { type ListedText, shortenTexts } from './list-texts.js';
import type { MessageTexts } from './message-texts.js';
import type { Chat, ChatType, StoredMessage, User } from './model.js';
import type { MemberRecord } from './records.js';
import type { Joining, MessagingStore, Page } from './store.js';

/** A chat with what its views need. */
export interface ChatDetails {
  readonly chat: Chat;
  /** User ids, the founders first. */
  readonly participants: readonly number[];
  /** The other side of a private chat, seen from the one who asks. */
  readonly other?: User;
}

export interface ListedChat extends ChatDetails {
  readonly lastMessage: LastMessage | undefined;
}

/** Its text is empty where it cannot be decrypted, and cut where the list has much before it. */
export interface LastMessage extends ListedText {
  readonly id: number;
  readonly createdAt: string;
}

export interface ChatOptions {
  readonly store: MessagingStore;
  readonly texts: MessageTexts;
  readonly counter: Counter;
  readonly clock: Clock;
  /** Called with a chat whose last message cannot be read; it is listed without it. */
  onUnreadable(chatId: number, error: unknown): void;
}

/** How many chats' last messages are read at once. */
const lookUps = 16;

/** Chats that are listed before the long texts among them are cut. */
const listedTogether = 200;

export type Chats = ReturnType<typeof createChats>;

export function createChats(options: ChatOptions) {
  const { store, texts, counter, clock, onUnreadable } = options;

  async function detailsOf(chat: Chat, viewer: User): Promise<ChatDetails> {
    // Any number of people subscribe to a channel: each of them sees its owner and themselves.
    if (chat.type === 'channel' && chat.ownerId !== viewer.id) {
      return { chat, participants: [chat.ownerId, viewer.id] };
    }
    const participants = await store.chats.members(chat.id);
    if (chat.type !== 'private') return { chat, participants };
    const otherId = participants.find((id) => id !== viewer.id);
    const other = otherId === undefined ? undefined : await store.users.find(otherId);
    return { chat, participants, ...(other ? { other } : {}) };
  }

  async function find(id: number, type: ChatType): Promise<Chat> {
    const chat = await store.chats.find(id);
    if (chat?.type !== type) throw new AppError('not_found', `There is no ${type} ${id}.`);
    return chat;
  }

  async function assertUser(id: number): Promise<void> {
    if (await store.users.find(id)) return;
    throw new AppError('not_found', `There is no user ${id}.`);
  }

  /** Adds a member, which counts for whoever does it. */
  async function join(
    { chatId, userId }: MemberRecord,
    by: User,
    rule: RateLimitRule,
    most?: number,
  ): Promise<Joining> {
    if (await store.chats.isMember(chatId, userId)) return 'present';
    return counted(
      counter,
      { rule, userId: by.id },
      () => store.chats.addMember(chatId, userId, most),
      (joining) => joining === 'added',
    );
  }

  async function listed(chat: Chat, user: User): Promise<ListedChat> {
    const details = await detailsOf(chat, user);
    try {
      const last = await store.messages.last(chat.id);
      return { ...details, lastMessage: last && (await shown(last)) };
    } catch (error) {
      // One damaged log must not take the list of all chats away.
      if (!(error instanceof AppError && error.code === 'data_damaged')) throw error;
      onUnreadable(chat.id, error);
      return { ...details, lastMessage: undefined };
    }
  }

  async function shown(message: StoredMessage): Promise<LastMessage> {
    const { id, createdAt } = message;
    const text = (await texts.textOf(message)) ?? '';
    return { id, createdAt, text, bytes: Buffer.byteLength(text) };
  }

  return {
    /** What is made counts as `chatRules` say; `created` is false where the private chat was there already. */
    async create(owner: User, wanted: NewChat) {
      const { id: userId } = owner;
      if (wanted.type === 'private') {
        if (wanted.participantId === userId) throw withOneself();
        await assertUser(wanted.participantId);
        const known = await store.chats.findPrivate(userId, wanted.participantId);
        if (known) return { ...(await detailsOf(known, owner)), created: false };
      }
      const { chat, created } = await counted(
        counter,
        { rule: chatRules.create, userId },
        () => store.chats.create(recordOf(owner, wanted, clock.now())),
        (made) => made.created,
      );
      return { ...(await detailsOf(chat, owner)), created };
    },
    /** The user's chats, the latest activity first; last messages beyond `textBytes` are cut. */
    async list(user: User, textBytes: number): Promise<readonly ListedChat[]> {
      const limit = pLimit(lookUps);
      const chats = await store.chats.listOf(user.id);
      let all: ListedChat[] = [];
      for (let start = 0; start < chats.length; start += listedTogether) {
        const some = chats.slice(start, start + listedTogether);
        all.push(...(await Promise.all(some.map((chat) => limit(listed, chat, user)))));
        all = shortenTexts(all.sort(byLatestActivity), textBytes);
      }
      return all;
    },
    listChannels: (page: Page) => store.chats.listChannels(page),
    /** For the group's owner only; adding a member twice is harmless. `conflict` where the group is full. */
    async addMember(owner: User, groupId: number, userId: number): Promise<ChatDetails> {
      const group = await find(groupId, 'group');
      if (group.ownerId !== owner.id) {
        throw new AppError('forbidden', 'Only the owner of a group adds members.');
      }
      await assertUser(userId);
      const joining = await join({ chatId: groupId, userId }, owner, chatRules.add, mostMembers);
      if (joining === 'full') throw groupIsFull();
      return detailsOf(group, owner);
    },
    /** Subscribing twice is harmless. */
    async subscribe(user: User, channelId: number): Promise<ChatDetails> {
      const channel = await find(channelId, 'channel');
      await join({ chatId: channelId, userId: user.id }, user, chatRules.subscribe);
      return detailsOf(channel, user);
    },
    /** The chat, where the user may read it: `not_found` or `forbidden`. */
    async openFor(user: User, chatId: number): Promise<Chat> {
      const chat = await store.chats.find(chatId);
      if (!chat) throw new AppError('not_found', `There is no chat ${chatId}.`);
      if (await store.chats.isMember(chatId, user.id)) return chat;
      throw new AppError('forbidden', 'Only the participants of a chat read it and write to it.');
    },
  };
}

/** What is stored of a new chat. */
function recordOf({ id: ownerId }: User, wanted: NewChat, now: number): Omit<Chat, 'id'> {
  const shared = { type: wanted.type, ownerId, createdAt: new Date(now).toISOString() };
  return wanted.type === 'private'
    ? { ...shared, name: '', participantId: wanted.participantId }
    : { ...shared, name: wanted.name };
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

function withOneself(): AppError {
  return new AppError('validation_failed', 'A private chat needs another person.', {
    details: [{ path: '/participantId', message: 'must be another user' }],
  });
}
