import type { Language } from './languages.js';

/** British English writes 24-hour times and the day before the month, as people in Kazakhstan do. */
export const locales: Readonly<Record<Language, string>> = {
  en: 'en-GB',
  ru: 'ru-KZ',
  kk: 'kk-KZ',
};

/** Formats by language, created with the first amount: the first one of all takes longer than starting a small command. */
const formats = new Map<string, Intl.NumberFormat>();

/** Formats a number as a language does, by default Russian: `2 000`, with no-break spaces; in English `2,000`. */
export function formatNumber(number: number, language: Language = 'ru', decimals = 0): string {
  const key = `${language} ${decimals}`;
  let format = formats.get(key);
  if (!format) {
    const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    format = new Intl.NumberFormat(locales[language], digits);
    formats.set(key, format);
  }
  return format.format(number);
}

/**
 * Formats an amount in tenge as a page shows it: `1 850 ₸`, `99,50 ₸`, with no-break spaces; in English `1,850 ₸`. A
 * terminal has plain ones (src/terminal/formats.ts).
 */
export function formatTenge(amount: number, language?: Language): string {
  return `${formatNumber(amount, language, Number.isInteger(amount) ? 0 : 2)}\u00a0₸`;
}
