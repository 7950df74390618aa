import type * as view from '#validators/messaging';
import { avatarPath } from './avatar.js';
import type { ChatDetails, ListedChat } from './chats.js';
import type { ReadableMessage } from './messages.js';
import type { Chat, User } from './model.js';

export type Views = ReturnType<typeof createViews>;

/**
 * What clients see. Default avatars are addresses under the public URL, made when answering. `publicUrl` is
 * where clients reach the site, without a slash at its end.
 */
export function createViews(publicUrl: () => string) {
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

  /** What users see of themselves when they sign in. */
  const account = (user: User): view.Account => {
    const { id, username, email } = user;
    return { id, username, email, avatar: avatarOf(user) };
  };
  return {
    /** What everyone sees of a user. */
    person: (user: User): view.Person => ({
      id: user.id,
      username: user.username,
      avatar: avatarOf(user),
    }),
    account,
    /** What users see of themselves when they ask. */
    profile: (user: User): view.Profile => ({ ...account(user), bio: user.bio }),
    chat,
    channel,
    listedChat: ({ lastMessage, ...details }: ListedChat): view.ListedChat => ({
      ...chat(details),
      lastMessage: lastMessage
        ? { text: lastMessage.text, createdAt: lastMessage.createdAt }
        : null,
    }),
    /** `encrypted` is for the sender alone: from it, the sender's e-mail could be guessed offline. */
    message({ message, sender, text }: ReadableMessage, readerId: number): view.Message {
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
