// What the page says, in the reader's language: sentences, counted things, times of day and days.

import { createDates } from './dates.js';
import { readableName } from './names.js';

/** @typedef {'en' | 'ru' | 'kk'} Language */
/** @typedef {Readonly<Record<string, string>>} Forms by the categories of Intl.PluralRules */
/** @typedef {Readonly<Record<string, string | Forms>>} Table */
/** @typedef {ReturnType<typeof createWords>} Words */

/** Each language by its own name. */
export const languages = /** @type {const} */ ({ en: 'English', ru: 'Русский', kk: 'Қазақша' });

/** Loaded when they are first needed. */
const tables = {
  en: () => import('./lang/en.js'),
  ru: () => import('./lang/ru.js'),
  kk: () => import('./lang/kk.js'),
};

/** Where a day is written, and how: 24 hours and day before month, as in Kazakhstan. */
const locales = { en: 'en-GB', ru: 'ru-KZ', kk: 'kk-KZ' };

/**
 * The chosen language, else the first of the browser's that there is, else English.
 *
 * @param {string | null} chosen
 * @param {readonly string[]} wanted
 * @returns {Language}
 */
export function pickLanguage(chosen, wanted) {
  const codes = [chosen ?? '', ...wanted].map((tag) => tag.toLowerCase().split('-')[0] ?? '');
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
   * A sentence. `{name}` is replaced by what is given, kept apart from the direction of the text around
   * it; `count` chooses the form. What is in no table is its own key, so that it is noticed.
   *
   * @param {string} key
   * @param {Readonly<Record<string, string | number>>} [given]
   */
  const t = (key, given = {}) => {
    const found = Object.hasOwn(table, key) ? table[key] : undefined;
    const text = typeof found === 'object' ? formOf(found, Number(given.count)) : (found ?? key);
    return text.replace(/\{(\w+)\}/g, (_, name) => {
      const value = given[name] ?? '';
      return typeof value === 'number' ? number(value) : isolate(value);
    });
  };

  /** @param {Forms} forms @param {number} count */
  const formOf = (forms, count) => forms[plural.select(count)] ?? forms.other ?? '';

  /** @param {string} key */
  const has = (key) => Object.hasOwn(table, key);

  /** `14:05`; nothing for what is no time. @param {string} iso */
  const time = (iso) => format(clock, iso);

  /** With its day, for who wants to know exactly. @param {string} iso */
  const exactTime = (iso) => format(whole, iso);

  /**
   * The name of a day as a heading among messages: `Today`, `Friday 20 November`, `3 May 2024`.
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
   * As short as a list needs it: the time of today, the day of this year, all digits before.
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
    has,
    time,
    exactTime,
    day,
    listTime,
    number,
    /** A name to show, also where it has nothing that could be seen. @param {string} name @param {number} id */
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
 * Days from a time to now on the reader's calendar; a day still to come is negative.
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

/** Marks that turn text around; between isolates they could reach out of what is given. */
const turning = /[\u202a-\u202e\u2066-\u2069]/g;

/** Letters from right to left, and marks of direction. */
const needsIsolation =
  /[\u0590-\u08ff\u200e\u200f\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** @param {string} text */
function isolate(text) {
  const plain = text.replace(turning, '');
  return needsIsolation.test(plain) ? `\u2068${plain}\u2069` : plain;
}
