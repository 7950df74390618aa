import type { Language } from '../../base/languages.js';
import { momentOf } from '../content.js';

/** British: the day stands before the month, as it does here. */
const locales: Readonly<Record<Language, string>> = { en: 'en-GB', ru: 'ru-KZ', kk: 'kk-KZ' };

const dayAlone = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Gives the day of a date or date-time in words, as it is in the shop's zone; a date without a time is that day
 * everywhere. `2026-11-01` -> `1 November 2026`. A text that is no date stays as it is.
 */
export function dayFormat(language: Language, timeZone: string): (text: string) => string {
  const here = new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone });
  const anywhere = new Intl.DateTimeFormat(locales[language], {
    dateStyle: 'long',
    timeZone: 'UTC',
  });
  return (text) => {
    const moment = momentOf(text);
    if (Number.isNaN(moment)) return text;
    return (dayAlone.test(text) ? anywhere : here).format(moment);
  };
}
