import type { Language } from '../../base/languages.js';
import { locales } from '../../base/number-formats.js';

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
  return new Intl.DateTimeFormat(locales[language], { ...parts, timeZone: zone }).format(moment);
}

function dayOf(moment: number, zone: string): string {
  return new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone: zone }).format(moment);
}
