// The texts of the page in the user's language, including counts, times and days.

import { createDates } from './dates.js';
import { readableName } from './names.js';

/** @typedef {'en' | 'ru' | 'kk'} Language */
/** @typedef {Readonly<Record<string, string>>} Forms plural forms by their Intl.PluralRules category */
/** @typedef {Readonly<Record<string, string | Forms>>} Table */
/** @typedef {ReturnType<typeof createWords>} Words */

/** The languages and their native names. */
export const languages = /** @type {const} */ ({ en: 'English', ru: 'Русский', kk: 'Қазақша' });

/** Loads the table of a language. */
const tables = {
  en: () => import('./lang/en.js'),
  ru: () => import('./lang/ru.js'),
  kk: () => import('./lang/kk.js'),
};

/** Locales for dates with 24-hour times and the day before the month, as is usual in Kazakhstan. */
const locales = { en: 'en-GB', ru: 'ru-KZ', kk: 'kk-KZ' };

/**
 * Returns the chosen language, or else the first available language of the browser, or else English.
 *
 * @param {string | null} chosen
 * @param {readonly string[]} preferred
 * @returns {Language}
 */
export function pickLanguage(chosen, preferred) {
  const codes = [chosen ?? '', ...preferred].map((tag) => tag.toLowerCase().split('-')[0] ?? '');
  return /** @type {Language} */ (codes.find((code) => Object.hasOwn(languages, code)) ?? 'en');
}

/** @param {Language} language */
export async function loadWords(language) {
  /** @type {{ table: Table, dateNames?: import('./dates.js').DateNames }} */
  const { table, dateNames } = await tables[language]();
  return createWords(language, table, dateNames);
}

/**
 * @param {Language} language
 * @param {Table} table
 * @param {import('./dates.js').DateNames} [dateNames]
 */
export function createWords(language, table, dateNames) {
  const plural = new Intl.PluralRules(language);
  const { number, clock, shortDay, longDay, farDay, digits, whole } = createDates(
    locales[language],
    dateNames,
  );

  /**
   * Returns the text of a key. `{name}` is replaced by the value of `name`, isolated from the direction of the text
   * around it. `count` selects the plural form. For an unknown key, returns the key.
   *
   * @param {string} key
   * @param {Readonly<Record<string, string | number>>} [values]
   */
  const t = (key, values = {}) => {
    const found = Object.hasOwn(table, key) ? table[key] : undefined;
    const text = typeof found === 'object' ? formOf(found, Number(values.count)) : (found ?? key);
    return text.replace(/\{(\w+)\}/g, (_, name) => {
      const value = values[name] ?? '';
      return typeof value === 'number' ? number(value) : isolate(value);
    });
  };

  /** @param {Forms} forms @param {number} count */
  const formOf = (forms, count) => forms[plural.select(count)] ?? forms.other ?? '';

  /** Returns a time such as `14:05`, or '' for an invalid time. @param {string} iso */
  const time = (iso) => format(clock, iso);

  /** Returns a date and time. @param {string} iso */
  const exactTime = (iso) => format(whole, iso);

  /**
   * Returns the name of a day for a heading, such as `Today`, `Friday 20 November` or `3 May 2024`.
   *
   * @param {string} iso
   * @param {Date} now
   */
  const day = (iso, now) => {
    const away = daysBetween(iso, now);
    if (away === 0) return t('today');
    if (away === 1) return t('yesterday');
    const isThisYear = new Date(iso).getFullYear() === now.getFullYear();
    return format(isThisYear ? longDay : farDay, iso);
  };

  /**
   * Returns a short form for a list: a time for today, a day and month for this year, or else a date in digits.
   *
   * @param {string} iso
   * @param {Date} now
   */
  const listTime = (iso, now) => {
    const away = daysBetween(iso, now);
    if (away === 0) return time(iso);
    if (away === 1) return t('yesterday');
    const isThisYear = new Date(iso).getFullYear() === now.getFullYear();
    return format(isThisYear ? shortDay : digits, iso);
  };

  return {
    language,
    t,
    time,
    exactTime,
    day,
    listTime,
    number,
    /** Returns a display name, even for a name without visible characters. @param {string} name @param {number} id */
    name: (name, id) => {
      if (name === 'Deleted account') return t('deletedAccount');
      return readableName(name) || t('nameless', { id });
    },
  };
}

/** @param {import('./dates.js').Format} formatter @param {string} iso */
function format(formatter, iso) {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? '' : formatter(date);
}

/**
 * Returns the number of local calendar days from a time until now. It is negative for a future day.
 *
 * @param {string} iso
 * @param {Date} now
 */
function daysBetween(iso, now) {
  const then = new Date(iso);
  const start = Date.UTC(then.getFullYear(), then.getMonth(), then.getDate());
  const end = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
  return (end - start) / 86_400_000;
}

/** Characters that change the direction of text. In a value, they could affect the text around it. */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/g;

/** Right-to-left letters and direction marks. */
const needsIsolation =
  /[\u0590-\u08ff\u200e\u200f\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** @param {string} text */
function isolate(text) {
  const plain = text.replace(directionMarks, '');
  return needsIsolation.test(plain) ? `\u2068${plain}\u2069` : plain;
}
