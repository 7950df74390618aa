import type { Language } from '../../base/languages.js';

/** Times are written as in Kazakhstan, in 24 hours. */
const timeLocales: Readonly<Record<Language, string>> = { en: 'en-GB', ru: 'ru-KZ', kk: 'kk-KZ' };

const whole = new Intl.NumberFormat('ru-KZ', { maximumFractionDigits: 0 });
const exact = new Intl.NumberFormat('ru-KZ', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** `1850` -> `1 850 ₸`, with no-break spaces, as prices are written in Kazakhstan in every language. */
export function formatAmount(amount: number): string {
  return `${(Number.isInteger(amount) ? whole : exact).format(amount)}\u00a0₸`;
}

export interface TimeOptions {
  readonly language: Language;
  /** IANA zone of the shop. */
  readonly zone: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** `14:35`; with the date where that is not today's in the shop. */
export function formatTime(moment: number, { language, zone, now }: TimeOptions): string {
  const isToday = dayOf(moment, zone) === dayOf(now, zone);
  const parts = isToday
    ? ({ hour: '2-digit', minute: '2-digit' } as const)
    : ({ day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' } as const);
  const locale = timeLocales[language];
  return new Intl.DateTimeFormat(locale, { ...parts, timeZone: zone }).format(moment);
}

function dayOf(moment: number, zone: string): string {
  return new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone: zone }).format(moment);
}

/** `252000` milliseconds -> `4:12`; hours are written where there are any. What is over is `0:00`. */
export function formatLeft(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const ofHour = hours > 0 ? `${hours}:${two(minutes)}` : String(minutes);
  return `${ofHour}:${two(seconds % 60)}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
