// Readers of the server's answers. An answer of another shape is a failure of the call.

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
 * Returns the given fields of an object after checking them.
 *
 * @param {string} what
 * @param {any} given
 * @param {Record<string, (value: unknown) => boolean>} fields
 * @returns {any}
 */
function pick(what, given, fields) {
  if (typeof given !== 'object' || given === null) throw badAnswer(`missing ${what}`);
  return Object.fromEntries(
    Object.entries(fields).map(([name, isRight]) => {
      if (!isRight(given[name])) throw badAnswer(`${what}: ${name}`);
      return [name, given[name]];
    }),
  );
}

/**
 * @template T
 * @param {string} what
 * @param {unknown} given
 * @param {(item: unknown) => T} read
 * @returns {T[]}
 */
function each(what, given, read) {
  if (!Array.isArray(given)) throw badAnswer(`missing list of ${what}`);
  return given.map(read);
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

/** @param {any} given @returns {Message} */
export function readMessage(given) {
  const fields = { ...heading, chatId: isId, senderAvatar: isText };
  const message = pick('message', given, fields);
  return isText(given.error) ? { ...message, error: given.error } : message;
}

/**
 * Reads a page of messages, which must be in the order of their IDs.
 *
 * @param {any} body
 * @param {number} chatId
 */
export function readMessagePage(body, chatId) {
  const messages = each('messages', body.messages, readMessage);
  messages.forEach((message, index) => {
    const before = messages[index - 1];
    if (message.chatId !== chatId) throw badAnswer('a message of another chat');
    if (before && before.id >= message.id) throw badAnswer('messages out of order');
  });
  if (typeof body.hasMore !== 'boolean') throw badAnswer('missing hasMore');
  return { messages, hasMore: body.hasMore === true };
}

/** @param {any} given @returns {Chat} */
export function readChat(given) {
  const read = pick('chat', given, chat);
  return isMark(given.peerReadId) ? { ...read, peerReadId: given.peerReadId } : read;
}

/** @param {any} body @returns {ListedChat[]} */
export function readChatList(body) {
  return each('chats', body.chats, (given) => ({
    ...readChat(given),
    lastMessage: readLastMessage(given),
  }));
}

/** @param {any} given @returns {LastMessage | null} */
function readLastMessage({ lastMessage }) {
  return lastMessage === null ? null : pick('last message', lastMessage, heading);
}

/** @param {any} body @returns {Person[]} */
export function readPeople(body) {
  return each('people', body.users, (given) => pick('person', given, person));
}

/** @param {any} body @returns {{ members: Person[], hasMore: boolean }} */
export function readMembers(body) {
  if (typeof body.hasMore !== 'boolean') throw badAnswer('missing hasMore');
  const members = each('members', body.members, (given) => pick('person', given, person));
  return { members, hasMore: body.hasMore };
}

/** @param {any} body @returns {Channel[]} */
export function readChannels(body) {
  return each('channels', body.channels, (given) => pick('channel', given, channel));
}

/** @param {any} body @returns {PersonWithBio} */
export function readPerson(body) {
  return pick('person', body.user, { ...person, bio: isText });
}

/** @param {any} given @returns {Account} */
export function readAccount(given) {
  const account = pick('account', given, { ...person, email: isText });
  return isText(given.bio) ? { ...account, bio: given.bio } : account;
}

/** @param {any} body @returns {{ token: string, user: Account }} */
export function readSignedIn(body) {
  if (!isText(body?.token) || body.token === '') throw badAnswer('missing token');
  return { token: body.token, user: readAccount(body.user) };
}
