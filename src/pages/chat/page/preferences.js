// What the reader chose for this page, in this browser.

import { languages } from './words.js';

/** @typedef {import('./words.js').Language} Language */
/** @typedef {'system' | 'light' | 'dark'} Theme */

const languageKey = 'chat-language';
const themeKey = 'chat-theme';

/** @returns {string | null} */
export const storedLanguage = () => read(languageKey);

/** @param {Language} language */
export function keepLanguage(language) {
  if (Object.hasOwn(languages, language)) write(languageKey, language);
}

/** @returns {Theme} */
export function storedTheme() {
  const theme = read(themeKey);
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/**
 * Shows the page in a theme and remembers it.
 *
 * @param {Theme} theme
 */
export function chooseTheme(theme) {
  write(themeKey, theme);
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** @param {string} key */
function read(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** @param {string} key @param {string} value */
function write(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Full or switched off: it holds until the page is closed.
  }
}
