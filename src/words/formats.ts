import type { Language } from './languages.js';

/**
 * Locales by language. British English uses 24-hour times and puts the day before the month, as is usual in Kazakhstan.
 */
export const locales: Readonly<Record<Language, string>> = {
  en: 'en-GB',
  ru: 'ru-KZ',
  kk: 'kk-KZ',
};

/**
 * Formats by language. They are created on first use, because creating the first one takes longer than starting a small
 * command.
 */
const formats = new Map<string, Intl.NumberFormat>();

/** Formats a number in a language (Russian by default): `2 000` with no-break spaces, or `2,000` in English. */
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
 * Formats an amount in tenge for a page: `1 850 ₸` or `99,50 ₸` with no-break spaces, or `1,850 ₸` in English. For
 * terminals, use src/terminal/formats.ts.
 */
export function formatTenge(amount: number, language?: Language): string {
  return `${formatNumber(amount, language, Number.isInteger(amount) ? 0 : 2)}\u00a0₸`;
}

/**
 * Formats milliseconds as `m:ss`, or as `h:mm:ss` from one hour. Rounds up, so that 0:00 means that no time is left.
 */
export function formatTimeLeft(milliseconds: number): string {
  const total = Math.max(0, Math.ceil(milliseconds / 1000));
  const [hours, minutes, seconds] = [total / 3600, (total / 60) % 60, total % 60].map(Math.floor);
  const two = (value: number | undefined) => String(value ?? 0).padStart(2, '0');
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** The forms of a noun by the plural categories of a language; `{}` stands for the number. */
type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & {
  readonly other: string;
};

/**
 * Returns a function that formats a phrase with a number: `plural('ru', {few: '{} товара', …})(3)` returns `3 товара`.
 */
export function plural(language: Language, forms: Forms): (count: number) => string {
  let rules: Intl.PluralRules | undefined;
  return (count) => {
    rules ??= new Intl.PluralRules(language);
    return (forms[rules.select(count)] ?? forms.other).replace('{}', formatNumber(count, language));
  };
}
