import { createTurns } from '../../base/turns.js';
import { closeAll, closeOnFailure } from '../../storage/json/close-parts.js';
import { openCollection } from '../../storage/json/collection/collection.js';
import { noChat, notParticipant } from '../chats.js';
import type { Chat, MemberRecord, StoredMessage } from '../model.js';
import { noUser } from '../people.js';
import type { ChatStore, Joining, Membership } from '../store.js';
import { createChatIndex, createChatUses, pairName, pairOf } from './chat-index.js';
import { createLogLengths } from './chat-logs.js';
import { chatOf, foundersOf, type KeptChat, memberName } from './collections.js';
import { createDepartures, type DepartureSettings } from './departures.js';
import type { JsonStoreOptions } from './user-store.js';

export interface JsonChatStoreOptions extends JsonStoreOptions, DepartureSettings {
  /** Returns the highest message ID that was assigned. */
  lastMessageId(): number;
}

export type JsonChatStore = Awaited<ReturnType<typeof openJsonChatStore>>;

/** Opens the store of chats and memberships. All of them are kept in memory. */
export async function openJsonChatStore(options: JsonChatStoreOptions) {
  const { notify, isEnded } = options;
  const uses = createChatUses();
  const inTurn = createTurns<string>();
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

  const departures = createDepartures({ ...options, chats, members, index, uses, inTurn });
  const { found, inChatTurn, inMemberTurn } = departures;

  function toChat(chat: KeptChat | undefined): Chat | undefined {
    return chat && chatOf(chat);
  }

  function assertNotDeleted(userIds: readonly number[]): void {
    const ended = userIds.find(isEnded);
    if (ended !== undefined) throw noUser(ended);
  }

  async function create(fields: Omit<Chat, 'id'>) {
    const founders = foundersOf(fields);
    assertNotDeleted(founders);
    const chat: Chat = { id: chats.nextId(), ...fields };
    await chats.put(chat);
    index.add(chat);
    for (const userId of founders) notify({ list: userId });
    // A founder's account may have been deleted during the write.
    for (const userId of founders.filter(isEnded)) await departures.depart(chat.id, userId);
    return { chat, created: true };
  }

  function membershipIn(chat: KeptChat, userId: number): Membership | undefined {
    if (!index.isMember(chat, userId)) return undefined;
    const { startId, readId } = members.get(memberName({ chatId: chat.id, userId })) ?? {};
    return {
      chat: chatOf(chat),
      memberCount: index.countOf(chat),
      startId: startId ?? 0,
      readId: readId ?? null,
    };
  }

  async function join(chatId: number, userId: number, max?: number): Promise<Joining> {
    const chat = found(chatId);
    if (!chat) throw noChat('chat', chatId);
    assertNotDeleted([userId]);
    if (index.isMember(chat, userId)) return 'present';
    if (max !== undefined && index.countOf(chat) >= max) return 'full';
    // Otherwise the earlier record would be deleted after the new one was written.
    if (chat.left === userId) await departures.finishLeaving(chatId);
    const startId = options.lastMessageId();
    await uses.during(chatId, async () => {
      await members.put({ chatId, userId, startId });
      index.join(chats.get(chatId) ?? chat, userId);
    });
    notify({ chat: chatId });
    notify({ list: userId });
    return 'added';
  }

  const store = {
    create(fields) {
      const pair = pairOf(fields);
      if (pair === undefined) return create(fields);
      // If two people start a chat with each other at the same time, they share one.
      return inTurn(`pair ${pair}`, async () => {
        const known = toChat(found(index.privateChat(pair)));
        return known ? { chat: known, created: false } : create(fields);
      });
    },
    find: async (id) => toChat(found(id)),
    findPrivate: async (userId, otherId) =>
      toChat(found(index.privateChat(pairName(userId, otherId)))),
    async addMember(chatId, userId, max) {
      const joining = () => inMemberTurn({ chatId, userId }, () => join(chatId, userId, max));
      // If the number of members is limited, they are added one at a time.
      const outcome = await (max === undefined ? joining() : inChatTurn(chatId, joining));
      if (!isEnded(userId)) return outcome;
      // The account was deleted during the write.
      await departures.depart(chatId, userId);
      throw noUser(userId);
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
          if (isIn) await departures.leave(chat, userId);
          return toChat(found(chatId));
        }),
      ),
    async rename(chatId, name) {
      const renamed = await chats.update(chatId, (chat) =>
        chat.removed ? undefined : { ...chat, name },
      );
      if (renamed) notify({ chat: chatId });
      return toChat(renamed);
    },
    markRead: (chatId, userId, messageId) =>
      inMemberTurn({ chatId, userId }, async () => {
        const chat = found(chatId);
        const now = chat && membershipIn(chat, userId);
        if (!now || isEnded(userId)) return undefined;
        if ((now.readId ?? 0) >= messageId) return now;
        const member = members.get(memberName({ chatId, userId })) ?? { chatId, userId };
        await uses.during(chatId, () => members.put({ ...member, readId: messageId }));
        notify({ list: userId });
        if (chat.type === 'private') notify({ chat: chatId });
        return { ...now, readId: messageId };
      }),
    listChannels: async (page) => index.channels(page).flatMap((id) => toChat(found(id)) ?? []),
  } satisfies ChatStore;

  return {
    ...store,
    logLengths: createLogLengths(chats),
    removed: departures.removed,
    /** Begins to store a message. Throws `forbidden` if its sender is not (or no longer) in the chat. */
    beginPost({ chatId, senderId }: Pick<StoredMessage, 'chatId' | 'senderId'>): void {
      const chat = found(chatId);
      const isIn = chat && index.isMember(chat, senderId) && !isEnded(senderId);
      if (!isIn) throw notParticipant();
      uses.begin(chatId);
    },
    /** Ends a post. Call it after `beginPost`, even if storing the message failed. */
    endPost: ({ chatId }: Pick<StoredMessage, 'chatId'>): void => uses.end(chatId),
    departAll: departures.departAll,
    finish: departures.finish,
    close: () => closeAll([chats, members]),
  };
}
