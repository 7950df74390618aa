import { foldText } from '../../base/fold-text.js';

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
