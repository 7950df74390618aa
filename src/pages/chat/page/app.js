// What every part of the page is given; nothing here runs.

/** @typedef {import('../types.js').State} State */
/** @typedef {import('../types.js').ListedChat} ListedChat */
/**
 * @typedef {object} App
 * @property {import('../types.js').ChatClient} client
 * @property {import('./words.js').Words} words
 * @property {() => State} state
 * @property {() => Date} now the reader's clock, for the words of days only
 * @property {(language: import('./words.js').Language) => unknown} setLanguage
 * @property {Map<number, string>} drafts what was typed and not sent, by chat
 * @property {(chatId: number | null) => void} go to a chat, or to the list
 * @property {(text: string) => void} say to those who hear the page
 * @property {() => void} rest puts the focus where the reader continues, when what had it is gone
 */

export {};
