import { trimEndOf } from '../../base/trim-end.js';

/** A number as people write it, in folded text: digits with a space, point, comma, dash, slash or brackets between. */
const number = /(?:(?<![^\s(])-)?\d+(?:(?: ?[()] ?|[ .,/-])\d+)*/g;

/** A date with its year first, or last. */
const date =
  /(?<!\d)(?:(\d{4})([-./])(\d{1,2})\2(\d{1,2})|(\d{1,2})([-./])(\d{1,2})\6(\d{4}))(?!\d)/g;

/** Other ways to write the numbers of a folded text: without what parts their digits, with a point before decimals. */
export function numberForms(text: string): readonly string[] {
  return [...text.matchAll(number)].flatMap(([found]) => formsOf(found));
}

/** The same of a text that is one number and signs around it, such as `+7 (701)` or `33 900 ₸`; nothing of any other. */
export function formsOfNumber(text: string): readonly string[] {
  if (/\p{L}/u.test(text)) return [];
  const [found, ...more] = text.match(number) ?? [];
  return found === undefined || more.length > 0 ? [] : formsOf(found);
}

function formsOf(written: string): readonly string[] {
  const sign = written.startsWith('-') ? '-' : '';
  const whole = sign + onlyDigits(written);
  const [, head = '', separator = '', decimals = ''] = /^(.*)([.,])(\d+)$/.exec(written) ?? [];
  // A separator that repeats parts groups, or the parts of a date.
  if (separator === '' || head.includes(separator)) return [whole];
  const units = sign + onlyDigits(head);
  const short = trimEndOf(decimals, '0');
  const forms = [`${units}.${decimals}`, short === '' ? units : `${units}.${short}`];
  // 1,234 is a thousand and more for some and one and a quarter for others.
  return decimals.length === 3 && units !== '0' ? [whole, ...forms] : forms;
}

function onlyDigits(text: string): string {
  return text.replace(/\D/g, '');
}

/** The dates in a folded text, each as `2026-11-21` and as `21.11.2026`. */
export function dateForms(text: string): readonly string[] {
  return [...text.matchAll(date)].flatMap((found) => {
    const [
      ,
      firstYear,
      ,
      firstMonth,
      firstDay,
      day = firstDay,
      ,
      month = firstMonth,
      year = firstYear,
    ] = found;
    // Where the month comes before the day and cannot be one, it was meant the other way round.
    const [m = '', d = ''] = Number(month) > 12 ? [day, month] : [month, day];
    if (Number(m) < 1 || Number(m) > 12 || Number(d) < 1 || Number(d) > 31) return [];
    const [mm, dd] = [m.padStart(2, '0'), d.padStart(2, '0')];
    return [`${year}-${mm}-${dd}`, `${dd}.${mm}.${year}`];
  });
}
