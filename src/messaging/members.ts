import { AppError } from '../base/errors.js';
import type { RateLimitRule } from '../base/rate-limit.js';
import { type ChatDetails, fromOutside } from './chat-list.js';
import {
  type Chats,
  type Counter,
  chatRules,
  counted,
  groupIsFull,
  maxMembers,
  noChat,
} from './chats.js';
import type { Chat, ChatType, User } from './model.js';
import { existing } from './people.js';
import type { Joining, MessagingStore, Page } from './store.js';

export interface MemberOptions {
  readonly store: MessagingStore;
  readonly chats: Chats;
  readonly counter: Counter;
}

/** Adds, removes and lists the members of groups and channels. Repeating a change has no effect. */
export function createMembers({ store, chats, counter }: MemberOptions) {
  const { details } = chats;

  async function find(id: number, type: ChatType): Promise<Chat> {
    const chat = await store.chats.find(id);
    if (chat?.type !== type) throw noChat(type, id);
    return chat;
  }

  /** Adds a member, and counts it against the limit of the acting user. */
  async function join(
    { chatId, userId, max }: { chatId: number; userId: number; max?: number },
    by: User,
    rule: RateLimitRule,
  ): Promise<Joining> {
    if (await store.chats.membership(chatId, userId)) return 'present';
    return counted(
      counter,
      { rule, userId: by.id },
      () => store.chats.addMember(chatId, userId, max),
      (joining) => joining === 'added',
    );
  }

  /** Returns the chat as the user sees it. The user may have just been removed. */
  async function shownTo(user: User, chat: Chat): Promise<ChatDetails> {
    const membership = await store.chats.membership(chat.id, user.id);
    return membership ? details.now(membership, user) : outside(chat);
  }

  async function outside(chat: Chat): Promise<ChatDetails> {
    return fromOutside(chat, await store.chats.countMembers(chat.id));
  }

  return {
    /** Adds a member. Throws `forbidden` unless the user owns the group, and `conflict` if the group is full. */
    async add(owner: User, groupId: number, userId: number): Promise<ChatDetails> {
      const group = await find(groupId, 'group');
      if (group.ownerId !== owner.id) {
        throw new AppError('forbidden', 'Only the owner of a group can add members.');
      }
      existing(userId, await store.users.find(userId));
      const max = maxMembers;
      const joining = await join({ chatId: groupId, userId, max }, owner, chatRules.add);
      if (joining === 'full') throw groupIsFull();
      return shownTo(owner, group);
    },
    /**
     * Removes a member for the owner, or lets a member leave. If the owner leaves, the next member becomes the owner.
     */
    async remove(by: User, groupId: number, userId: number): Promise<ChatDetails> {
      const group = await find(groupId, 'group');
      const isOwn = userId === by.id;
      if (!isOwn && group.ownerId !== by.id) {
        throw new AppError('forbidden', 'Only the owner of a group can remove others from it.');
      }
      // To a non-member, reveals only that the group exists.
      const isMember = !isOwn || (await store.chats.membership(groupId, userId)) !== undefined;
      if (!isMember) return fromOutside({ ...group, name: '' }, 0);
      const left = await store.chats.removeMember(groupId, userId);
      if (!left) return fromOutside(group, 0);
      return isOwn ? outside(left) : shownTo(by, left);
    },
    async subscribe(user: User, channelId: number): Promise<ChatDetails> {
      const channel = await find(channelId, 'channel');
      await join({ chatId: channelId, userId: user.id }, user, chatRules.subscribe);
      return shownTo(user, channel);
    },
    /** Throws `conflict` for the channel's owner. */
    async unsubscribe(user: User, channelId: number): Promise<ChatDetails> {
      const channel = await find(channelId, 'channel');
      if (channel.ownerId === user.id) {
        throw new AppError('conflict', 'The owner of a channel cannot unsubscribe from it.');
      }
      return outside((await store.chats.removeMember(channelId, user.id)) ?? channel);
    },
    /**
     * Returns a page of members in ascending order of IDs. Throws `forbidden` for non-members, and in a channel for all
     * users except its owner.
     */
    async page(reader: User, chatId: number, { after, limit }: Page): Promise<MemberPage> {
      const { chat } = await chats.openFor(reader, chatId);
      if (chat.type === 'channel' && chat.ownerId !== reader.id) {
        throw new AppError('forbidden', 'Only the owner of a channel can list its subscribers.');
      }
      const ids = await store.chats.membersById(chatId, { after, limit: limit + 1 });
      const found = await Promise.all(ids.slice(0, limit).map((id) => store.users.find(id)));
      // The other account of a private chat may be deleted.
      const members = found.flatMap((user) => (user && !user.deleted ? user : []));
      return { members, hasMore: ids.length > limit };
    },
  };
}

export interface MemberPage {
  readonly members: readonly User[];
  /** True if there are more members with higher IDs. */
  readonly hasMore: boolean;
}
