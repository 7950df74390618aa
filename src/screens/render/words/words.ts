import type { Locale } from '../format.js';
import { en, type Words } from './en.js';
import { kk } from './kk.js';
import { ru } from './ru.js';

/** The runtime's own words by language. */
export const wordsOf: Readonly<Record<Locale, Words>> = { en, ru, kk };
