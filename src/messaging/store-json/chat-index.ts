import { LRUCache } from 'lru-cache';
import { noChat } from '../chats.js';
import { createIdList } from '../id-list.js';
import type { Chat, MemberRecord } from '../model.js';
import type { Page } from '../store.js';
import { foundersOf, type KeptChat } from './collections.js';

/**
 * Maximum number of member IDs that are cached in ascending order for paging, in all chats together. Each takes 8
 * bytes.
 */
const cachedMemberIds = 1_000_000;

export type ChatIndex = ReturnType<typeof createChatIndex>;

/** Creates an index of chats and their members in memory, from the records of the collections. */
export function createChatIndex(
  chats: Iterable<KeptChat>,
  members: Iterable<MemberRecord>,
  find: (chatId: number) => KeptChat | undefined,
) {
  const channels = createIdList();
  const privateChats = new Map<string, number>();
  const chatsOf = new Map<number, number[]>();
  /** Members in the order in which they joined. Founders are in the chat's record, and may also be here. */
  const joined = new Map<number, Set<number>>();
  const inOrder = new LRUCache<number, ReturnType<typeof createIdList>>({
    maxSize: cachedMemberIds,
    sizeCalculation: (list) => Math.max(1, list.size),
  });

  function isMember(chat: Chat, userId: number): boolean {
    return isFounder(chat, userId) || (joined.get(chat.id)?.has(userId) ?? false);
  }

  function membersOf(chat: Chat): number[] {
    const later = joined.get(chat.id);
    const founders = foundersOf(chat);
    return later ? [...new Set([...founders, ...later])] : founders;
  }

  function addToList(userId: number, chatId: number): void {
    const list = chatsOf.get(userId);
    if (list) list.push(chatId);
    else chatsOf.set(userId, [chatId]);
  }

  function takeFromList(userId: number, chatId: number): void {
    const list = chatsOf.get(userId) ?? [];
    const index = list.indexOf(chatId);
    if (index >= 0) list.splice(index, 1);
    if (list.length === 0) chatsOf.delete(userId);
  }

  function add(chat: Chat): void {
    if (chat.type === 'channel') channels.add(chat.id);
    const pair = pairOf(chat);
    if (pair !== undefined) privateChats.set(pair, chat.id);
    for (const userId of foundersOf(chat)) addToList(userId, chat.id);
  }

  function join(chat: Chat, userId: number): void {
    let users = joined.get(chat.id);
    if (!users) {
      users = new Set();
      joined.set(chat.id, users);
    }
    const before = users.size;
    users.add(userId);
    if (users.size === before || isFounder(chat, userId)) return;
    addToList(userId, chat.id);
    if (inOrder.size > 0) inOrder.get(chat.id)?.add(userId);
  }

  for (const chat of chats) if (!chat.removed) add(chat);
  for (const { chatId, userId } of members) {
    const chat = find(chatId);
    if (chat && !chat.removed && chat.left !== userId) join(chat, userId);
  }

  return {
    add,
    join,
    isMember,
    /** Returns the founders, then the others in the order in which they joined. */
    membersOf,
    countOf(chat: Chat): number {
      const later = joined.get(chat.id);
      if (!later) return foundersOf(chat).length;
      return later.size + foundersOf(chat).filter((id) => !later.has(id)).length;
    },
    /** Returns a page of user IDs in ascending order. */
    pageOf(chat: Chat, page: Page): readonly number[] {
      const known = inOrder.get(chat.id);
      if (known) return known.page(page);
      const list = createIdList(membersOf(chat));
      inOrder.set(chat.id, list);
      return list.page(page);
    },
    /** Removes a member. If the member was the owner, the chat must already have a new owner. */
    leave({ id }: Chat, userId: number): void {
      joined.get(id)?.delete(userId);
      if (joined.get(id)?.size === 0) joined.delete(id);
      inOrder.get(id)?.delete(userId);
      takeFromList(userId, id);
    },
    /** Removes a deleted chat. */
    remove(chat: Chat): void {
      for (const userId of membersOf(chat)) takeFromList(userId, chat.id);
      joined.delete(chat.id);
      inOrder.delete(chat.id);
      channels.delete(chat.id);
      const pair = pairOf(chat);
      if (pair !== undefined) privateChats.delete(pair);
    },
    /** Returns a copy of the IDs of a user's chats. */
    chatsOf: (userId: number): number[] => [...(chatsOf.get(userId) ?? [])],
    privateChat: (pair: string): number | undefined => privateChats.get(pair),
    channels: (page: Page): readonly number[] => channels.page(page),
  };
}

function isFounder({ ownerId, participantId }: Chat, userId: number): boolean {
  return ownerId === userId || participantId === userId;
}

/** Returns a key for the two people of a private chat, regardless of who started it. */
export function pairOf({ type, ownerId, participantId }: Omit<Chat, 'id'>): string | undefined {
  if (type !== 'private' || participantId === undefined) return undefined;
  return pairName(ownerId, participantId);
}

export function pairName(one: number, other: number): string {
  return one < other ? `${one} ${other}` : `${other} ${one}`;
}

export type ChatUses = ReturnType<typeof createChatUses>;

/** Counts the writes in progress of each chat, so that a chat is deleted only after they have finished. */
export function createChatUses() {
  const counts = new Map<number, number>();
  const waiting = new Map<number, () => void>();
  const closed = new Set<number>();

  /** Begins a write. Call `end` exactly once afterwards. Throws `not_found` if the chat is being deleted. */
  function begin(chatId: number): void {
    if (closed.has(chatId)) throw noChat('chat', chatId);
    counts.set(chatId, (counts.get(chatId) ?? 0) + 1);
  }

  function end(chatId: number): void {
    const left = (counts.get(chatId) ?? 1) - 1;
    if (left > 0) counts.set(chatId, left);
    else {
      counts.delete(chatId);
      waiting.get(chatId)?.();
    }
  }

  return {
    begin,
    end,
    /** Runs work that writes data of a chat. Throws `not_found` if the chat is being deleted. */
    async during<Result>(chatId: number, work: () => Promise<Result>): Promise<Result> {
      begin(chatId);
      try {
        return await work();
      } finally {
        end(chatId);
      }
    },
    /** Runs `remove` after all writes have finished. No write can begin until `remove` has finished. */
    async close<Result>(chatId: number, remove: () => Promise<Result>): Promise<Result> {
      closed.add(chatId);
      try {
        if (counts.has(chatId)) {
          await new Promise<void>((resolve) => waiting.set(chatId, resolve));
          waiting.delete(chatId);
        }
        return await remove();
      } finally {
        closed.delete(chatId);
      }
    },
  };
}
