import type { createTurns } from '../../base/turns.js';
import type { Collection } from '../../storage/json/collection/collection.js';
import type { Notify } from '../change-index.js';
import type { Chat, MemberRecord } from '../model.js';
import type { ChatIndex, ChatUses } from './chat-index.js';
import { foundersOf, type KeptChat, memberName } from './collections.js';

export interface DepartureSettings {
  /** Returns whether an account is deleted. */
  isEnded(userId: number): boolean;
  /** Called after a chat was deleted. Its messages must no longer be served. */
  onRemoved(chatId: number): void;
  /** Called when the second step of a stored change failed. The step is retried later. */
  onUnfinished(error: unknown): void;
}

interface DepartureOptions extends DepartureSettings {
  readonly notify: Notify;
  readonly chats: Collection<KeptChat>;
  readonly members: Collection<MemberRecord>;
  readonly index: ChatIndex;
  readonly uses: ChatUses;
  readonly inTurn: ReturnType<typeof createTurns<string>>;
}

/** Removes members from chats, transfers chats to new owners and deletes chats without members. */
export function createDepartures(options: DepartureOptions) {
  const { chats, members, index, uses, inTurn, notify, isEnded } = options;
  const removed = createRemovedChats(chats, members);

  /** Serialises changes to a chat's members, except joining a chat without a member limit. */
  const inChatTurn = <Result>(chatId: number, work: () => Promise<Result>) =>
    inTurn(`chat ${chatId}`, work);
  /** Serialises changes to a membership. Work that requires both turns must enter the chat's turn first. */
  const inMemberTurn = <Result>(member: MemberRecord, work: () => Promise<Result>) =>
    inTurn(`member ${memberName(member)}`, work);

  function found(id: number | undefined): KeptChat | undefined {
    const chat = id === undefined ? undefined : chats.get(id);
    return chat?.removed ? undefined : chat;
  }

  /** Deletes the membership record of an owner who has left. Has no effect if it is already deleted. */
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

  /** Returns the member who joined first, apart from the owner. */
  function nextOwner(chat: Chat): number | undefined {
    return index.membersOf(chat).find((userId) => userId !== chat.ownerId);
  }

  /**
   * Removes a member. Deletes the chat if no other member is left. Call it within the turns of the chat and the member.
   */
  async function leave(chat: KeptChat, userId: number): Promise<void> {
    const { id: chatId } = chat;
    if (chat.left !== undefined) await finishLeaving(chatId);
    if (chat.ownerId === userId) {
      const next = nextOwner(chat);
      if (next === undefined) {
        // Somebody may have joined in the meantime.
        if (await remove(chat, () => nextOwner(chat) === undefined)) return;
        return leave(chat, userId);
      }
      // This single step both removes the member and changes the owner.
      await chats.update(chatId, (each) => ({ ...each, ownerId: next, left: userId }));
      index.leave(chat, userId);
      await finishLeaving(chatId).catch(options.onUnfinished);
    } else {
      await dropRecord({ chatId, userId });
      index.leave(chat, userId);
    }
    notify({ chat: chatId });
    notify({ list: userId });
  }

  /**
   * Deletes a chat after all its writes have finished, if `isAllowed` then returns true. Returns whether it was
   * deleted.
   */
  async function remove(chat: KeptChat, isAllowed = () => true): Promise<boolean> {
    const { id: chatId } = chat;
    return uses.close(chatId, async () => {
      if (!isAllowed()) return false;
      await removed.add(chatId);
      const userIds = index.membersOf(chat);
      index.remove(chat);
      options.onRemoved(chatId);
      notify({ chat: chatId });
      for (const userId of userIds) notify({ list: userId });
      return true;
    });
  }

  /**
   * Removes a deleted account from a chat. A private chat remains for the other account, without the marks of the
   * deleted one.
   */
  function depart(chatId: number, userId: number): Promise<void> {
    return inChatTurn(chatId, () =>
      inMemberTurn({ chatId, userId }, async () => {
        const chat = found(chatId);
        if (!chat || !index.isMember(chat, userId)) return;
        if (chat.type !== 'private') await leave(chat, userId);
        else if (foundersOf(chat).every(isEnded)) await remove(chat);
        else {
          await dropRecord({ chatId, userId });
          notify({ chat: chatId });
        }
      }),
    );
  }

  /** Returns whether `depart` has nothing left to do in a private chat. */
  function hasDeparted(chatId: number, userId: number): boolean {
    const chat = found(chatId);
    if (chat?.type !== 'private') return false;
    return !foundersOf(chat).every(isEnded) && !members.get(memberName({ chatId, userId }));
  }

  return {
    removed,
    /** Returns a chat unless it is deleted. */
    found,
    inChatTurn,
    inMemberTurn,
    finishLeaving,
    leave,
    depart,
    /** Removes a deleted account from all its chats. Repeating it has no effect. */
    async departAll(userId: number): Promise<void> {
      await Promise.all(index.chatsOf(userId).map((chatId) => depart(chatId, userId)));
    },
    /** Finishes removals that a killed process had begun. `ended` are the deleted accounts. */
    async finish(ended: Iterable<number>): Promise<void> {
      for (const { id, left } of chats.values()) if (left !== undefined) await finishLeaving(id);
      for (const userId of ended) {
        const left = index.chatsOf(userId).filter((chatId) => !hasDeparted(chatId, userId));
        await Promise.all(left.map((chatId) => depart(chatId, userId)));
      }
    },
  };
}

/** Tracks deleted chats whose messages have not been deleted from the files yet. */
export function createRemovedChats(chats: Collection<KeptChat>, members: Collection<MemberRecord>) {
  const ids = new Set<number>();
  for (const { id, removed } of chats.values()) if (removed) ids.add(id);
  return {
    has: (chatId: number): boolean => ids.has(chatId),
    ids: (): readonly number[] => [...ids],
    /** Deletes a chat. This is the commit point. */
    async add(chatId: number): Promise<void> {
      await chats.update(chatId, ({ id, type, ownerId, participantId, createdAt }) => ({
        ...{ id, type, name: '', ownerId, createdAt },
        ...(participantId === undefined ? {} : { participantId }),
        removed: true,
      }));
      ids.add(chatId);
    },
    /** Deletes the records. Call it after the messages are deleted from the files. Repeating it has no effect. */
    async forget(chatIds: readonly number[]): Promise<void> {
      const gone = new Set(chatIds);
      const memberships = [...members.values()].filter(({ chatId }) => gone.has(chatId));
      // Deletes the chats last, because a membership without a chat is damage.
      await members.deleteAll(memberships.map(memberName));
      await chats.deleteAll(chatIds);
      for (const id of chatIds) ids.delete(id);
    },
  };
}
