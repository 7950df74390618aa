import type { Words } from './words/words.js';

/** Days as schema.org writes opening hours: `Mo-Fr 09:00-18:00, Sa 10:00-15:00`. */
const names = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];
const days = /^(?:Mo|Tu|We|Th|Fr|Sa|Su)(?:-(?:Mo|Tu|We|Th|Fr|Sa|Su))?$/;
const times = /^\d{1,2}:\d{2}-\d{1,2}:\d{2}$/;

/** Opening hours as people of a language read them; a text that is not written in that form stays as it is. */
export function openingHours(hours: string, words: Pick<Words, 'days'>): string {
  const parts = hours.split(/[\s,;]+/).filter(Boolean);
  if (!parts.every((part) => days.test(part) || times.test(part))) return hours;
  const named = hours.replace(/[MTWFS][a-z]/g, (name) => words.days[names.indexOf(name)] ?? name);
  return named === hours ? hours : named.replaceAll('-', '–');
}
