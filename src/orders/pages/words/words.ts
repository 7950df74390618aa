import type { Language } from '../../../words/languages.js';
import { en } from './en.js';
import { kk } from './kk.js';
import type { OrderWords } from './order-words.js';
import { ru } from './ru.js';

/** The texts of the order page in each language. */
export const orderWords: Readonly<Record<Language, OrderWords>> = { en, ru, kk };
