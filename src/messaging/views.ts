import { LRUCache } from 'lru-cache';
import type * as view from '#validators/messaging';
import { jsonText } from '../base/json-text.js';
import { createAvatarPaths } from './avatar.js';
import type { ChatDetails } from './chat-details.js';
import type { LastMessage, ListedChat } from './chat-list.js';
import { encryptedJson } from './message-json.js';
import type { ReadableMessage } from './messages.js';
import type { Chat, User } from './model.js';

/** Bytes of all names and pictures of senders that are cached. */
const cachedSenders = 4 * 1024 * 1024;
/** What one of them takes beside its texts, in bytes. */
const senderWeight = 200;

/** What a message says of its sender. */
type ShownSender = Pick<view.Message, 'senderName' | 'senderAvatar'> & {
  /** The two as they stand in the JSON of a message. */
  readonly json: string;
};

export type Views = ReturnType<typeof createViews>;

/**
 * What clients see. Default avatars are addresses under the public URL, made when answering. `publicUrl` is
 * where clients reach the site, without a slash at its end.
 */
export function createViews(publicUrl: () => string) {
  const avatarPath = createAvatarPaths();
  const avatarOf = ({ avatar, id, username }: User) =>
    avatar ?? publicUrl() + avatarPath('user', id, username);
  const senders = new LRUCache<number, ShownSender>({
    maxSize: cachedSenders,
    sizeCalculation: ({ senderName, senderAvatar, json }) =>
      senderWeight + 2 * (senderName.length + senderAvatar.length + json.length),
  });

  /** What is shown of a sender: the same object for as long as it is remembered and nothing of it has changed. */
  function sender(user: User | undefined, id: number): ShownSender {
    const senderName = user?.username ?? '';
    const senderAvatar = user ? avatarOf(user) : publicUrl() + avatarPath('user', id, '');
    const known = senders.get(id);
    if (known?.senderName === senderName && known.senderAvatar === senderAvatar) return known;
    const json = `"senderName":${jsonText(senderName)},"senderAvatar":${jsonText(senderAvatar)}`;
    const shown = { senderName, senderAvatar, json };
    senders.set(id, shown);
    return shown;
  }

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
    /** What everyone sees of a user who asks for one. */
    publicProfile: (user: User): view.PublicProfile => {
      const { id, username, bio } = user;
      return { id, username, avatar: avatarOf(user), bio };
    },
    /** What the operator sees of a user. */
    managedUser: (user: User): view.ManagedUser => {
      const { bio, createdAt } = user;
      return { ...account(user), bio, createdAt };
    },
    account,
    /** What users see of themselves when they ask. */
    profile: (user: User): view.Profile => ({ ...account(user), bio: user.bio }),
    chat,
    channel,
    listedChat: ({ lastMessage: last, ...details }: ListedChat): view.ListedChat => ({
      ...chat(details),
      lastMessage: last ? lastMessage(last) : null,
    }),
    sender,
    /**
     * The JSON of a message. `encrypted` is for the sender alone: from it, the sender's e-mail could be guessed offline.
     */
    messageJson({ message, sender: user, text }: ReadableMessage, readerId: number): string {
      const { id, chatId, senderId, type, encrypted, createdAt } = message;
      const own = senderId === readerId ? `,"encrypted":${encryptedJson(encrypted)}` : '';
      const error = text === undefined ? undecryptable : '';
      return `{"id":${id},"chatId":${chatId},"senderId":${senderId},${sender(user, senderId).json},"text":${jsonText(text ?? '')},"type":"${type}"${own}${error},"createdAt":${jsonText(createdAt)}}`;
    },
  };
}

const undecryptable = ',"error":"This message cannot be decrypted."';
