import type { Language } from '../shared/format.ts';
import type { Words } from './words/en.ts';
import { createPlural, type Plural } from './words/plural.ts';

const key = 'admin-language';

/** Each language is a separate file, so that only one is loaded. */
const tables: Readonly<Record<Language, () => Promise<(plural: Plural) => Words>>> = {
  en: async () => (await import('./words/en.ts')).en,
  ru: async () => (await import('./words/ru.ts')).ru,
  kk: async () => (await import('./words/kk.ts')).kk,
};

export async function loadWords(language: Language): Promise<Words> {
  const words = await tables[language]();
  return words(createPlural(language));
}

/** Returns the chosen language, or the first of the browser's that the page has, or English. */
export function pickLanguage(chosen: string | null, preferred: readonly string[]): Language {
  const tags = [chosen ?? '', ...preferred].map((tag) => tag.toLowerCase().split('-')[0]);
  return tags.find(isLanguage) ?? 'en';
}

export function isLanguage(tag: string | undefined): tag is Language {
  return tag !== undefined && Object.hasOwn(tables, tag);
}

export function storedLanguage(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Storage is disabled: the browser's languages decide.
    return null;
  }
}

export function storeLanguage(language: Language): void {
  try {
    localStorage.setItem(key, language);
  } catch {
    // As above; the choice lasts until the page is left.
  }
}
