import { isLanguage, type Language } from '../../base/languages.js';
import { remembering } from '../../base/remember.js';
import { weighedEntries } from './weight.js';

/** The cookie that keeps a visitor's choice. */
const languageCookie = 'lang';

/** A year, in seconds. */
const choiceLife = 31_536_000;

/** Where a request may say which language is wanted. */
export interface LanguageWishes {
  /** `?lang=` of the address. */
  readonly query: string | undefined;
  /** The Cookie header, or ''. */
  readonly cookie: string;
  /** The Accept-Language header, or ''. */
  readonly accept: string;
}

/** What an answer whose language was chosen by these depends on, for `Vary`. */
export const languageVary = 'Accept-Language, Cookie';

/**
 * The language of a page: the visitor's choice (in the address, else the one kept in a cookie), then what the browser
 * asks for (RFC 9110 section 12.5.4), then the shop's own.
 */
export function chooseLanguage({ query = '', cookie, accept }: LanguageWishes, own: Language) {
  if (isLanguage(query)) return query;
  const kept = cookieValue(cookie, languageCookie);
  if (isLanguage(kept)) return kept;
  return acceptedLanguage(accept) ?? own;
}

/** The header that keeps a choice for a year. */
export function keepLanguage(language: Language): string {
  return `${languageCookie}=${language}; Max-Age=${choiceLife}; Path=/; SameSite=Lax`;
}

/** A cookie's value in a Cookie header; '' where there is none. */
function cookieValue(header: string, name: string): string {
  if (header === '') return '';
  const start = `${name}=`;
  const pair = header.split(';').find((text) => text.trim().startsWith(start));
  return pair?.trim().slice(start.length) ?? '';
}

/** The language of ours that a browser likes best; of equals, the one it names first. */
const acceptedLanguage = remembering((header: string): Language | undefined => {
  let best: { readonly language: Language; readonly weight: number } | undefined;
  for (const { name, weight } of weighedEntries(header)) {
    const language = name.split('-')[0] ?? '';
    if (isLanguage(language) && weight > (best?.weight ?? 0)) best = { language, weight };
  }
  return best?.language;
});
