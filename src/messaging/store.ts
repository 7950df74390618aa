import type { Chat, StoredMessage, User } from './model.js';

/** A page of a list in ascending order of IDs. */
export interface Page {
  readonly limit: number;
  /** Only entries with a higher ID. */
  readonly after: number;
}

/** Selects messages of a chat: the latest, or those before or after an ID (exclusive). Never has both IDs. */
export interface MessageQuery {
  readonly limit: number;
  /** The most bytes of text in UTF-8; a page always has one message. `maxPageBytes` by default. */
  readonly bytes?: number;
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

export interface MessagePage {
  /** Oldest first. */
  readonly messages: readonly StoredMessage[];
  /** True if there are more: newer ones with `after`, otherwise older ones. */
  readonly hasMore: boolean;
}

/** A client's name for a post, which makes repeating the post harmless. */
export interface IdempotencyKey {
  readonly key: string;
  /** Digest of the body. Another body with the same key is a conflict. */
  readonly bodyHash: string;
}

/**
 * The storage of messaging. A method that changes something resolves after the change is durable and
 * visible. If the storage cannot store it, it rejects with `storage_unavailable` and keeps nothing. IDs are positive
 * and never reused.
 */
export interface MessagingStore {
  readonly users: UserStore;
  readonly tokens: TokenStore;
  readonly chats: ChatStore;
  readonly messages: MessageStore;
  readonly changes: Changes;
  /**
   * Deletes an account in one step. A placeholder remains (see `placeholderOf`), so that its messages have a sender.
   * Its groups and channels get another owner as with `removeMember`. Its subscriptions and read marks are deleted,
   * and so are private chats whose other account is already deleted. Returns false for an unknown account.
   */
  endAccount(id: number, end: EndedAccount): Promise<boolean>;
  /** Finishes work in progress. Nothing may be called afterwards. */
  close(): Promise<void>;
}

/** The time of an account's deletion, and the key that its texts were encrypted with. */
export type EndedAccount = NonNullable<User['deleted']>;

/** Permission to set a new password: the hash of the current one, or of the valid reset code. */
export type PasswordProof = { readonly passwordHash: string } | { readonly resetHash: string };

/** A page of users. With `part`, only users whose folded name (see `foldText`) contains it. */
export interface UserPage extends Page {
  readonly part?: string | undefined;
}

export interface UserStore {
  /** Throws `email_taken` if another user has the e-mail address, compared without case. */
  create(user: Omit<User, 'id'>): Promise<User>;
  /** Also finds the placeholder of a deleted account (it has `deleted`). */
  find(id: number): Promise<User | undefined>;
  findByEmail(email: string): Promise<User | undefined>;
  /** Returns the changed user. Concurrent changes of different fields are both kept. */
  change(
    id: number,
    changes: Partial<Pick<User, 'username' | 'bio' | 'avatar'>>,
  ): Promise<User | undefined>;
  /** Replaces the password hash `from` with `to`; does nothing if the user has another hash by now. */
  replaceHash(id: number, from: string, to: string): Promise<void>;
  /** Returns the highest cost among all password hashes (see `costOf`); 0 without any. */
  maxCost(): Promise<number>;
  /**
   * Sets an account's password, and ends all its tokens and its reset code. Does nothing and returns undefined if the
   * proof is no longer valid.
   */
  replacePassword(
    id: number,
    proof: PasswordProof,
    passwordHash: string,
  ): Promise<User | undefined>;
  /** Ends all of a user's tokens. */
  endTokens(id: number): Promise<User | undefined>;
  /** Stores the hash of a reset code, in place of an earlier one. */
  setReset(id: number, reset: NonNullable<User['reset']>): Promise<User | undefined>;
  /** Returns users by ID, without deleted accounts. */
  list(page: UserPage): Promise<readonly User[]>;
}

export interface TokenStore {
  /**
   * Revokes a token, by default at once, otherwise `from` a time on. The record is kept until `expires` (both in
   * milliseconds since the epoch). If a token is revoked twice, the earlier time counts.
   */
  revoke(jti: string, expires: number, from?: number): Promise<void>;
  /** Returns a token's user in one read; undefined if the token is revoked or the user unknown. */
  holderOf(token: NamedToken): Promise<User | undefined>;
}

/** The claims that identify a token. */
export interface NamedToken {
  readonly jti: string;
  readonly userId: number;
  /** Milliseconds since the epoch. */
  readonly issued: number;
}

/** The outcome of adding a member: `present` if the user already was one, `full` if the chat has no room. */
export type Joining = 'added' | 'present' | 'full';

/** A chat as one of its members sees it. */
export interface Membership {
  readonly chat: Chat;
  /** The number of members when this was read. */
  readonly memberCount: number;
  /** The highest message ID when the member joined: earlier messages are not unread. */
  readonly startId: number;
  /** The member's read mark; null before the first one. */
  readonly readId: number | null;
}

export interface ChatStore {
  /**
   * Creates a chat whose participants are its owner and, if it is private, `participantId`. Two users have only one
   * private chat: creating it again returns it with `created` false.
   */
  create(chat: Omit<Chat, 'id'>): Promise<{ readonly chat: Chat; readonly created: boolean }>;
  find(id: number): Promise<Chat | undefined>;
  /** Returns the private chat of two users, whichever of them started it. */
  findPrivate(userId: number, otherId: number): Promise<Chat | undefined>;
  /**
   * Adds a member; has no effect if the user already is one. The chat never gets more than `most` members, including
   * the founders, even if several are added at once. Without `most`, their number is unlimited.
   */
  addMember(chatId: number, userId: number, most?: number): Promise<Joining>;
  /** Returns the chat and the user's marks in one read; undefined if the user is not a member. */
  membership(chatId: number, userId: number): Promise<Membership | undefined>;
  /** Returns user IDs in the order in which they joined, the owner first. */
  members(chatId: number): Promise<readonly number[]>;
  countMembers(chatId: number): Promise<number>;
  /** Returns user IDs in ascending order. */
  membersById(chatId: number, page: Page): Promise<readonly number[]>;
  /** Returns the chats that a user is a member of, in no particular order. */
  listOf(userId: number): Promise<readonly Membership[]>;
  /**
   * Removes a member from a group or channel; has no effect if the user is not a member. If the owner is removed, the
   * member who joined first becomes the owner (rejoining counts as joining). A chat without members is deleted with
   * its messages. Returns the chat afterwards, or undefined if it does not exist.
   */
  removeMember(chatId: number, userId: number): Promise<Chat | undefined>;
  rename(chatId: number, name: string): Promise<Chat | undefined>;
  /** Moves a member's read mark forward, never back. Returns undefined if the user is not a member. */
  markRead(chatId: number, userId: number, messageId: number): Promise<Membership | undefined>;
  listChannels(page: Page): Promise<readonly Chat[]>;
}

export interface MessageStore {
  /**
   * Stores a message with an ID higher than any before. If the sender used the idempotency key in the last 24 hours,
   * returns the earlier message with `stored` false, or throws `conflict` if the chat or the body differs.
   */
  append(
    message: Omit<StoredMessage, 'id'>,
    idempotency?: IdempotencyKey,
  ): Promise<{ readonly message: StoredMessage; readonly stored: boolean }>;
  /**
   * Returns the message that `append` would return for a key that the sender used in the last 24 hours, or throws
   * `conflict`. Returns undefined for a new key.
   */
  findKeyed(
    post: Pick<StoredMessage, 'chatId' | 'senderId'>,
    idempotency: IdempotencyKey,
  ): Promise<StoredMessage | undefined>;
  /** Reads little more into memory than the page holds, however long the messages are. */
  page(chatId: number, query: MessageQuery): Promise<MessagePage>;
  last(chatId: number): Promise<StoredMessage | undefined>;
  /**
   * Returns whether the chat has a message with a higher ID, or undefined if the user is not a member. It is one read,
   * which costs less than a page.
   */
  hasNews(chatId: number, userId: number, after: number): Promise<boolean | undefined>;
  /** Counts messages from others than `userId` with a higher ID than `after`, up to `most`. */
  countOthers(
    chatId: number,
    others: { readonly userId: number; readonly after: number; readonly most: number },
  ): Promise<number>;
}

/**
 * A change that lists or waiting requests depend on:
 * - `chat`: its messages, members, name or owner, or a read mark of a private chat;
 * - `list`: a user's chats or read marks, or the end of all the user's tokens, which ends every wait;
 * - `person`: a user's name or picture;
 * - `unknown`: a change may have been missed, so every listener must check again.
 */
export type Change =
  | { readonly chat: number }
  | { readonly list: number }
  | { readonly person: number }
  | 'unknown';

export interface Changes {
  /** Calls `listener` after every stored change, in any process, until the returned function is called. */
  on(listener: (change: Change) => void): () => void;
}
