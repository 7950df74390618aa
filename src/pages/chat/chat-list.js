// The list of chats: the server's last list, and local changes since then.

/** @typedef {import('./types.js').Chat} Chat */
/** @typedef {import('./types.js').ListedChat} ListedChat */
/** @typedef {import('./types.js').Message} Message */

/**
 * A local change that the server's last list may not include yet. `until` is null until the server has confirmed the
 * change. Then it is a request number: lists with a higher request number include the change.
 *
 * @typedef {(
 *   | { kind: 'post', message: Message }
 *   | { kind: 'chat', chat: Chat }
 *   | { kind: 'left', chatId: number }
 *   | { kind: 'mark', chatId: number, messageId: number, counted: number, seenId: number }
 * ) & { until: number | null }} Change A read mark reduces the number of unread messages by
 *   `counted`, the number of other users' messages up to `seenId`.
 */

/** @typedef {{ listed: readonly ListedChat[] | null, changes: readonly Change[] }} ChatList */

/** @type {ChatList} */
export const noList = { listed: null, changes: [] };

/**
 * Updates the list with a response of the server. `listed` is null if the response was 304 Not Modified.
 *
 * @param {ChatList} list
 * @param {{ listed: readonly ListedChat[] | null, number: number }} response `number` is the number of the request
 * @returns {ChatList}
 */
export function withResponse(list, { listed, number }) {
  const changes = list.changes.filter(({ until }) => until === null || until >= number);
  return {
    listed: listed ?? list.listed,
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
 * Confirms a read mark by setting `until`, or removes it if the server has rejected it.
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
export function shownChats({ listed, changes }) {
  if (listed === null || changes.length === 0) return listed;
  return changes.reduce(applied, listed);
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
 * Returns the ID of the chat's last message in the list; 0 if there are no messages.
 *
 * @param {ListedChat} chat
 */
export function lastId(chat) {
  return chat.lastMessage?.id ?? 0;
}
