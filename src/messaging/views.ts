import { avatarPath } from './avatar.js';
import type { ChatDetails, ListedChat } from './chats.js';
import type { ReadableMessage } from './messages.js';
import type { Chat, User } from './model.js';

/** What clients see. Default avatars are addresses under the public URL, made when answering. */
export interface Views {
  /** What everyone sees of a user. */
  person(user: User): PersonView;
  /** What users see of themselves when they sign in. */
  account(user: User): AccountView;
  /** What users see of themselves when they ask. */
  profile(user: User): ProfileView;
  chat(details: ChatDetails): ChatView;
  listedChat(listed: ListedChat): ListedChatView;
  channel(channel: Chat): ChannelView;
  /** `encrypted` is for the sender alone: from it, the sender's e-mail could be guessed offline. */
  message(readable: ReadableMessage, readerId: number): MessageView;
}

interface PersonView {
  readonly id: number;
  readonly username: string;
  readonly avatar: string;
}

interface AccountView extends PersonView {
  readonly email: string;
}

interface ProfileView extends AccountView {
  readonly bio: string;
}

interface ChannelView {
  readonly id: number;
  readonly name: string;
  readonly avatar: string;
  readonly ownerId: number;
  readonly createdAt: string;
}

interface ChatView extends ChannelView {
  readonly type: Chat['type'];
  readonly participants: readonly number[];
}

interface ListedChatView extends ChatView {
  readonly lastMessage: { readonly text: string; readonly createdAt: string } | null;
}

interface MessageView {
  readonly id: number;
  readonly chatId: number;
  readonly senderId: number;
  readonly senderName: string;
  readonly senderAvatar: string;
  readonly text: string;
  readonly type: string;
  readonly encrypted?: object;
  readonly error?: string;
  readonly createdAt: string;
}

/** `publicUrl` is where clients reach the site, without a slash at its end. */
export function createViews(publicUrl: () => string): Views {
  const avatarOf = ({ avatar, id, username }: User) =>
    avatar ?? publicUrl() + avatarPath('user', id, username);

  function channel({ id, name, ownerId, createdAt }: Chat): ChannelView {
    const avatar = publicUrl() + avatarPath('chat', id, name);
    return { id, name, avatar, ownerId, createdAt };
  }

  function chat({ chat: stored, participants, other }: ChatDetails): ChatView {
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
