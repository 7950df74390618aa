import { createTurns } from '../../base/turns.js';
import { type Closable, closeAll, closeOnFailure } from '../../storage/json/close-parts.js';
import { openCollection } from '../../storage/json/collection/collection.js';
import { createIdList } from '../id-list.js';
import type { Chat } from '../model.js';
import type { MemberRecord } from '../records.js';
import type { ChatStore, Joining } from '../store.js';
import { foundersOf, type KeptChat } from './collections.js';
import { createLogLengths, type LogLengths } from './log-lengths.js';
import type { JsonStoreOptions } from './user-store.js';

/** Chats and memberships in memory. */
export async function openJsonChatStore(
  options: JsonStoreOptions,
): Promise<ChatStore & Closable & { readonly logLengths: LogLengths }> {
  const channels = createIdList();
  const privateChats = new Map<string, number>();
  const chatsOf = new Map<number, number[]>();
  /** Only those who joined later; owner and private participant stand in the chat itself. */
  const joined = new Map<number, Set<number>>();
  const inTurn = createTurns<string>();

  const chats = await openCollection<KeptChat>({
    ...options,
    ...options.collections.chats,
    onPut(chat, previous) {
      if (previous) return;
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

  const found = (id: number | undefined) => (id === undefined ? undefined : chats.get(id));

  async function create(fields: Omit<Chat, 'id'>) {
    const chat: Chat = { id: chats.nextId(), ...fields };
    await chats.put(chat);
    return { chat, created: true };
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

  async function join(chatId: number, userId: number, most?: number): Promise<Joining> {
    if (isMember(chatId, userId)) return 'present';
    if (most !== undefined && membersOf(chatId).length >= most) return 'full';
    await members.put({ chatId, userId });
    return 'added';
  }

  return {
    create(fields) {
      const pair = pairOf(fields);
      if (pair === undefined) return create(fields);
      // Two who open a chat with each other at the same moment share one.
      return inTurn(`pair ${pair}`, async () => {
        const known = found(privateChats.get(pair));
        return known ? { chat: known, created: false } : create(fields);
      });
    },
    find: async (id) => chats.get(id),
    findPrivate: async (userId, otherId) => found(privateChats.get(pairName(userId, otherId))),
    addMember(chatId, userId, most) {
      // Where members are counted, nobody else may be on the way into the chat.
      const turn = most === undefined ? `${chatId} ${userId}` : `${chatId}`;
      return inTurn(turn, () => join(chatId, userId, most));
    },
    isMember: async (chatId, userId) => isMember(chatId, userId),
    members: async (chatId) => membersOf(chatId),
    listOf: async (userId) => (chatsOf.get(userId) ?? []).flatMap((id) => found(id) ?? []),
    listChannels: async (page) => channels.page(page).flatMap((id) => found(id) ?? []),
    logLengths: createLogLengths(chats),
    close: () => closeAll([chats, members]),
  };
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
