// Formats values for display. Prices are in tenge, formatted as in Kazakhstan: 1 850 ₸.

export type Language = 'en' | 'ru' | 'kk';

/**
 * Locales with a 24-hour clock and the day before the month. Browsers that do not support Kazakh use Russian, which has
 * the same number formats.
 */
const locales: Readonly<Record<Language, string[]>> = {
  en: ['en-GB'],
  ru: ['ru-KZ'],
  kk: ['kk-KZ', 'ru-KZ'],
};

/** The language of formatted values. `months` contains the names of the months for browsers that lack them. */
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

/** Caches the format of each language, because creating a format is slow. */
function perLanguage<Format>(create: (locale: string[]) => Format) {
  const created: Partial<Record<Language, Format>> = {};
  return (language: Language): Format => {
    created[language] ??= create(locales[language]);
    return created[language];
  };
}

/** Formats `1850` as `1 850` with non-breaking spaces, or as `1,850` in English. */
export function formatNumber(value: number, { language }: Locale = { language: 'ru' }): string {
  return number(language)(value);
}

/** Formats `1850` as `1 850 ₸` with non-breaking spaces, or as `1,850 ₸` in English. */
export function formatPrice(price: number | string, locale?: Locale): string {
  const value = Number(price);
  return Number.isFinite(value) ? `${formatNumber(value, locale)}\u00a0₸` : '';
}

/** Formats `2026-11-01` as `1 November 2026`. Returns text that is not a date unchanged. */
export function formatDate(text: string, locale: Locale = { language: 'en' }): string {
  const date = parseDate(text);
  if (!date) return text;
  const month = missingMonth(date, locale);
  if (month === undefined) return day(locale.language)(date);
  return `${date.getFullYear()} ж. ${date.getDate()} ${month}`;
}

/** Formats `2026-11-22T16:40:00.000Z` as `21:40`, in the browser's time zone. */
export function formatTime(moment: string, { language }: Locale = { language: 'en' }): string {
  return time(language)(new Date(moment));
}

/** Formats a time as `22 Nov, 21:40`, in the browser's time zone. Returns text that is not a time unchanged. */
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

/** Parses a time. A date without a time is that day in the browser's time zone, not midnight UTC. */
function parseDate(text: string): Date | undefined {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  const date = parts
    ? new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]))
    : new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/**
 * Parses a price such as `1850`, `1 850,50` or `1,850`. Returns NaN for anything else, so that the form reports an
 * error instead of storing a wrong price.
 */
export function parsePrice(text: string): number {
  const bare = text.replace(/[\s₸]/g, '');
  // Commas before groups of three digits separate thousands. Any other single comma is a decimal comma.
  const isGrouped = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(bare);
  const plain = isGrouped ? bare.replaceAll(',', '') : bare.replace(',', '.');
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : Number.NaN;
}
