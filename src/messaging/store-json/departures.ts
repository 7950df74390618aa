import type { createTurns } from '../../base/turns.js';
import type { Collection } from '../../storage/json/collection/collection.js';
import type { Tell } from '../change-index.js';
import type { Chat, MemberRecord } from '../model.js';
import type { ChatIndex, ChatUses } from './chat-index.js';
import { foundersOf, type KeptChat, memberName } from './collections.js';

export interface DepartureSettings {
  /** Whether an account has ended. */
  isEnded(userId: number): boolean;
  /** Called when a chat is gone: its messages are not to be served any more. */
  onRemoved(chatId: number): void;
  /** Called when what belongs to a change that is stored could not be done; it is tried again. */
  onUnfinished(error: unknown): void;
}

interface DepartureOptions extends DepartureSettings {
  readonly tell: Tell;
  readonly chats: Collection<KeptChat>;
  readonly members: Collection<MemberRecord>;
  readonly index: ChatIndex;
  readonly uses: ChatUses;
  readonly inTurn: ReturnType<typeof createTurns<string>>;
}

/** How people leave chats, owners pass chats on, and chats go that nobody is in any more. */
export function createDepartures(options: DepartureOptions) {
  const { chats, members, index, uses, inTurn, tell, isEnded } = options;
  const removed = createRemovedChats(chats, members);

  /** For what changes who is in a chat, but those who join without being counted. */
  const inChatTurn = <Result>(chatId: number, work: () => Promise<Result>) =>
    inTurn(`chat ${chatId}`, work);
  /** For what changes a membership; inside the chat's turn where both are taken. */
  const inMemberTurn = <Result>(member: MemberRecord, work: () => Promise<Result>) =>
    inTurn(`member ${memberName(member)}`, work);

  function found(id: number | undefined): KeptChat | undefined {
    const chat = id === undefined ? undefined : chats.get(id);
    return chat?.removed ? undefined : chat;
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

  return {
    removed,
    /** Returns a chat unless it is gone. */
    found,
    inChatTurn,
    inMemberTurn,
    finishLeaving,
    leave,
    depart,
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
  };
}

/** Chats that are gone, and whose messages have not left the files yet. */
export function createRemovedChats(chats: Collection<KeptChat>, members: Collection<MemberRecord>) {
  const ids = new Set<number>();
  for (const { id, removed } of chats.values()) if (removed) ids.add(id);
  return {
    has: (chatId: number): boolean => ids.has(chatId),
    ids: (): readonly number[] => [...ids],
    /** The commit point: from here on the chat is gone, whatever happens. */
    async add(chatId: number): Promise<void> {
      await chats.update(chatId, ({ id, type, ownerId, participantId, createdAt }) => ({
        ...{ id, type, name: '', ownerId, createdAt },
        ...(participantId === undefined ? {} : { participantId }),
        removed: true,
      }));
      ids.add(chatId);
    },
    /** To be called when nothing of their messages is in the files. Harmless where it is repeated. */
    async forget(chatIds: readonly number[]): Promise<void> {
      const gone = new Set(chatIds);
      const memberships = [...members.values()].filter(({ chatId }) => gone.has(chatId));
      // The chats last: a membership without a chat would be taken for damage.
      await members.deleteAll(memberships.map(memberName));
      await chats.deleteAll(chatIds);
      for (const id of chatIds) ids.delete(id);
    },
  };
}
