import type { Language } from '../../base/languages.js';
import { locales } from '../../base/number-formats.js';
import { momentOf } from '../content.js';

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
