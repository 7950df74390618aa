import type { Language } from '../../../base/languages.js';
import { en } from './en.js';
import { kk } from './kk.js';
import { ru } from './ru.js';
import type { Words } from './words.js';

const all: Readonly<Record<Language, Words>> = { en, ru, kk };

/** What pages say in a language. */
export function wordsOf(language: Language): Words {
  return all[language];
}
