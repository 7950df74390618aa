// Formats values for display. Prices are in tenge, formatted as in Kazakhstan: 1 850 ₸.

export type Language = 'en' | 'ru' | 'kk';

/**
 * Locales with a 24-hour clock and the day before the month. Browsers without Kazakh use Russian, which has the same
 * digits.
 */
const locales: Readonly<Record<Language, string[]>> = {
  en: ['en-GB'],
  ru: ['ru-KZ'],
  kk: ['kk-KZ', 'ru-KZ'],
};

/** A language to show values in. `months` are the names of months that some browsers lack. */
export interface Locale {
  readonly language: Language;
  readonly months?: readonly string[];
}

const number = perLanguage(
  (locale) =>
    new Intl.NumberFormat(locale, {
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
      trailingZeroDisplay: 'stripIfInteger',
    }).format,
);
const time = perLanguage(
  (locale) => new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' }).format,
);
const day = perLanguage(
  (locale) =>
    new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric' }).format,
);
const shortDay = perLanguage(
  (locale) => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' }).format,
);

/** Caches the format of each language, because creating one is slow. */
function perLanguage<Format>(create: (locale: string[]) => Format) {
  const created: Partial<Record<Language, Format>> = {};
  return (language: Language): Format => {
    created[language] ??= create(locales[language]);
    return created[language];
  };
}

/** `1850` -> `1 850`, with no-break spaces; in English `1,850`. */
export function formatNumber(value: number, { language }: Locale = { language: 'ru' }): string {
  return number(language)(value);
}

/** `1850` -> `1 850 ₸`, with no-break spaces; in English `1,850 ₸`. */
export function formatPrice(price: number | string, locale?: Locale): string {
  const value = Number(price);
  return Number.isFinite(value) ? `${formatNumber(value, locale)}\u00a0₸` : '';
}

/** `2026-11-01` -> `1 November 2026`; text that is not a date stays as it is. */
export function formatDate(text: string, locale: Locale = { language: 'en' }): string {
  const date = parseDate(text);
  if (!date) return text;
  const month = missingMonth(date, locale);
  if (month === undefined) return day(locale.language)(date);
  return `${date.getFullYear()} ж. ${date.getDate()} ${month}`;
}

/** `2026-11-22T16:40:00.000Z` -> `21:40` in the browser's time zone. */
export function formatTime(moment: string, { language }: Locale = { language: 'en' }): string {
  return time(language)(new Date(moment));
}

/** `2026-11-22T16:40:00.000Z` -> `22 Nov, 21:40` in the browser's time zone; text that is not a time stays as it is. */
export function formatMoment(moment: string, locale: Locale): string {
  const date = parseDate(moment);
  if (!date) return moment;
  const month = missingMonth(date, locale)?.slice(0, 3);
  const shown = month ? `${date.getDate()} ${month}.` : shortDay(locale.language)(date);
  return `${shown}, ${formatTime(moment, locale)}`;
}

/** Returns the name of the date's month if the browser lacks it. */
function missingMonth(date: Date, { language, months }: Locale): string | undefined {
  const isKnown = Intl.DateTimeFormat.supportedLocalesOf(language).length > 0;
  return isKnown ? undefined : months?.[date.getMonth()];
}

/** A date without a time is that day in the browser's time zone, not midnight in Greenwich. */
function parseDate(text: string): Date | undefined {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  const date = parts
    ? new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]))
    : new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/**
 * Reads a typed price: `1850`, `1 850,50`, `1,850`. Returns NaN for anything else, so that the form reports it instead
 * of storing a wrong price.
 */
export function parsePrice(text: string): number {
  const bare = text.replace(/[\s₸]/g, '');
  // Commas that each precede three digits separate thousands; a single one anywhere else is a decimal comma.
  const isGrouped = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(bare);
  const plain = isGrouped ? bare.replaceAll(',', '') : bare.replace(',', '.');
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : Number.NaN;
}
