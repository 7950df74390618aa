import type { Html } from '../../base/html.js';
import { isLanguage, type Language } from '../../words/languages.js';
import { keepLanguage, languageVary } from '../request/negotiation.js';
import type { QueryParameters } from '../request/query.js';
import type { ApiRequest } from '../route/route.js';
import { okWith, type Reply } from './reply.js';
import { represent } from './representation.js';

/** What a page of its own puts into the frame of all pages. */
export interface PageContent {
  readonly language: Language;
  /** Of the page alone; the shop's name is added. */
  readonly title: string;
  readonly description?: string;
  /**
   * Path with query, for the canonical address and the language links. Where its query has `lang`, the links of the page
   * keep the language too.
   */
  readonly path: string;
  /** Whether search engines may list it. */
  readonly isIndexed: boolean;
  /** What else the page's head holds. */
  readonly head?: Html;
  /** What stands between the header and the footer, inside `main`. */
  readonly body: Html;
}

/** The frame that every page for visitors has, and what goes with it. */
export interface Pages {
  /** The language of a request: `?lang=`, the cookie, Accept-Language, the shop's. */
  languageOf(request: Pick<ApiRequest, 'header' | 'query'>): Promise<Language>;
  /** The whole document: head, header with language links, footer with the shop's card. */
  frame(content: PageContent): Promise<string>;
  /** How to reach the shop (phone, WhatsApp), for where nobody can take payments; empty where it says neither. */
  contact(language: Language): Promise<Html>;
}

/** The query of every page: the language that the visitor chose. Other values are as none. */
export const pageQuery = {
  lang: { type: 'string', description: 'en, ru or kk', takesFirst: true },
} as const satisfies QueryParameters;

/** The headers of a page: browsers revalidate it every time, and Vary names what chose its language. */
export const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-cache',
  Vary: languageVary,
} as const;

/** Returns the header that keeps the language that the query names; undefined if it names none. */
export function choiceHeader(lang: unknown): Reply['headers'] {
  if (typeof lang !== 'string' || !isLanguage(lang)) return undefined;
  return { 'Set-Cookie': keepLanguage(lang) };
}

/** Returns a page that is the same for every visitor, as an answer with an ETag. */
export function pageReply(page: string, lang?: unknown): Reply {
  return okWith(represent(page, pageHeaders), choiceHeader(lang));
}

/** Returns a page that shows what belongs to one visitor: nobody may keep it. */
export function privatePageReply(page: string, lang?: unknown): Reply {
  const headers = { ...pageHeaders, 'Cache-Control': 'no-store', ...choiceHeader(lang) };
  return { status: 200, content: page, headers };
}
