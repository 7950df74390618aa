// Connects the chat client to the browser. Only this file uses browser APIs.

import { sleep } from '../shared/sleep.ts';

/** @typedef {import('./types.js').ChatClient} ChatClient */
/** @typedef {import('./types.js').ClientParts} ClientParts */

/** @returns {ClientParts} */
export function browserParts() {
  return {
    fetch: (url, init) => fetch(url, init),
    storage: localStorageOrNone(),
    // Only available with https or on localhost.
    ...(navigator.locks ? { locks: navigator.locks } : {}),
    now: () => performance.now(),
    sleep,
    random: Math.random,
  };
}

/**
 * Notifies the client when the network is available again, the page becomes visible, or another tab changes the
 * storage.
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
