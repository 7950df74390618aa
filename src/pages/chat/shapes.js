// Reads the server's responses. A response with an unexpected shape is treated as a failed call.

import { badAnswer } from '../shared/failure.ts';

/** @typedef {import('./types.js').Account} Account */
/** @typedef {import('./types.js').Channel} Channel */
/** @typedef {import('./types.js').Chat} Chat */
/** @typedef {import('./types.js').LastMessage} LastMessage */
/** @typedef {import('./types.js').ListedChat} ListedChat */
/** @typedef {import('./types.js').Message} Message */
/** @typedef {import('./types.js').MessageType} MessageType */
/** @typedef {import('./types.js').Person} Person */
/** @typedef {import('./types.js').PersonWithBio} PersonWithBio */

/** @param {unknown} value @returns {value is number} */
const isId = (value) => Number.isSafeInteger(value) && Number(value) > 0;
/** @param {unknown} value @returns {value is number} */
const isCount = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
/** @param {unknown} value @returns {value is number | null} */
const isMark = (value) => value === null || isId(value);
/** @param {unknown} value @returns {value is string} */
const isText = (value) => typeof value === 'string';
/** @param {unknown} value @returns {value is MessageType} */
const isMessageType = (value) => value === 'text' || value === 'emoji' || value === 'sticker';
/** @param {unknown} value @returns {value is Chat['type']} */
const isChatType = (value) => value === 'private' || value === 'group' || value === 'channel';
/** @param {unknown} value @returns {value is number[]} */
const isIdList = (value) => Array.isArray(value) && value.every(isId);

/**
 * Checks the fields of an object and returns an object with only those fields.
 *
 * @param {string} kind
 * @param {any} value
 * @param {Record<string, (value: unknown) => boolean>} fields
 * @returns {any}
 */
function pick(kind, value, fields) {
  if (typeof value !== 'object' || value === null) throw badAnswer(`missing ${kind}`);
  return Object.fromEntries(
    Object.entries(fields).map(([name, isValid]) => {
      if (!isValid(value[name])) throw badAnswer(`${kind}: ${name}`);
      return [name, value[name]];
    }),
  );
}

/**
 * @template T
 * @param {string} kind
 * @param {unknown} value
 * @param {(item: unknown) => T} read
 * @returns {T[]}
 */
function each(kind, value, read) {
  if (!Array.isArray(value)) throw badAnswer(`missing list of ${kind}`);
  return value.map(read);
}

const person = { id: isId, username: isText, avatar: isText };
const heading = {
  id: isId,
  senderId: isId,
  senderName: isText,
  text: isText,
  type: isMessageType,
  createdAt: isText,
};
const chat = {
  id: isId,
  type: isChatType,
  participants: isIdList,
  name: isText,
  avatar: isText,
  ownerId: isId,
  createdAt: isText,
  unread: isCount,
  lastReadId: isMark,
  participantCount: isCount,
};
const channel = { id: isId, name: isText, avatar: isText, ownerId: isId, createdAt: isText };

/** @param {any} value @returns {Message} */
export function readMessage(value) {
  const fields = { ...heading, chatId: isId, senderAvatar: isText };
  const message = pick('message', value, fields);
  return isText(value.error) ? { ...message, error: value.error } : message;
}

/**
 * Reads a page of messages, which must be sorted by ID.
 *
 * @param {any} body
 * @param {number} chatId
 */
export function readMessagePage(body, chatId) {
  const messages = each('messages', body.messages, readMessage);
  messages.forEach((message, index) => {
    const before = messages[index - 1];
    if (message.chatId !== chatId) throw badAnswer('a message of a different chat');
    if (before && before.id >= message.id) throw badAnswer('messages out of order');
  });
  if (typeof body.hasMore !== 'boolean') throw badAnswer('missing hasMore');
  return { messages, hasMore: body.hasMore === true };
}

/** @param {any} value @returns {Chat} */
export function readChat(value) {
  const read = pick('chat', value, chat);
  return isMark(value.peerReadId) ? { ...read, peerReadId: value.peerReadId } : read;
}

/** @param {any} body @returns {ListedChat[]} */
export function readChatList(body) {
  return each('chats', body.chats, (value) => ({
    ...readChat(value),
    lastMessage: readLastMessage(value),
  }));
}

/** @param {any} value @returns {LastMessage | null} */
function readLastMessage({ lastMessage }) {
  return lastMessage === null ? null : pick('last message', lastMessage, heading);
}

/** @param {any} body @returns {Person[]} */
export function readPeople(body) {
  return each('people', body.users, (value) => pick('person', value, person));
}

/** @param {any} body @returns {{ members: Person[], hasMore: boolean }} */
export function readMembers(body) {
  if (typeof body.hasMore !== 'boolean') throw badAnswer('missing hasMore');
  const members = each('members', body.members, (value) => pick('person', value, person));
  return { members, hasMore: body.hasMore };
}

/** @param {any} body @returns {Channel[]} */
export function readChannels(body) {
  return each('channels', body.channels, (value) => pick('channel', value, channel));
}

/** @param {any} body @returns {PersonWithBio} */
export function readPerson(body) {
  return pick('person', body.user, { ...person, bio: isText });
}

/** @param {any} value @returns {Account} */
export function readAccount(value) {
  const account = pick('account', value, { ...person, email: isText });
  return isText(value.bio) ? { ...account, bio: value.bio } : account;
}

/** @param {any} body @returns {{ token: string, user: Account }} */
export function readSignedIn(body) {
  if (!isText(body?.token) || body.token === '') throw badAnswer('missing token');
  return { token: body.token, user: readAccount(body.user) };
}
