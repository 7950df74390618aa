import type { Chat, StoredMessage, User } from './model.js';

/** A page of a list that is ordered by rising id. */
export interface Page {
  readonly limit: number;
  /** Only what has a higher id. */
  readonly after: number;
}

/** Which messages of a chat: the latest, or those next to an id (excluded), never both. */
export interface MessageQuery {
  readonly limit: number;
  /** Most bytes of text in UTF-8; one message comes in any case. `largestPageBytes` by default. */
  readonly bytes?: number;
  readonly before?: number;
  readonly after?: number;
}

export interface MessagePage {
  /** Oldest first. */
  readonly messages: readonly StoredMessage[];
  /** More of them: newer ones after `after`, else older ones. */
  readonly hasMore: boolean;
}

/** A client's own name for a post, so that repeating it stores nothing. */
export interface IdempotencyKey {
  readonly key: string;
  /** Digest of the body; another body under the same key is a conflict. */
  readonly bodyHash: string;
}

/**
 * What messaging needs of a storage. Every promise of a change resolves only when the change is
 * durable, and it is visible from then on; a storage that cannot take it rejects with
 * `storage_unavailable` and keeps nothing of it. Ids are positive and never given twice.
 */
export interface MessagingStore {
  readonly users: UserStore;
  readonly tokens: TokenStore;
  readonly chats: ChatStore;
  readonly messages: MessageStore;
  /** Finishes what is under way; nothing may be called after it. */
  close(): Promise<void>;
}

export interface UserStore {
  /** `email_taken` where another user has the e-mail, compared without case. */
  create(user: Omit<User, 'id'>): Promise<User>;
  find(id: number): Promise<User | undefined>;
  findByEmail(email: string): Promise<User | undefined>;
  /** The changed user; concurrent changes of different fields both hold. */
  change(
    id: number,
    changes: Partial<Pick<User, 'username' | 'bio' | 'avatar'>>,
  ): Promise<User | undefined>;
  /**
   * Replaces the password hash `from` by another; nothing where the user has yet another by now.
   */
  replaceHash(id: number, from: string, to: string): Promise<void>;
  /** The highest cost among the password hashes (see `costOf`); 0 where there are none. */
  highestCost(): Promise<number>;
  list(page: Page): Promise<readonly User[]>;
}

export interface TokenStore {
  /** Remembers until `expires` (milliseconds since the epoch) that a token is no longer good. */
  revoke(jti: string, expires: number): Promise<void>;
  /** Also true of every token issued (milliseconds) before a time from which on they count again. */
  isRevoked(jti: string, issued: number): Promise<boolean>;
}

/** What became of adding somebody to a chat: `present` = was a member before, `full` = is none. */
export type Joining = 'added' | 'present' | 'full';

export interface ChatStore {
  /**
   * Creates a chat whose participants are its owner and, for a private one, `participantId`. There is
   * one private chat for two users: asking again gives it, with `created` false.
   */
  create(chat: Omit<Chat, 'id'>): Promise<{ readonly chat: Chat; readonly created: boolean }>;
  find(id: number): Promise<Chat | undefined>;
  /** The private chat of two users, whoever began it. */
  findPrivate(userId: number, otherId: number): Promise<Chat | undefined>;
  /**
   * Harmless where the user is a member already. There are never more than `most` members, the
   * founders among them, however many are added at once (any number where it is absent).
   */
  addMember(chatId: number, userId: number, most?: number): Promise<Joining>;
  isMember(chatId: number, userId: number): Promise<boolean>;
  /** User ids in the order in which they joined. */
  members(chatId: number): Promise<readonly number[]>;
  /** The chats that a user is a member of, in no particular order. */
  listOf(userId: number): Promise<readonly Chat[]>;
  listChannels(page: Page): Promise<readonly Chat[]>;
}

export interface MessageStore {
  /**
   * Stores a message under an id higher than any before. With an idempotency key that the sender
   * used in the last 24 hours: for the same chat and body the message of then, `stored` false;
   * else `conflict`.
   */
  append(
    message: Omit<StoredMessage, 'id'>,
    idempotency?: IdempotencyKey,
  ): Promise<{ readonly message: StoredMessage; readonly stored: boolean }>;
  /** Reads hardly more into memory than the page holds, however long the messages are. */
  page(chatId: number, query: MessageQuery): Promise<MessagePage>;
  last(chatId: number): Promise<StoredMessage | undefined>;
  /** Whether the chat has a message with a higher id. Costs less than a page. */
  hasAfter(chatId: number, id: number): Promise<boolean>;
  /**
   * Calls `listener` after every message that is stored in the chat, until the returned function is
   * called. It may be called without one, too.
   */
  onNew(chatId: number, listener: () => void): () => void;
}
