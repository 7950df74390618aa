import type * as view from '#validators/messaging';
import { type Shown, shownPart } from '../base/record-fields.js';
import { avatarPath } from './avatar.js';
import type { ChatDetails, LastMessage, ListedChat } from './chat-list.js';
import type { ReadableMessage } from './messages.js';
import { type Chat, messageFields, type StoredMessage, type User } from './model.js';

export type Views = ReturnType<typeof createViews>;

/**
 * Creates the JSON that clients receive. `publicUrl` returns the site's URL without a trailing slash. The URLs of
 * default avatars begin with it.
 */
export function createViews(publicUrl: () => string) {
  const avatarOf = ({ avatar, id, username }: User) =>
    avatar ?? publicUrl() + avatarPath('user', id, username);

  function channel({ id, name, ownerId, createdAt }: Chat): view.Channel {
    const avatar = publicUrl() + avatarPath('chat', id, name);
    return { id, name, avatar, ownerId, createdAt };
  }

  function chat(details: ChatDetails): view.Chat {
    const { chat: stored, participants, participantCount, unread, lastReadId, other } = details;
    const { peerReadId } = details;
    const { id, type, ownerId, createdAt } = stored;
    const { name, avatar } = other
      ? { name: other.username, avatar: avatarOf(other) }
      : channel(stored);
    const shown = { id, type, participants, name, avatar, ownerId, createdAt };
    const marks = { participantCount, unread, lastReadId };
    return { ...shown, ...marks, ...(peerReadId === undefined ? {} : { peerReadId }) };
  }

  function lastMessage({ id, senderId, sender, type, text, createdAt }: LastMessage) {
    return { id, senderId, senderName: sender?.username ?? '', type, text, createdAt };
  }

  /** The user in the response to a sign-in. */
  const account = (user: User): view.Account => {
    const { id, username, email } = user;
    return { id, username, email, avatar: avatarOf(user) };
  };
  return {
    /** A user in a list. */
    person: (user: User): view.Person => ({
      id: user.id,
      username: user.username,
      avatar: avatarOf(user),
    }),
    /** The profile that other users see. */
    publicProfile: (user: User): view.PublicProfile => {
      const { id, username, bio } = user;
      return { id, username, avatar: avatarOf(user), bio };
    },
    /** The profile that the operator sees. */
    managedUser: (user: User): view.ManagedUser => {
      const { bio, createdAt } = user;
      return { ...account(user), bio, createdAt };
    },
    account,
    /** The user's own profile. */
    profile: (user: User): view.Profile => ({ ...account(user), bio: user.bio }),
    chat,
    channel,
    listedChat: ({ lastMessage: last, ...details }: ListedChat): view.ListedChat => ({
      ...chat(details),
      lastMessage: last ? lastMessage(last) : null,
    }),
    /** Includes `encrypted` only for the sender. Others could use it to guess the sender's e-mail address offline. */
    message({ message, sender, text }: ReadableMessage, readerId: number): view.Message {
      const { id, chatId, senderId, type, createdAt, ...others } = shownOf(message);
      return {
        ...{ id, chatId, senderId },
        senderName: sender?.username ?? '',
        senderAvatar: sender ? avatarOf(sender) : publicUrl() + avatarPath('user', senderId, ''),
        ...{ text: text ?? '', type, ...others },
        ...(senderId === readerId ? { encrypted: message.encrypted } : {}),
        ...(text === undefined ? { error: undecryptable } : {}),
        createdAt,
      };
    },
  };
}

/**
 * Fields of a stored message that every reader receives. A field that is missing in the response's schema causes a type
 * error.
 */
type ShownMessage = Pick<view.Message, keyof Shown<StoredMessage, typeof messageFields>>;

const shownOf: (message: StoredMessage) => ShownMessage = shownPart(messageFields);

/**
 * Fields of the response that are stored but that `messageFields` does not mark as shown. Any such field causes a type
 * error.
 */
type Forgotten = Exclude<
  keyof StoredMessage & keyof view.Message,
  keyof ShownMessage | 'text' | 'encrypted'
>;
const forgotten: Readonly<Record<Forgotten, never>> = {};
void forgotten;

const undecryptable = 'This message cannot be decrypted.';
