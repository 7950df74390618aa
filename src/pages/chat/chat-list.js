// The list of chats: the server's last answer, and local changes since then.

/** @typedef {import('./types.js').Chat} Chat */
/** @typedef {import('./types.js').ListedChat} ListedChat */
/** @typedef {import('./types.js').Message} Message */

/**
 * A local change that a list from the server may not include yet. Lists whose request number is above `until`
 * include it; null until the server has confirmed it.
 *
 * @typedef {(
 *   | { kind: 'post', message: Message }
 *   | { kind: 'chat', chat: Chat }
 *   | { kind: 'left', chatId: number }
 *   | { kind: 'mark', chatId: number, messageId: number, counted: number, seenId: number }
 * ) & { until: number | null }} Change a mark reduces the unread messages by `counted`, the messages of
 *   others up to `seenId`
 */

/** @typedef {{ given: readonly ListedChat[] | null, changes: readonly Change[] }} ChatList */

/** @type {ChatList} */
export const noList = { given: null, changes: [] };

/**
 * Adds an answer of the server to the list. `given` is null if the answer was 304.
 *
 * @param {ChatList} list
 * @param {{ given: readonly ListedChat[] | null, number: number }} answer `number` of its request
 * @returns {ChatList}
 */
export function withAnswer(list, { given, number }) {
  const changes = list.changes.filter(({ until }) => until === null || until >= number);
  return {
    given: given ?? list.given,
    changes: changes.length === list.changes.length ? list.changes : changes,
  };
}

/**
 * @param {ChatList} list
 * @param {Change} change
 * @returns {ChatList}
 */
export function withChange(list, change) {
  return { ...list, changes: [...list.changes, change] };
}

/**
 * Confirms a read mark (`until`), or removes it if the server rejected it.
 *
 * @param {ChatList} list
 * @param {{ chatId: number, messageId: number, until: number | null }} outcome
 * @returns {ChatList}
 */
export function withMarkEnded(list, { chatId, messageId, until }) {
  const changes = list.changes.flatMap((change) => {
    if (change.kind !== 'mark' || change.chatId !== chatId) return [change];
    if (change.messageId > messageId || change.until !== null) return [change];
    return until === null ? [] : [{ ...change, until }];
  });
  return { ...list, changes };
}

/**
 * Returns the chats to show, or null before the first list.
 *
 * @param {ChatList} list
 * @returns {readonly ListedChat[] | null}
 */
export function shownChats({ given, changes }) {
  if (given === null || changes.length === 0) return given;
  return changes.reduce(applied, given);
}

/**
 * @param {readonly ListedChat[]} chats
 * @param {Change} change
 * @returns {readonly ListedChat[]}
 */
function applied(chats, change) {
  switch (change.kind) {
    case 'post':
      return posted(chats, change.message);
    case 'chat':
      return changed(chats, change.chat);
    case 'left':
      return chats.filter(({ id }) => id !== change.chatId);
    case 'mark':
      return chats.map((chat) => (chat.id === change.chatId ? marked(chat, change) : chat));
  }
}

/** @param {readonly ListedChat[]} chats @param {Message} message */
function posted(chats, message) {
  const chat = chats.find(({ id }) => id === message.chatId);
  if (!chat || lastId(chat) >= message.id) return chats;
  const { id, senderId, senderName, text, type, createdAt } = message;
  const lastMessage = { id, senderId, senderName, text, type, createdAt };
  return [{ ...chat, lastMessage }, ...chats.filter((other) => other !== chat)];
}

/** @param {readonly ListedChat[]} chats @param {Chat} chat */
function changed(chats, chat) {
  const known = chats.find(({ id }) => id === chat.id);
  if (!known) return [{ ...chat, lastMessage: null }, ...chats];
  const { unread, lastReadId } = known;
  return chats.map((each) => (each === known ? { ...each, ...chat, unread, lastReadId } : each));
}

/** @param {ListedChat} chat @param {Change & { kind: 'mark' }} mark */
function marked(chat, { messageId, counted, seenId }) {
  if (messageId <= (chat.lastReadId ?? 0)) return chat;
  const unread = seenId >= lastId(chat) ? 0 : Math.max(0, chat.unread - counted);
  return { ...chat, lastReadId: messageId, unread };
}

/**
 * Returns the ID of the chat's last message in the list; 0 without messages.
 *
 * @param {ListedChat} chat
 */
export function lastId(chat) {
  return chat.lastMessage?.id ?? 0;
}
