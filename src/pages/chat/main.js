import { byId, failureNotice, h } from '../shared/dom.ts';
import { browserParts, followBrowser } from './browser.js';
import { createChatClient } from './client.js';
import { createBanner } from './page/banner.js';
import { closeDialogs } from './page/dialog.js';
import { createEntrance, rememberVisit } from './page/entrance.js';
import { keepLanguage, storedLanguage } from './page/preferences.js';
import { openSettings } from './page/settings.js';
import { createShell } from './page/shell.js';
import { loadWords, pickLanguage } from './page/words.js';

/** @typedef {import('./page/app.js').App} App */
/** @typedef {import('./page/app.js').State} State */
/** @typedef {import('./page/words.js').Language} Language */

const client = createChatClient(browserParts());
const container = byId('page');
const banner = createBanner(say);
const live = h('div', { class: 'visually-hidden', role: 'status' });
/** @type {Map<number, string>} */
const drafts = new Map();
/** @type {import('./page/words.js').Words} */
let words;
/** @type {ReturnType<typeof createShell> | undefined} */
let shell;
/** @type {ReturnType<typeof createEntrance> | undefined} */
let entrance;

/** @returns {App} */
const makeApp = () => ({
  client,
  words,
  state: client.state,
  now: () => new Date(),
  setLanguage,
  drafts,
  go,
  say,
  rest: () => shell?.rest(),
});

/** Returns the chat ID in the address: 12 for `#chat-12`. */
function chatOfAddress() {
  const id = Number(/^#chat-(\d{1,15})$/.exec(location.hash)?.[1]);
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

/** @param {number | null} chatId */
function go(chatId) {
  if (chatId === chatOfAddress()) return follow({ moveFocus: true });
  location.hash = chatId === null ? '' : `chat-${chatId}`;
}

/** Shows the chat that the address selects. @param {{ moveFocus: boolean }} options */
function follow(options) {
  if (shell) shell.follow(chatOfAddress(), options);
  else entrance?.follow();
}

/** Announces a text to screen readers, even if it is unchanged. @param {string} text */
function say(text) {
  live.replaceChildren(h('p', { text }));
}

/** @param {State} state */
function update(state) {
  const isIn = state.phase === 'signed-in' && state.user !== null;
  if (isIn !== (shell !== undefined)) return build();
  shell?.update(state);
  entrance?.update(state);
  banner.update(state, words);
  showTitle(state);
}

/** @param {State} state */
function showTitle({ phase, chats }) {
  const unread = (chats ?? []).reduce((sum, chat) => sum + chat.unread, 0);
  const count = phase === 'signed-in' && unread > 0 ? `(${words.number(unread)}) ` : '';
  const title = `${count}${words.t('chats')}`;
  if (document.title !== title) document.title = title;
}

/** Builds the page for the current user and language. */
function build() {
  const state = client.state();
  closeDialogs();
  shell?.end();
  shell = undefined;
  entrance = undefined;
  document.documentElement.lang = words.language;
  // Keeps a link to a chat during sign-in, but removes the address of a form or of the previous user's chat.
  const isChat = chatOfAddress() !== null;
  const isIn = state.phase === 'signed-in' && state.user !== null;
  if (location.hash && (isIn ? !isChat : isChat && isShown)) {
    history.replaceState(null, '', location.pathname);
  }
  byId('skip').textContent = words.t('skipToChat');
  if (isIn) {
    rememberVisit();
    shell = createShell(makeApp(), {
      open: (id) => (id === null ? client.closeChat() : client.openChat(id)),
    });
  } else {
    drafts.clear();
    entrance = createEntrance(makeApp());
  }
  container.replaceChildren(/** @type {HTMLElement} */ ((shell ?? entrance)?.element));
  follow({ moveFocus: false });
  update(client.state());
  if (!isShown) return;
  if (shell) shell.rest();
  else byId('main').focus();
}

let isShown = false;

/** @param {Language} language */
async function setLanguage(language) {
  keepLanguage(language);
  const hadSettings = shell !== undefined;
  try {
    words = await loadWords(language);
  } catch {
    // The words could not be loaded, so the language does not change.
    return;
  }
  build();
  if (hadSettings) openSettings(makeApp());
  // The previous dialog is still in the page but closed.
  const choice = document.querySelector(
    'dialog[open] [name="language"], .entrance [name="language"]',
  );
  if (choice instanceof HTMLElement) choice.focus();
}

async function begin() {
  const language = pickLanguage(storedLanguage(), navigator.languages);
  try {
    words = await loadWords(language);
  } catch {
    const error = { message: 'The server cannot be reached. Check your connection and try again.' };
    container.replaceChildren(failureNotice('The page could not be loaded', error, begin, 'h2'));
    return;
  }
  document.body.prepend(banner.element, live);
  client.subscribe(update);
  followBrowser(client);
  client.start();
  build();
  isShown = true;
}

byId('skip').addEventListener('click', (event) => {
  event.preventDefault();
  if (shell) shell.rest();
  else byId('main').focus();
});
window.addEventListener('hashchange', () => follow({ moveFocus: true }));
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') shell?.look();
});

await begin();
