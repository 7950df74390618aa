import type { Chat, StoredMessage, User } from './model.js';

/** A page of a list in ascending order of IDs. */
export interface Page {
  readonly limit: number;
  /** Selects only entries with a higher ID. */
  readonly after: number;
}

/**
 * Selects messages of a chat: the latest, or those before or after an ID (exclusive). `before` and `after` cannot be
 * combined.
 */
export interface MessageQuery {
  readonly limit: number;
  /** Maximum size of the text in UTF-8, in bytes; `maxPageBytes` by default. A page has at least one message. */
  readonly bytes?: number;
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

export interface MessagePage {
  /** Oldest first. */
  readonly messages: readonly StoredMessage[];
  /** True if there are more messages: newer ones with `after`, otherwise older ones. */
  readonly hasMore: boolean;
}

/** A key that a client chooses for a post, so that it can safely repeat the post. */
export interface IdempotencyKey {
  readonly key: string;
  /** Hash of the body. A different body with the same key is a conflict. */
  readonly bodyHash: string;
}

/**
 * The storage of messaging. A method that changes data resolves after the change is durable and visible. If the change
 * cannot be stored, the method rejects with `storage_unavailable` and changes nothing. IDs are positive and never
 * reused.
 */
export interface MessagingStore {
  readonly users: UserStore;
  readonly tokens: TokenStore;
  readonly chats: ChatStore;
  readonly messages: MessageStore;
  readonly changes: Changes;
  /**
   * Deletes an account in one step. A placeholder (see `placeholderOf`) remains as the sender of its messages. Its
   * groups and channels are transferred to other members, as with `removeMember`. Its subscriptions and read marks are
   * deleted. Private chats are deleted if the other account is already deleted. Returns false for an unknown account.
   */
  endAccount(id: number, end: EndedAccount): Promise<boolean>;
  /** Finishes work in progress. No method may be called afterwards. */
  close(): Promise<void>;
}

/** The time of an account's deletion, and the key that its texts were encrypted with. */
export type EndedAccount = NonNullable<User['deleted']>;

/** Permission to set a new password: the hash of the current password or of a valid reset code. */
export type PasswordProof = { readonly passwordHash: string } | { readonly resetHash: string };

/** A page of users. With `part`, only users whose folded name (see `foldText`) contains it. */
export interface UserPage extends Page {
  readonly part?: string | undefined;
}

export interface UserStore {
  /** Creates a user. Throws `email_taken` if another user has the e-mail address, ignoring case. */
  create(user: Omit<User, 'id'>): Promise<User>;
  /** Returns a user, or the placeholder of a deleted account, which has `deleted`. */
  find(id: number): Promise<User | undefined>;
  findByEmail(email: string): Promise<User | undefined>;
  /** Returns the changed user. Concurrent changes of different fields do not overwrite each other. */
  change(
    id: number,
    changes: Partial<Pick<User, 'username' | 'bio' | 'avatar'>>,
  ): Promise<User | undefined>;
  /** Replaces the password hash `from` with `to`. Does nothing if the user's hash is no longer `from`. */
  replaceHash(id: number, from: string, to: string): Promise<void>;
  /** Returns the highest cost among all password hashes (see `costOf`); 0 if there are none. */
  maxCost(): Promise<number>;
  /**
   * Sets an account's password, and revokes all its tokens and its reset code. Returns undefined and does nothing if
   * the proof is no longer valid.
   */
  replacePassword(
    id: number,
    proof: PasswordProof,
    passwordHash: string,
  ): Promise<User | undefined>;
  /** Revokes all of a user's tokens. */
  endTokens(id: number): Promise<User | undefined>;
  /** Stores the hash of a reset code, which replaces any earlier one. */
  setReset(id: number, reset: NonNullable<User['reset']>): Promise<User | undefined>;
  /** Returns users in ascending order of IDs, without deleted accounts. */
  list(page: UserPage): Promise<readonly User[]>;
}

export interface TokenStore {
  /**
   * Revokes a token from a time on, or immediately if `from` is omitted. The record is stored until `expires`. Both
   * times are in milliseconds since the epoch. If a token is revoked twice, the earlier time applies.
   */
  revoke(jti: string, expires: number, from?: number): Promise<void>;
  /** Returns a token's user in one read; undefined if the token is revoked or the user is unknown. */
  holderOf(token: NamedToken): Promise<User | undefined>;
}

/** The claims that identify a token. */
export interface NamedToken {
  readonly jti: string;
  readonly userId: number;
  /** Milliseconds since the epoch. */
  readonly issued: number;
}

/** The outcome of adding a member: `present` if the user is already a member, `full` if the chat is full. */
export type Joining = 'added' | 'present' | 'full';

/** A chat as one of its members sees it. */
export interface Membership {
  readonly chat: Chat;
  /** The number of members when this was read. */
  readonly memberCount: number;
  /** The highest message ID when the member joined. Messages up to it are never unread. */
  readonly startId: number;
  /** The member's read mark; null if there is none. */
  readonly readId: number | null;
}

export interface ChatStore {
  /**
   * Creates a chat whose participants are its owner and, if it is private, `participantId`. Two users can have only one
   * private chat. Creating it again returns the existing chat with `created` false.
   */
  create(chat: Omit<Chat, 'id'>): Promise<{ readonly chat: Chat; readonly created: boolean }>;
  find(id: number): Promise<Chat | undefined>;
  /** Returns the private chat of two users, regardless of who started it. */
  findPrivate(userId: number, otherId: number): Promise<Chat | undefined>;
  /**
   * Adds a member. Has no effect if the user is already a member. The chat never has more than `max` members, including
   * the founders, even if several are added concurrently. Without `max`, the number is unlimited.
   */
  addMember(chatId: number, userId: number, max?: number): Promise<Joining>;
  /** Returns the chat and the user's marks in one read; undefined if the user is not a member. */
  membership(chatId: number, userId: number): Promise<Membership | undefined>;
  /** Returns user IDs in the order in which the users joined, starting with the owner. */
  members(chatId: number): Promise<readonly number[]>;
  countMembers(chatId: number): Promise<number>;
  /** Returns user IDs in ascending order. */
  membersById(chatId: number, page: Page): Promise<readonly number[]>;
  /** Returns the chats that a user is a member of, in no particular order. */
  listOf(userId: number): Promise<readonly Membership[]>;
  /**
   * Removes a member from a group or channel. Has no effect if the user is not a member. If the owner is removed, the
   * member who joined first becomes the owner; for a user who has rejoined, the last time applies. A chat without
   * members is deleted with its messages. Returns the resulting chat, or undefined if it does not exist.
   */
  removeMember(chatId: number, userId: number): Promise<Chat | undefined>;
  rename(chatId: number, name: string): Promise<Chat | undefined>;
  /** Moves a member's read mark forward, never back. Returns undefined if the user is not a member. */
  markRead(chatId: number, userId: number, messageId: number): Promise<Membership | undefined>;
  listChannels(page: Page): Promise<readonly Chat[]>;
}

export interface MessageStore {
  /**
   * Stores a message with an ID that is higher than all previous IDs. If the sender used the idempotency key in the
   * last 24 hours, returns the earlier message with `stored` false, or throws `conflict` if the chat or the body
   * differs.
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
  /** Returns a page. Reads little more than the page into memory, regardless of the length of messages. */
  page(chatId: number, query: MessageQuery): Promise<MessagePage>;
  last(chatId: number): Promise<StoredMessage | undefined>;
  /**
   * Returns whether the chat has a message with a higher ID, or undefined if the user is not a member. It takes one
   * read, which costs less than reading a page.
   */
  hasNews(chatId: number, userId: number, after: number): Promise<boolean | undefined>;
  /** Counts messages from users other than `userId` with IDs above `after`, up to `max`. */
  countOthers(
    chatId: number,
    others: { readonly userId: number; readonly after: number; readonly max: number },
  ): Promise<number>;
}

/**
 * A change that lists or waiting requests depend on:
 * - `chat`: its messages, members, name or owner, or a read mark of a private chat;
 * - `list`: a user's chats or read marks, or the revocation of all the user's tokens, which ends their waits;
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
