// What the chat client needs, as a browser has it. The only file here that knows one.

import { sleep } from '../shared/sleep.ts';

/** @typedef {import('./types.js').ChatClient} ChatClient */
/** @typedef {import('./types.js').ClientParts} ClientParts */

/** @returns {ClientParts} */
export function browserParts() {
  return {
    fetch: (url, init) => fetch(url, init),
    storage: localStorageOrNone(),
    // Only pages with https (or on localhost) have them.
    ...(navigator.locks ? { locks: navigator.locks } : {}),
    now: () => performance.now(),
    sleep,
    random: Math.random,
  };
}

/**
 * Lets the client notice what happens around the page: the network is back, the page is visible again,
 * another tab has changed the storage.
 *
 * @param {ChatClient} client
 */
export function followBrowser(client) {
  addEventListener('online', client.wake);
  addEventListener('pageshow', ({ persisted }) => persisted && client.wake());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') client.wake();
  });
  addEventListener('storage', ({ key, newValue, storageArea }) => {
    if (storageArea === localStorageOrNone()) client.storageChanged(key, newValue);
  });
}

function localStorageOrNone() {
  try {
    return localStorage;
  } catch {
    return null;
  }
}
