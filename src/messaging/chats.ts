import type { NewChat } from '#validators/messaging';
import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';
import type { RateLimiter, RateLimitRule } from '../base/rate-limit.js';
import { type ChatListOptions, createChatDetails, createChatLists } from './chat-list.js';
import type { Chat, ChatType, User } from './model.js';
import { existing } from './people.js';
import type { Membership, MessagingStore, Page } from './store.js';

/** Counts users' actions. `take` rejects with `rate_limited` above a limit. */
export type Counter = Pick<RateLimiter, 'take' | 'giveBack'>;

const hour = 3600;

/** Hourly limits per user, which prevent flooding other users' lists. */
export const chatRules = {
  /** Rate limit for creating chats, per user. */
  create: { name: 'chat', amount: 100, periodSeconds: hour, burst: 30 },
  /** Rate limit for adding people to chats, per user. */
  add: { name: 'member', amount: 300, periodSeconds: hour, burst: 300 },
  /** Rate limit for subscribing to channels, per user. */
  subscribe: { name: 'subscription', amount: 300, periodSeconds: hour, burst: 300 },
} as const satisfies Readonly<Record<string, RateLimitRule>>;

/** Maximum number of members of a group, including its owner. Every response with the group lists all of them. */
export const maxMembers = 1000;

/** Counts one use of `rule`, then calls `make`. Undoes the count if `make` fails or creates nothing. */
export async function counted<Result>(
  counter: Counter,
  { rule, userId }: { readonly rule: RateLimitRule; readonly userId: number },
  make: () => Promise<Result>,
  isMade: (result: Result) => boolean,
): Promise<Result> {
  const key = String(userId);
  await counter.take(rule, key);
  let counts = false;
  try {
    const result = await make();
    counts = isMade(result);
    return result;
  } finally {
    if (!counts) await counter.giveBack(rule, key);
  }
}

export function groupIsFull(): AppError {
  return new AppError('conflict', `The group is full (${maxMembers} members).`, {
    hint: 'Create another group, or a channel, which can have any number of subscribers.',
  });
}

export interface ChatOptions extends Omit<ChatListOptions, 'details'> {
  readonly store: MessagingStore;
  readonly counter: Counter;
  readonly clock: Clock;
}

export type Chats = ReturnType<typeof createChats>;

/** Creates, lists and changes chats. `createMembers` manages their members. */
export function createChats(options: ChatOptions) {
  const { store, counter, clock } = options;
  const details = createChatDetails(store);

  /** Returns the user's membership in a chat. Throws `not_found`, or `forbidden` if the user is not a member. */
  async function openFor(user: User, chatId: number): Promise<Membership> {
    const membership = await store.chats.membership(chatId, user.id);
    if (membership) return membership;
    if (await store.chats.find(chatId)) throw notParticipant();
    throw noChat('chat', chatId);
  }

  return {
    details,
    openFor,
    /** Creates a chat, limited by `chatRules`. `created` is false if the private chat already exists. */
    async create(owner: User, fields: NewChat) {
      const { id: userId } = owner;
      if (fields.type === 'private') {
        const { participantId } = fields;
        if (participantId === userId) throw chatWithOneself();
        existing(participantId, await store.users.find(participantId));
        const known = await store.chats.findPrivate(userId, participantId);
        if (known)
          return { ...(await details.now(await openFor(owner, known.id), owner)), created: false };
      }
      const { chat, created } = await counted(
        counter,
        { rule: chatRules.create, userId },
        () => store.chats.create(recordOf(owner, fields, clock.now())),
        (made) => made.created,
      );
      if (created) return { ...(await details.ofNew(chat, owner)), created };
      return { ...(await details.now(await openFor(owner, chat.id), owner)), created };
    },
    list: createChatLists({ ...options, details }),
    listChannels: (page: Page) => store.chats.listChannels(page),
    /** Renames a group or channel. Throws `forbidden` unless the user owns it. */
    async rename(owner: User, chatId: number, name: string) {
      const membership = await openFor(owner, chatId);
      const { type, ownerId } = membership.chat;
      if (type === 'private') {
        throw new AppError(
          'forbidden',
          'A private chat cannot be renamed. It shows the name of the other person.',
        );
      }
      if (ownerId !== owner.id) {
        throw new AppError('forbidden', `Only the owner of a ${type} can rename it.`);
      }
      const chat = await store.chats.rename(chatId, name);
      if (!chat) throw noChat('chat', chatId);
      return details.now({ ...membership, chat }, owner);
    },
    /** Moves the reader's read mark forward. Throws `not_found` for an ID above that of the chat's last message. */
    async markRead(reader: User, chatId: number, messageId: number) {
      await openFor(reader, chatId);
      const last = await store.messages.last(chatId);
      if (!last || messageId > last.id) {
        throw new AppError('not_found', `Chat ${chatId} has no message ${messageId}.`);
      }
      const membership = await store.chats.markRead(chatId, reader.id, messageId);
      if (!membership) throw notParticipant();
      return details.of(membership, reader, last);
    },
  };
}

/** Returns the record of a new chat. */
function recordOf({ id: ownerId }: User, fields: NewChat, now: number): Omit<Chat, 'id'> {
  const shared = { type: fields.type, ownerId, createdAt: new Date(now).toISOString() };
  return fields.type === 'private'
    ? { ...shared, name: '', participantId: fields.participantId }
    : { ...shared, name: fields.name };
}

/** Returns the error for a chat that does not exist or has a different type. */
export function noChat(type: ChatType | 'chat', id: number): AppError {
  return new AppError('not_found', `There is no ${type} with ID ${id}.`);
}

/** Returns the error for a user who is not in a chat. */
export function notParticipant(): AppError {
  return new AppError('forbidden', 'Only participants can read a chat and post in it.');
}

function chatWithOneself(): AppError {
  return new AppError('validation_failed', 'A private chat requires another person.', {
    details: [{ path: '/participantId', message: 'must be another user' }],
  });
}
