// The list of chats: what the server gave last, and what was changed here since then.

/** @typedef {import('./types.js').Chat} Chat */
/** @typedef {import('./types.js').ListedChat} ListedChat */
/** @typedef {import('./types.js').Message} Message */

/**
 * Something done here that a list from the server may not show yet. `until`: the lists whose request was
 * numbered above it do; null while the server has not confirmed it.
 *
 * @typedef {(
 *   | { kind: 'post', message: Message }
 *   | { kind: 'chat', chat: Chat }
 *   | { kind: 'left', chatId: number }
 *   | { kind: 'mark', chatId: number, messageId: number, counted: number, seenId: number }
 * ) & { until: number | null }} Change a mark leaves `counted` messages of others less unread, of those
 *   up to `seenId`
 */

/** @typedef {{ given: readonly ListedChat[] | null, changes: readonly Change[] }} ChatList */

/** @type {ChatList} */
export const noList = { given: null, changes: [] };

/**
 * The list with an answer of the server: `given` is null where it said that nothing has changed (304).
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
 * The list with the read mark of this chat confirmed (`until`) or, where it was refused, taken back.
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
 * What to show, or null where no list has come yet.
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
 * The highest message id that the list names of this chat, 0 where it has none.
 *
 * @param {ListedChat} chat
 */
export function lastId(chat) {
  return chat.lastMessage?.id ?? 0;
}
