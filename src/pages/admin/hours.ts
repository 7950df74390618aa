// Opening hours as one text, in the form of schema.org. No page needed.

/** The days in the form of schema.org, Monday first. */
export const dayCodes = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'] as const;
const codes: readonly string[] = dayCodes;

/** From opening to closing of one day, as `HH:MM`; undefined if the shop is closed. */
export type DayHours = { from: string; to: string } | undefined;

const group = /^(\w\w)(?:-(\w\w))? (\d{1,2}:\d{2})-(\d{1,2}:\d{2})$/;

/**
 * Returns the hours of each day, Monday first, from a text such as `Mo-Fr 09:00-18:00, Sa 10:00-14:00`. Returns
 * undefined for any other text, such as one in a person's own words or with two periods for a day.
 */
export function parseHours(text: string): DayHours[] | undefined {
  const week: DayHours[] = dayCodes.map(() => undefined);
  if (text.trim() === '') return week;
  for (const part of text.split(/[,;]/)) {
    const [, first = '', last = first, from = '', to = ''] = group.exec(part.trim()) ?? [];
    const start = indexOf(first);
    const end = indexOf(last);
    if (start < 0 || end < start || !isTime(from) || !isTime(to)) return undefined;
    for (let day = start; day <= end; day += 1) {
      if (week[day]) return undefined;
      week[day] = { from: from.padStart(5, '0'), to: to.padStart(5, '0') };
    }
  }
  return week;
}

/** Returns the text for the hours of each day; neighbouring days with equal hours are one part of it. */
export function writeHours(week: readonly DayHours[]): string {
  const parts: { first: number; last: number; times: string }[] = [];
  for (const [day, hours] of week.entries()) {
    if (!hours) continue;
    const times = `${hours.from}-${hours.to}`;
    const before = parts.at(-1);
    if (before?.last === day - 1 && before.times === times) before.last = day;
    else parts.push({ first: day, last: day, times });
  }
  return parts
    .map(({ first, last, times }) => {
      const days = first === last ? dayCodes[first] : `${dayCodes[first]}-${dayCodes[last]}`;
      return `${days} ${times}`;
    })
    .join(', ');
}

function indexOf(code: string): number {
  return codes.indexOf(code);
}

function isTime(text: string): boolean {
  return /^([01]?\d|2[0-3]):[0-5]\d$/.test(text);
}
