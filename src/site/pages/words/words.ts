import type { Language } from '../../../words/languages.js';
import { en, type Words } from './en.js';
import { kk } from './kk.js';
import { ru } from './ru.js';

const all: Readonly<Record<Language, Words>> = { en, ru, kk };

/** Returns the page texts in a language. */
export function wordsOf(language: Language): Words {
  return all[language];
}
