import { trimEndOf } from '../../base/trim-end.js';
import { foldText } from '../../words/fold-text.js';

/** Quotes, apostrophes, primes and the marks that are typed for them: people leave them out, or type another one. */
const quotes = /["'`´«»ʹ-ʽˈ՚׳״\u2018-\u201f\u2032-\u2037\u2039\u203a\u300c-\u300f\uff02\uff07]/g;

/** Marks of direction, soft hyphens, zero-width characters and the stretching of Arabic letters: nobody types them. */
const unseen = /[\p{Cf}\u0640]/gu;

const dashes = /[\p{Pd}\u2212]/gu;
const digit = /\p{Nd}/u;
const digits = /(?![0-9])\p{Nd}/gu;

/** Letters and signs that stand for one another on keyboards of one script. */
const others: Readonly<Record<string, string>> = {
  ...{ ς: 'σ', є: 'е', ґ: 'г', ð: 'd', þ: 'th', ŋ: 'n', ħ: 'h', ŧ: 't' },
  // Arabic and Persian forms of one letter, and the separators of their numbers.
  ...{ ٱ: 'ا', ى: 'ي', ی: 'ي', ې: 'ي', ک: 'ك', ة: 'ه', ہ: 'ه', '٫': '.', '٬': ',', '،': ',' },
};

const other = new RegExp(`[${Object.keys(others).join('')}]`, 'gu');

/**
 * A text as people search it: without case, accents, quotes and what is not seen, Kazakh letters as the ones on a
 * Russian keyboard, every dash, space and digit as the plain one. Line breaks stay. `«Әл‑Фараби», ٣٣` -> `ал-фараби, 33`
 */
export function fold(text: string): string {
  const bare = foldText(text.replace(quotes, ''));
  const plain = /^[\n\x20-\x7f]*$/.test(bare) ? bare : foldRare(bare);
  return plain.replace(/[^\S\n]{2,}/g, ' ');
}

function foldRare(text: string): string {
  return text
    .replace(unseen, '')
    .replace(dashes, '-')
    .replace(digits, plainDigit)
    .replace(other, (sign) => others[sign] ?? sign)
    .replace(/[^\S\n]/g, ' ');
}

/** The ten digits of a script follow each other, from a code point that ends in 0 or 6. */
function plainDigit(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  const start = code - (code % 16);
  const zero = digit.test(String.fromCodePoint(start)) ? start : start + 6;
  return String(code - zero);
}

/** A word that is searched, and other ways to write it. */
interface Word {
  readonly text: string;
  /** Numbers and dates; one of them is enough. */
  readonly forms: readonly string[];
  /** The words that a hyphen joins; all of them are needed. */
  readonly parts: readonly string[];
}

/** Words that may be the groups of one number: found as that number, or each by itself. */
interface Term {
  readonly words: readonly Word[];
  readonly forms: readonly string[];
}

/** What was typed, ready to be searched. Without any term everything is found. */
export type Query = readonly Term[];

/** Signs that belong to a sentence, not to the word beside them. */
const punctuation = ',;:.!?()[]';

/** What a text is found by: its folded form, then its dates and numbers in other ways to write them. */
export function searchIndex(text: string): string {
  const folded = fold(text);
  if (!/\d/.test(folded)) return folded;
  const dated = [folded, ...dateForms(folded)].join('\n');
  return [dated, ...numberForms(dated)].join('\n');
}

/** Reads what was typed: words that have to be there, wherever, and numbers with any separators. */
export function readQuery(typed: string): Query {
  const words = fold(typed).split(/\s+/).filter(Boolean);
  const telling = words.filter((word) => /[\p{L}\p{N}]/u.test(word));
  const terms: { words: Word[]; digits: string[] }[] = [];
  // A dash between words is no word; alone it is what is searched.
  for (const word of telling.length > 0 ? telling : words) {
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

/** Whether everything that was typed is somewhere in a text, by its index. */
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

/** A number as people write it, in folded text: digits with a space, point, comma, dash, slash or brackets between. */
const number = /(?:(?<![^\s(])-)?\d+(?:(?: ?[()] ?|[ .,/-])\d+)*/g;

/** A date with its year first, or last. */
const date =
  /(?<!\d)(?:(\d{4})([-./])(\d{1,2})\2(\d{1,2})|(\d{1,2})([-./])(\d{1,2})\6(\d{4}))(?!\d)/g;

/** Other ways to write the numbers of a folded text: without what parts their digits, with a point before decimals. */
function numberForms(text: string): readonly string[] {
  return [...text.matchAll(number)].flatMap(([found]) => formsOf(found));
}

/** The same of a text that is one number and signs around it, such as `+7 (701)` or `33 900 ₸`; nothing of any other. */
function formsOfNumber(text: string): readonly string[] {
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
    // Where the month comes before the day and cannot be one, it was meant the other way round.
    const [m = '', d = ''] = Number(month) > 12 ? [day, month] : [month, day];
    if (Number(m) < 1 || Number(m) > 12 || Number(d) < 1 || Number(d) > 31) return [];
    const [mm, dd] = [m.padStart(2, '0'), d.padStart(2, '0')];
    return [`${year}-${mm}-${dd}`, `${dd}.${mm}.${year}`];
  });
}
