import { closeAll, closeOnFailure } from '../../storage/json/close-parts.js';
import { type Collection, openCollection } from '../../storage/json/collection.js';
import type { Chat } from '../model.js';
import type { MemberRecord } from '../records.js';
import type { ChatStore } from '../store.js';
import { createIdList } from './id-list.js';
import type { JsonStoreOptions } from './user-store.js';

/** Chats and memberships in memory. */
export async function openJsonChatStore(
  options: JsonStoreOptions,
): Promise<ChatStore & { close(): Promise<void> }> {
  const ids = createIdList();
  const channels = createIdList();
  const privateChats = new Map<string, number>();
  const chatsOf = new Map<number, number[]>();
  /** Only those who joined later; owner and private participant stand in the chat itself. */
  const joined = new Map<number, Set<number>>();
  const underWay = new Map<string, Promise<Chat>>();
  /** By chat and user: memberships that are on their way to the disk. */
  const joining = new Map<number, Map<number, Promise<void>>>();

  const chats = await openCollection<Chat>({
    ...options,
    ...options.collections.chats,
    onPut(chat, previous) {
      if (previous) return;
      ids.add(chat.id);
      if (chat.type === 'channel') channels.add(chat.id);
      const pair = pairOf(chat);
      if (pair !== undefined) privateChats.set(pair, chat.id);
      for (const userId of foundersOf(chat)) addTo(chatsOf, userId, chat.id);
    },
  });
  const members = await closeOnFailure((keep) => {
    keep(chats);
    return openCollection<MemberRecord>({
      ...options,
      ...options.collections.members,
      onPut({ chatId, userId }, previous) {
        if (previous) return;
        joined.set(chatId, (joined.get(chatId) ?? new Set()).add(userId));
        addTo(chatsOf, userId, chatId);
      },
    });
  });

  async function put(fields: Omit<Chat, 'id'>): Promise<Chat> {
    const chat: Chat = { id: chats.nextId(), ...fields };
    await chats.put(chat);
    return chat;
  }

  async function createPrivate(fields: Omit<Chat, 'id'>, pair: string) {
    // Two who open a chat with each other at the same moment share one.
    for (;;) {
      const other = underWay.get(pair);
      if (!other) break;
      await other.catch(() => {});
    }
    const known = found(chats, privateChats.get(pair));
    if (known) return { chat: known, created: false };
    const making = put(fields);
    underWay.set(pair, making);
    try {
      return { chat: await making, created: true };
    } finally {
      underWay.delete(pair);
    }
  }

  function isMember(chatId: number, userId: number): boolean {
    const chat = chats.get(chatId);
    const isFounder = chat?.ownerId === userId || chat?.participantId === userId;
    return isFounder || (joined.get(chatId)?.has(userId) ?? false);
  }

  function membersOf(chatId: number): number[] {
    const chat = chats.get(chatId);
    return chat ? [...foundersOf(chat), ...(joined.get(chatId) ?? [])] : [];
  }

  /** Members, those on their way to the disk included. */
  function countOf(chatId: number): number {
    const chat = chats.get(chatId);
    const founders = chat ? foundersOf(chat).length : 0;
    const there = joined.get(chatId);
    const coming = [...(joining.get(chatId)?.keys() ?? [])].filter((id) => !there?.has(id));
    return founders + (there?.size ?? 0) + coming.length;
  }

  /** Puts a member on the disk, counted as one meanwhile. */
  async function join(chatId: number, userId: number): Promise<void> {
    const ofChat = joining.get(chatId) ?? new Map<number, Promise<void>>();
    joining.set(chatId, ofChat);
    const putting = members.put({ chatId, userId });
    // Its failure is its own caller's; whoever waited looks again.
    ofChat.set(
      userId,
      putting.catch(() => {}),
    );
    try {
      await putting;
    } finally {
      ofChat.delete(userId);
      if (ofChat.size === 0) joining.delete(chatId);
    }
  }

  return {
    async create(fields) {
      const pair = pairOf(fields);
      if (pair !== undefined) return createPrivate(fields, pair);
      return { chat: await put(fields), created: true };
    },
    find: async (id) => chats.get(id),
    async findPrivate(userId, otherId) {
      return found(chats, privateChats.get(pairName(userId, otherId)));
    },
    async addMember(chatId, userId, most = Number.POSITIVE_INFINITY) {
      // No await between the last look and `join`, or two could both find the last place free.
      for (;;) {
        if (isMember(chatId, userId)) return 'present';
        const other = joining.get(chatId)?.get(userId);
        if (!other) break;
        await other;
      }
      if (countOf(chatId) >= most) return 'full';
      await join(chatId, userId);
      return 'added';
    },
    isMember: async (chatId, userId) => isMember(chatId, userId),
    members: async (chatId) => membersOf(chatId),
    listOf: async (userId) => (chatsOf.get(userId) ?? []).flatMap((id) => found(chats, id) ?? []),
    listChannels: async (page) => channels.page(page).flatMap((id) => found(chats, id) ?? []),
    close: () => closeAll([chats, members]),
  };
}

function found(chats: Collection<Chat>, id: number | undefined): Chat | undefined {
  return id === undefined ? undefined : chats.get(id);
}

function foundersOf({ ownerId, participantId }: Chat): number[] {
  return participantId === undefined ? [ownerId] : [ownerId, participantId];
}

/** What names the two of a private chat, whoever began it. */
function pairOf({ type, ownerId, participantId }: Omit<Chat, 'id'>): string | undefined {
  if (type !== 'private' || participantId === undefined) return undefined;
  return pairName(ownerId, participantId);
}

function pairName(one: number, other: number): string {
  return one < other ? `${one} ${other}` : `${other} ${one}`;
}

function addTo(lists: Map<number, number[]>, key: number, value: number): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
