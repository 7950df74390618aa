import { trimEndOf } from '../../base/trim-end.js';
import { foldText } from '../../words/fold-text.js';

/** Quotation marks, apostrophes, primes and similar marks, which people omit or replace. */
const quotes = /["'`´«»ʹ-ʽˈ՚׳״\u2018-\u201f\u2032-\u2037\u2039\u203a\u300c-\u300f\uff02\uff07]/g;

/** Direction marks, soft hyphens, zero-width characters and the Arabic tatweel, which people do not type. */
const invisible = /[\p{Cf}\u0640]/gu;

const dashes = /[\p{Pd}\u2212]/gu;
const digit = /\p{Nd}/u;
const digits = /(?![0-9])\p{Nd}/gu;

/** Characters that people type differently on another keyboard of the same script, and their replacements. */
const others: Readonly<Record<string, string>> = {
  ...{ ς: 'σ', є: 'е', ґ: 'г', ð: 'd', þ: 'th', ŋ: 'n', ħ: 'h', ŧ: 't' },
  // Arabic and Persian forms of a letter, and their number separators.
  ...{ ٱ: 'ا', ى: 'ي', ی: 'ي', ې: 'ي', ک: 'ك', ة: 'ه', ہ: 'ه', '٫': '.', '٬': ',', '،': ',' },
};

const other = new RegExp(`[${Object.keys(others).join('')}]`, 'gu');

/**
 * Folds a text for searching. Ignores case, accents, quotation marks and invisible characters. Converts Kazakh letters
 * to those on a Russian keyboard, and dashes, spaces and digits to ASCII. Preserves line breaks. For example, it
 * converts `«Әл‑Фараби», ٣٣` to `ал-фараби, 33`.
 */
export function fold(text: string): string {
  const bare = foldText(text.replace(quotes, ''));
  const plain = /^[\n\x20-\x7f]*$/.test(bare) ? bare : foldRare(bare);
  return plain.replace(/[^\S\n]{2,}/g, ' ');
}

function foldRare(text: string): string {
  return text
    .replace(invisible, '')
    .replace(dashes, '-')
    .replace(digits, plainDigit)
    .replace(other, (sign) => others[sign] ?? sign)
    .replace(/[^\S\n]/g, ' ');
}

/** Converts a digit to ASCII. The digits of a script begin at a code point that ends in hexadecimal 0 or 6. */
function plainDigit(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  const start = code - (code % 16);
  const zero = digit.test(String.fromCodePoint(start)) ? start : start + 6;
  return String(code - zero);
}

/** A searched word and its other forms. */
interface Word {
  readonly text: string;
  /** Forms of a number or date. One of them must match. */
  readonly forms: readonly string[];
  /** The parts of a hyphenated word. All of them must match. */
  readonly parts: readonly string[];
}

/** Words that may be the digit groups of one number. They match as that number or separately. */
interface Term {
  readonly words: readonly Word[];
  readonly forms: readonly string[];
}

/** A parsed query. An empty query matches everything. */
export type Query = readonly Term[];

/** Punctuation at the end of a word. */
const punctuation = ',;:.!?()[]';

/** Returns the search index of a text: its folded form, followed by other forms of its dates and numbers. */
export function searchIndex(text: string): string {
  const folded = fold(text);
  if (!/\d/.test(folded)) return folded;
  const dated = [folded, ...dateForms(folded)].join('\n');
  return [dated, ...numberForms(dated)].join('\n');
}

/** Parses a query into words, which must all occur, and numbers, which match with any separators. */
export function readQuery(typed: string): Query {
  const words = fold(typed).split(/\s+/).filter(Boolean);
  const significant = words.filter((word) => /[\p{L}\p{N}]/u.test(word));
  const terms: { words: Word[]; digits: string[] }[] = [];
  // Ignores a dash between words, but not a query that consists of a dash.
  for (const word of significant.length > 0 ? significant : words) {
    const isNumber = /\d/.test(word) && !/\p{L}/u.test(word);
    const last = terms.at(-1);
    if (isNumber && last && last.digits.length > 0) {
      last.words.push(wordOf(word));
      last.digits.push(word);
    } else {
      terms.push({ words: [wordOf(word)], digits: isNumber ? [word] : [] });
    }
  }
  return terms.map((term) => ({
    words: term.words,
    forms: term.words.length > 1 ? formsOfNumber(term.digits.join(' ')) : [],
  }));
}

function wordOf(typed: string): Word {
  const text = trimEndOf(typed, punctuation).replace(/^[,;:.!?()[\]]+/, '') || typed;
  const parts = /^\p{L}{2,}(-\p{L}{2,})+$/u.test(text) ? text.split('-') : [];
  return { text, forms: [...formsOfNumber(text), ...dateForms(text).slice(0, 1)], parts };
}

/** Returns true if the index of a text matches the query. */
export function isFound(query: Query, index: string): boolean {
  return query.every(
    ({ words, forms }) =>
      words.every((word) => hasWord(index, word)) || forms.some((form) => index.includes(form)),
  );
}

function hasWord(index: string, { text, forms, parts }: Word): boolean {
  return (
    index.includes(text) ||
    forms.some((form) => index.includes(form)) ||
    (parts.length > 0 && parts.every((part) => index.includes(part)))
  );
}

/** A number in folded text: digits with spaces, points, commas, dashes, slashes or brackets between them. */
const number = /(?:(?<![^\s(])-)?\d+(?:(?: ?[()] ?|[ .,/-])\d+)*/g;

/** A date with the year first or last. */
const date =
  /(?<!\d)(?:(\d{4})([-./])(\d{1,2})\2(\d{1,2})|(\d{1,2})([-./])(\d{1,2})\6(\d{4}))(?!\d)/g;

/** Returns other forms of the numbers in a folded text, without separators and with a decimal point. */
function numberForms(text: string): readonly string[] {
  return [...text.matchAll(number)].flatMap(([found]) => formsOf(found));
}

/** Returns the forms of a text that is one number with symbols around it, such as `+7 (701)` or `33 900 ₸`. */
function formsOfNumber(text: string): readonly string[] {
  if (/\p{L}/u.test(text)) return [];
  const [found, ...more] = text.match(number) ?? [];
  return found === undefined || more.length > 0 ? [] : formsOf(found);
}

function formsOf(written: string): readonly string[] {
  const sign = written.startsWith('-') ? '-' : '';
  const whole = sign + onlyDigits(written);
  const [, head = '', separator = '', decimals = ''] = /^(.*)([.,])(\d+)$/.exec(written) ?? [];
  // A repeated separator groups digits, or separates the parts of a date.
  if (separator === '' || head.includes(separator)) return [whole];
  const units = sign + onlyDigits(head);
  const short = trimEndOf(decimals, '0');
  const forms = [`${units}.${decimals}`, short === '' ? units : `${units}.${short}`];
  // The comma in 1,234 may separate thousands or decimals.
  return decimals.length === 3 && units !== '0' ? [whole, ...forms] : forms;
}

function onlyDigits(text: string): string {
  return text.replace(/\D/g, '');
}

/** Returns the dates in a folded text, each as `2026-11-21` and `21.11.2026`. */
function dateForms(text: string): readonly string[] {
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
    // If the month is above 12, the date has the month first, and this is the day.
    const [m = '', d = ''] = Number(month) > 12 ? [day, month] : [month, day];
    if (Number(m) < 1 || Number(m) > 12 || Number(d) < 1 || Number(d) > 31) return [];
    const [mm, dd] = [m.padStart(2, '0'), d.padStart(2, '0')];
    return [`${year}-${mm}-${dd}`, `${dd}.${mm}.${year}`];
  });
}
