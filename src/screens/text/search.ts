import { trimEndOf } from '../../base/trim-end.js';
import { fold } from './fold.js';
import { dateForms, formsOfNumber, numberForms } from './numbers.js';

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
