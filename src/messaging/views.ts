import type * as view from '#validators/messaging';
import { avatarPath } from './avatar.js';
import type { ChatDetails, ListedChat } from './chats.js';
import type { ReadableMessage } from './messages.js';
import type { Chat, User } from './model.js';

/** What clients see. Default avatars are addresses under the public URL, made when answering. */
export interface Views {
  /** What everyone sees of a user. */
  person(user: User): view.Person;
  /** What users see of themselves when they sign in. */
  account(user: User): view.Account;
  /** What users see of themselves when they ask. */
  profile(user: User): view.Profile;
  chat(details: ChatDetails): view.Chat;
  listedChat(listed: ListedChat): view.ListedChat;
  channel(channel: Chat): view.Channel;
  /** `encrypted` is for the sender alone: from it, the sender's e-mail could be guessed offline. */
  message(readable: ReadableMessage, readerId: number): view.Message;
}

/** `publicUrl` is where clients reach the site, without a slash at its end. */
export function createViews(publicUrl: () => string): Views {
  const avatarOf = ({ avatar, id, username }: User) =>
    avatar ?? publicUrl() + avatarPath('user', id, username);

  function channel({ id, name, ownerId, createdAt }: Chat): view.Channel {
    const avatar = publicUrl() + avatarPath('chat', id, name);
    return { id, name, avatar, ownerId, createdAt };
  }

  function chat({ chat: stored, participants, other }: ChatDetails): view.Chat {
    const { id, type, ownerId, createdAt } = stored;
    const { name, avatar } = other
      ? { name: other.username, avatar: avatarOf(other) }
      : channel(stored);
    return { id, type, participants, name, avatar, ownerId, createdAt };
  }

  const person = (user: User) => ({
    id: user.id,
    username: user.username,
    avatar: avatarOf(user),
  });
  const account = ({ email, ...user }: User) => {
    const { id, username, avatar } = person({ email, ...user });
    return { id, username, email, avatar };
  };
  return {
    person,
    account,
    profile: (user) => ({ ...account(user), bio: user.bio }),
    chat,
    channel,
    listedChat: ({ lastMessage, ...details }) => ({
      ...chat(details),
      lastMessage: lastMessage
        ? { text: lastMessage.text, createdAt: lastMessage.createdAt }
        : null,
    }),
    message({ message, sender, text }, readerId) {
      const { id, chatId, senderId, type, encrypted, createdAt } = message;
      return {
        id,
        chatId,
        senderId,
        senderName: sender?.username ?? '',
        senderAvatar: sender ? avatarOf(sender) : publicUrl() + avatarPath('user', senderId, ''),
        text: text ?? '',
        type,
        ...(senderId === readerId ? { encrypted } : {}),
        ...(text === undefined ? { error: 'This message cannot be decrypted.' } : {}),
        createdAt,
      };
    },
  };
}
