// The services that are passed to every part of the page. This file contains only types.

/** @typedef {import('../types.js').State} State */
/** @typedef {import('../types.js').ListedChat} ListedChat */
/**
 * @typedef {object} App
 * @property {import('../types.js').ChatClient} client
 * @property {import('./words.js').Words} words
 * @property {() => State} state
 * @property {() => Date} now the user's clock, which is used only for the names of days
 * @property {(language: import('./words.js').Language) => unknown} setLanguage
 * @property {Map<number, string>} drafts unsent texts by chat ID
 * @property {(chatId: number | null) => void} go opens a chat or the list
 * @property {(text: string) => void} say announces a text to screen readers
 * @property {() => void} rest moves the focus to the open chat or the list, after the focused element was removed
 */

export {};
