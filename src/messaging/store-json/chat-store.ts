import { AppError } from '../../base/errors.js';
import { createTurns } from '../../base/turns.js';
import { closeAll, closeOnFailure } from '../../storage/json/close-parts.js';
import { openCollection } from '../../storage/json/collection/collection.js';
import type { Chat, StoredMessage } from '../model.js';
import { chatRecord, type MemberRecord } from '../records.js';
import type { ChatStore, Joining, Membership } from '../store.js';
import { createChatIndex, pairName, pairOf } from './chat-index.js';
import { createChatUses, noChat } from './chat-uses.js';
import { foundersOf, type KeptChat, memberName } from './collections.js';
import { createLogLengths } from './log-lengths.js';
import { createRemovedChats } from './removed-chats.js';
import type { JsonStoreOptions } from './user-store.js';

export interface JsonChatStoreOptions extends JsonStoreOptions {
  /** Whether an account has ended. */
  isEnded(userId: number): boolean;
  /** The highest message id given. */
  lastMessageId(): number;
  /** Called when a chat is gone: its messages are not to be served any more. */
  onRemoved(chatId: number): void;
  /** Called when what belongs to a change that is stored could not be done; it is tried again. */
  onUnfinished(error: unknown): void;
}

export type JsonChatStore = Awaited<ReturnType<typeof openJsonChatStore>>;

/** Chats and memberships in memory. */
export async function openJsonChatStore(options: JsonChatStoreOptions) {
  const { tell, isEnded } = options;
  const uses = createChatUses();
  const inTurn = createTurns<string>();
  /** For what changes who is in a chat, but those who join without being counted. */
  const inChatTurn = <Result>(chatId: number, work: () => Promise<Result>) =>
    inTurn(`chat ${chatId}`, work);
  /** For what changes a membership; inside the chat's turn where both are taken. */
  const inMemberTurn = <Result>(member: MemberRecord, work: () => Promise<Result>) =>
    inTurn(`member ${memberName(member)}`, work);

  const { chats, members } = await closeOnFailure(async (keep) => {
    const [chats, members] = await Promise.all([
      keep(
        openCollection<KeptChat>({
          ...options,
          ...options.collections.chats,
          erases: ({ removed }, previous) => removed === true && !previous.removed,
        }),
      ),
      keep(openCollection<MemberRecord>({ ...options, ...options.collections.members })),
    ]);
    return { chats, members };
  });
  const index = createChatIndex(chats.values(), members.values(), (id) => chats.get(id));
  const removed = createRemovedChats(chats, members);

  function found(id: number | undefined): KeptChat | undefined {
    const chat = id === undefined ? undefined : chats.get(id);
    return chat?.removed ? undefined : chat;
  }

  function asSeen(chat: KeptChat | undefined): Chat | undefined {
    return chat && chatRecord(chat);
  }

  function assertThere(userIds: readonly number[]): void {
    const ended = userIds.find(isEnded);
    if (ended !== undefined) throw new AppError('not_found', `There is no user ${ended}.`);
  }

  async function create(fields: Omit<Chat, 'id'>) {
    const founders = foundersOf(fields);
    assertThere(founders);
    const chat: Chat = { id: chats.nextId(), ...fields };
    await chats.put(chat);
    index.add(chat);
    for (const userId of founders) tell({ list: userId });
    // Their account may have ended while this was on its way to the disk.
    for (const userId of founders.filter(isEnded)) await depart(chat.id, userId);
    return { chat, created: true };
  }

  function membershipIn(chat: KeptChat, userId: number): Membership | undefined {
    if (!index.isMember(chat, userId)) return undefined;
    const { startId, readId } = members.get(memberName({ chatId: chat.id, userId })) ?? {};
    return {
      chat: chatRecord(chat),
      startId: startId ?? 0,
      readId: readId ?? null,
    };
  }

  async function join(chatId: number, userId: number, most?: number): Promise<Joining> {
    const chat = found(chatId);
    if (!chat) throw noChat(chatId);
    assertThere([userId]);
    if (index.isMember(chat, userId)) return 'present';
    if (most !== undefined && index.countOf(chat) >= most) return 'full';
    // Else their record of before would be removed after it was written again.
    if (chat.left === userId) await finishLeaving(chatId);
    const startId = options.lastMessageId();
    await uses.during(chatId, async () => {
      await members.put({ chatId, userId, startId });
      index.join(chats.get(chatId) ?? chat, userId);
    });
    tell({ chat: chatId });
    tell({ list: userId });
    return 'added';
  }

  /** Removes the record of an owner who has left; harmless where that is done. */
  function finishLeaving(chatId: number): Promise<void> {
    return inTurn(`left ${chatId}`, async () => {
      const userId = chats.get(chatId)?.left;
      if (userId === undefined) return;
      await dropRecord({ chatId, userId });
      await chats.update(chatId, ({ left: _, ...chat }) => chat);
    });
  }

  async function dropRecord(member: MemberRecord): Promise<void> {
    const name = memberName(member);
    if (members.get(name)) await members.delete(name);
  }

  /** Who has joined first of those who are in the chat beside its owner. */
  function nextOwner(chat: Chat): number | undefined {
    return index.membersOf(chat).find((userId) => userId !== chat.ownerId);
  }

  /** Takes a member out, the last one with the chat; in the turns of the chat and of the member. */
  async function leave(chat: KeptChat, userId: number): Promise<void> {
    const { id: chatId } = chat;
    if (chat.left !== undefined) await finishLeaving(chatId);
    if (chat.ownerId === userId) {
      const next = nextOwner(chat);
      if (next === undefined) {
        // Somebody may have been joining, and is in the chat by now.
        if (await remove(chat, () => nextOwner(chat) === undefined)) return;
        return leave(chat, userId);
      }
      // The one step by which both are done: who has left, and who owns the chat.
      await chats.update(chatId, (each) => ({ ...each, ownerId: next, left: userId }));
      index.leave(chat, userId);
      await finishLeaving(chatId).catch(options.onUnfinished);
    } else {
      await dropRecord({ chatId, userId });
      index.leave(chat, userId);
    }
    tell({ chat: chatId });
    tell({ list: userId });
  }

  /** Removes a chat when nothing of it is under way, where that is right then still; tells whether it was. */
  async function remove(chat: KeptChat, isRight = () => true): Promise<boolean> {
    const { id: chatId } = chat;
    return uses.close(chatId, async () => {
      if (!isRight()) return false;
      await removed.add(chatId);
      const userIds = index.membersOf(chat);
      index.remove(chat);
      options.onRemoved(chatId);
      tell({ chat: chatId });
      for (const userId of userIds) tell({ list: userId });
      return true;
    });
  }

  /** Takes an account that has ended out of a chat: of a private one, which stays for the other, its marks. */
  function depart(chatId: number, userId: number): Promise<void> {
    return inChatTurn(chatId, () =>
      inMemberTurn({ chatId, userId }, async () => {
        const chat = found(chatId);
        if (!chat || !index.isMember(chat, userId)) return;
        if (chat.type !== 'private') await leave(chat, userId);
        else if (foundersOf(chat).every(isEnded)) await remove(chat);
        else {
          await dropRecord({ chatId, userId });
          tell({ chat: chatId });
        }
      }),
    );
  }

  /** Whether an account that has ended has left a chat as far as it does. */
  function hasDeparted(chatId: number, userId: number): boolean {
    const chat = found(chatId);
    if (chat?.type !== 'private') return false;
    return !foundersOf(chat).every(isEnded) && !members.get(memberName({ chatId, userId }));
  }

  const store = {
    create(fields) {
      const pair = pairOf(fields);
      if (pair === undefined) return create(fields);
      // Two who open a chat with each other at the same moment share one.
      return inTurn(`pair ${pair}`, async () => {
        const known = asSeen(found(index.privateChat(pair)));
        return known ? { chat: known, created: false } : create(fields);
      });
    },
    find: async (id) => asSeen(found(id)),
    findPrivate: async (userId, otherId) =>
      asSeen(found(index.privateChat(pairName(userId, otherId)))),
    async addMember(chatId, userId, most) {
      const joining = () => inMemberTurn({ chatId, userId }, () => join(chatId, userId, most));
      // Where members are counted, nobody else may be on the way into the chat.
      const outcome = await (most === undefined ? joining() : inChatTurn(chatId, joining));
      if (!isEnded(userId)) return outcome;
      // Their account ended while this was on its way to the disk.
      await depart(chatId, userId);
      throw new AppError('not_found', `There is no user ${userId}.`);
    },
    async membership(chatId, userId) {
      const chat = found(chatId);
      return chat && membershipIn(chat, userId);
    },
    async members(chatId) {
      const chat = found(chatId);
      return chat ? index.membersOf(chat) : [];
    },
    async countMembers(chatId) {
      const chat = found(chatId);
      return chat ? index.countOf(chat) : 0;
    },
    async membersById(chatId, page) {
      const chat = found(chatId);
      return chat ? index.pageOf(chat, page) : [];
    },
    listOf: async (userId) =>
      index.chatsOf(userId).flatMap((id) => {
        const chat = found(id);
        return (chat && membershipIn(chat, userId)) ?? [];
      }),
    removeMember: (chatId, userId) =>
      inChatTurn(chatId, () =>
        inMemberTurn({ chatId, userId }, async () => {
          const chat = found(chatId);
          const isIn = chat && chat.type !== 'private' && index.isMember(chat, userId);
          if (isIn) await leave(chat, userId);
          return asSeen(found(chatId));
        }),
      ),
    async rename(chatId, name) {
      const renamed = await chats.update(chatId, (chat) =>
        chat.removed ? undefined : { ...chat, name },
      );
      if (renamed) tell({ chat: chatId });
      return asSeen(renamed);
    },
    markRead: (chatId, userId, messageId) =>
      inMemberTurn({ chatId, userId }, async () => {
        const chat = found(chatId);
        const now = chat && membershipIn(chat, userId);
        if (!now || isEnded(userId)) return undefined;
        if ((now.readId ?? 0) >= messageId) return now;
        const { startId } = members.get(memberName({ chatId, userId })) ?? {};
        const start = startId === undefined ? {} : { startId };
        await uses.during(chatId, () =>
          members.put({ chatId, userId, ...start, readId: messageId }),
        );
        tell({ list: userId });
        if (chat.type === 'private') tell({ chat: chatId });
        return { ...now, readId: messageId };
      }),
    listChannels: async (page) => index.channels(page).flatMap((id) => asSeen(found(id)) ?? []),
  } satisfies ChatStore;

  return {
    ...store,
    logLengths: createLogLengths(chats),
    removed,
    /** Begins to store a message; `forbidden` where its sender is in no such chat, or no more. */
    beginPost({ chatId, senderId }: Pick<StoredMessage, 'chatId' | 'senderId'>): void {
      const chat = found(chatId);
      const isIn = chat && index.isMember(chat, senderId) && !isEnded(senderId);
      const refusal = 'Only the participants of a chat read it and write to it.';
      if (!isIn) throw new AppError('forbidden', refusal);
      uses.begin(chatId);
    },
    /** Ends what `beginPost` began, whatever became of it. */
    endPost: ({ chatId }: Pick<StoredMessage, 'chatId'>): void => uses.end(chatId),
    /** Takes an account that has ended out of its chats; harmless where it is repeated. */
    async departAll(userId: number): Promise<void> {
      await Promise.all(index.chatsOf(userId).map((chatId) => depart(chatId, userId)));
    },
    /** Finishes what a process that died had begun; `ended`: the accounts that have. */
    async finish(ended: Iterable<number>): Promise<void> {
      for (const { id, left } of chats.values()) if (left !== undefined) await finishLeaving(id);
      for (const userId of ended) {
        const left = index.chatsOf(userId).filter((chatId) => !hasDeparted(chatId, userId));
        await Promise.all(left.map((chatId) => depart(chatId, userId)));
      }
    },
    close: () => closeAll([chats, members]),
  };
}
