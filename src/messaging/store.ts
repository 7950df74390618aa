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
  readonly changes: Changes;
  /**
   * Ends an account, all at once: a placeholder stays in its place (see `placeholderOf`), so that its messages
   * have a sender. Its groups and channels pass on as `removeMember` says, its subscriptions and read marks
   * go, and so do private chats whose other account has ended before. False where there is no such account.
   */
  endAccount(id: number, end: EndedAccount): Promise<boolean>;
  /** Finishes what is under way; nothing may be called after it. */
  close(): Promise<void>;
}

/** What is left of an account that has ended: when that was, and the key that its texts were encrypted with. */
export type EndedAccount = NonNullable<User['deleted']>;

/** What makes a new password one's own: the hash of the one before, or of the reset code that counts. */
export type PasswordProof = { readonly passwordHash: string } | { readonly resetHash: string };

/** A page of users, of those whose folded name (see `foldText`) has a part, where one is given. */
export interface UserPage extends Page {
  readonly part?: string;
}

export interface UserStore {
  /** `email_taken` where another user has the e-mail, compared without case. */
  create(user: Omit<User, 'id'>): Promise<User>;
  /** Also the placeholder of an account that has ended (it has `deleted`). */
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
  /**
   * Gives an account another password, and ends all its tokens and its reset code. Nothing, and undefined,
   * where the proof does not hold any more.
   */
  replacePassword(
    id: number,
    proof: PasswordProof,
    passwordHash: string,
  ): Promise<User | undefined>;
  /** Ends all tokens that were issued for a user. */
  endTokens(id: number): Promise<User | undefined>;
  /** Remembers the hash of a reset code, in place of one before. */
  setReset(id: number, reset: NonNullable<User['reset']>): Promise<User | undefined>;
  /** By id; accounts that have ended are in no list. */
  list(page: UserPage): Promise<readonly User[]>;
}

export interface TokenStore {
  /**
   * Remembers until `expires` (milliseconds since the epoch) that a token is no longer good, or will be no longer
   * `from` a time on. Of two ends the earlier one stands.
   */
  revoke(jti: string, expires: number, from?: number): Promise<void>;
  /** Also true of every token issued (milliseconds) before a time from which on they count again. */
  isRevoked(jti: string, issued: number): Promise<boolean>;
  /** One read of what every request asks: whom a token names, undefined where it is revoked or there is no such user. */
  holderOf(token: NamedToken): Promise<User | undefined>;
}

/** What a token says of itself. */
export interface NamedToken {
  readonly jti: string;
  readonly userId: number;
  /** Milliseconds since the epoch. */
  readonly issued: number;
}

/** What became of adding somebody to a chat: `present` = was a member before, `full` = is none. */
export type Joining = 'added' | 'present' | 'full';

/** A chat as one of its members has it. */
export interface Membership {
  readonly chat: Chat;
  /** Members of the chat when this was read. */
  readonly memberCount: number;
  /** The highest message id when they joined: what came before is not unread. */
  readonly startId: number;
  /** Their read mark; null before the first reading. */
  readonly readId: number | null;
}

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
  /** One read of the chat and of the user's place in it; undefined where the user has none. */
  membership(chatId: number, userId: number): Promise<Membership | undefined>;
  /** User ids in the order in which they joined, the owner first. */
  members(chatId: number): Promise<readonly number[]>;
  countMembers(chatId: number): Promise<number>;
  /** User ids, rising. */
  membersById(chatId: number, page: Page): Promise<readonly number[]>;
  /** The chats that a user is a member of, in no particular order. */
  listOf(userId: number): Promise<readonly Membership[]>;
  /**
   * Takes a member out of a group or channel; harmless where the user is none. Where it is the owner, the member who
   * joined first (the latest joining counts) owns it from then on; where nobody is left, the chat goes with
   * its messages. Gives the chat as it is then, or undefined where there is none.
   */
  removeMember(chatId: number, userId: number): Promise<Chat | undefined>;
  rename(chatId: number, name: string): Promise<Chat | undefined>;
  /** Moves a member's read mark forward, never back; undefined where the user is no member. */
  markRead(chatId: number, userId: number, messageId: number): Promise<Membership | undefined>;
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
  /**
   * What `append` would give for a key that the sender used in the last 24 hours: the message of then, or `conflict`;
   * undefined where it is a new one.
   */
  findKeyed(
    post: Pick<StoredMessage, 'chatId' | 'senderId'>,
    idempotency: IdempotencyKey,
  ): Promise<StoredMessage | undefined>;
  /** Reads hardly more into memory than the page holds, however long the messages are. */
  page(chatId: number, query: MessageQuery): Promise<MessagePage>;
  last(chatId: number): Promise<StoredMessage | undefined>;
  /**
   * Whether the chat has a message with a higher id, for a user who is in it: undefined for others. One read, which costs
   * less than a page.
   */
  hasNews(chatId: number, userId: number, after: number): Promise<boolean | undefined>;
  /** How many messages of others than `userId` have a higher id than `after`; `most` at most. */
  countOthers(
    chatId: number,
    others: { readonly userId: number; readonly after: number; readonly most: number },
  ): Promise<number>;
}

/**
 * What has changed of that which lists and waiting requests depend on: a chat (its messages, members, name, owner; of
 * a private one a read mark), one user's list (chats that come and go, the own read marks, and when all tokens of the
 * user end: nobody may wait for it any more), or how somebody appears to others. `unknown`: something may have been
 * missed, so that everybody looks again.
 */
export type Change =
  | { readonly chat: number }
  | { readonly list: number }
  | { readonly person: number }
  | 'unknown';

export interface Changes {
  /** Calls `listener` after every change that is stored, by whichever process, until the returned function is called. */
  on(listener: (change: Change) => void): () => void;
}
