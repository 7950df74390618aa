// The user's preferences for this page in this browser.

/** @typedef {import('./words.js').Language} Language */
/** @typedef {'system' | 'light' | 'dark'} Theme */

const languageKey = 'chat-language';
const themeKey = 'chat-theme';

/** @returns {string | null} */
export const storedLanguage = () => read(languageKey);

/** @param {Language} language */
export const keepLanguage = (language) => write(languageKey, language);

/** @returns {Theme} */
export function storedTheme() {
  const theme = read(themeKey);
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/**
 * Applies and stores a theme.
 *
 * @param {Theme} theme
 */
export function chooseTheme(theme) {
  write(themeKey, theme);
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** @param {string} key @param {string | null} [otherwise] the value if storage is not available */
export function read(key, otherwise = null) {
  try {
    return localStorage.getItem(key);
  } catch {
    return otherwise;
  }
}

/** @param {string} key @param {string} value */
export function write(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // If storage is full or not available, the choice applies until the page is closed.
  }
}
