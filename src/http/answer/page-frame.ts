import type { Html } from '../../base/html.js';
import { isLanguage, type Language } from '../../words/languages.js';
import { keepLanguage, languageVary } from '../request/negotiation.js';
import type { QueryParameters } from '../request/query.js';
import type { ApiRequest } from '../route/route.js';
import { okWith, type Reply } from './reply.js';
import { represent } from './representation.js';

/** The content that a page puts into the shared frame. */
export interface PageContent {
  readonly language: Language;
  /** The page's own title; the frame adds the shop's name. */
  readonly title: string;
  readonly description?: string;
  /**
   * Path with query, for the canonical address and the language links. If its query has `lang`, the page's links keep
   * the language too.
   */
  readonly path: string;
  /** True if search engines may list it. */
  readonly isIndexed: boolean;
  /** Further elements of the page's head. */
  readonly head?: Html;
  /** The content of `main`, between the header and the footer. */
  readonly body: Html;
}

/** The frame of every page for visitors, and its helpers. */
export interface Pages {
  /** Returns the language of a request: by `?lang=`, else the cookie, else Accept-Language, else the shop's. */
  languageOf(request: Pick<ApiRequest, 'header' | 'query'>): Promise<Language>;
  /** Returns the whole document: head, header with language links, footer with the shop's card. */
  frame(content: PageContent): Promise<string>;
  /** Returns how to reach the shop (phone, WhatsApp) if it cannot take payments; empty if the shop has set neither. */
  contact(language: Language): Promise<Html>;
}

/** The query of every page: the language that the visitor chose. Other values are ignored. */
export const pageQuery = {
  lang: { type: 'string', description: 'en, ru or kk', takesFirst: true },
} as const satisfies QueryParameters;

/** The headers of a page: browsers revalidate it every time, and Vary names the headers that choose its language. */
export const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-cache',
  Vary: languageVary,
} as const;

/** Returns the header that stores the language of the query; undefined if the query has no valid language. */
export function choiceHeader(lang: unknown): Reply['headers'] {
  if (typeof lang !== 'string' || !isLanguage(lang)) return undefined;
  return { 'Set-Cookie': keepLanguage(lang) };
}

/** Returns a page that is the same for every visitor, as an answer with an ETag. */
export function pageReply(page: string, lang?: unknown): Reply {
  return okWith(represent(page, pageHeaders), choiceHeader(lang));
}

/** Returns a page with one visitor's data, which nobody may cache. */
export function privatePageReply(page: string, lang?: unknown): Reply {
  const headers = { ...pageHeaders, 'Cache-Control': 'no-store', ...choiceHeader(lang) };
  return { status: 200, content: page, headers };
}
