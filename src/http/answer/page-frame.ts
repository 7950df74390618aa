import type { Html } from '../../base/html.js';
import { isLanguage, type Language } from '../../words/languages.js';
import { keepLanguage, languageVary } from '../request/negotiation.js';
import type { QueryParameters } from '../request/query.js';
import type { ApiRequest } from '../route/route.js';
import { okWith, type Reply } from './reply.js';
import { represent } from './representation.js';

/** The content of a page for the shared frame. */
export interface PageContent {
  readonly language: Language;
  /** The page title, to which the frame adds the shop's name. */
  readonly title: string;
  readonly description?: string;
  /**
   * Path with query, for the canonical address and the language links. If the query contains `lang`, the page's links
   * keep it.
   */
  readonly path: string;
  /** True if search engines may index the page. */
  readonly isIndexed: boolean;
  /** Further elements of the page's head. */
  readonly head?: Html;
  /** The content of `main`, between the header and the footer. */
  readonly body: Html;
}

/** The frame of every page for visitors, and its helpers. */
export interface Pages {
  /**
   * Returns the language of a request, from `?lang=`, the cookie, Accept-Language or the shop's setting, in this order.
   */
  languageOf(request: Pick<ApiRequest, 'header' | 'query'>): Promise<Language>;
  /** Returns the complete document: head, header with language links, and footer with the shop's contact card. */
  frame(content: PageContent): Promise<string>;
  /**
   * Returns the shop's contact details (phone, WhatsApp) for when it cannot take payments. Empty if the shop has
   * neither.
   */
  contact(language: Language): Promise<Html>;
}

/** The query of every page: the language that the visitor chose. Other parameters are ignored. */
export const pageQuery = {
  lang: { type: 'string', description: 'en, ru or kk', takesFirst: true },
} as const satisfies QueryParameters;

/**
 * The headers of a page. Browsers revalidate it every time, and `Vary` names the headers that determine its language.
 */
export const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-cache',
  Vary: languageVary,
} as const;

/** Returns the header that stores the language of the query, or undefined if the query has no valid language. */
export function choiceHeader(lang: unknown): Reply['headers'] {
  if (typeof lang !== 'string' || !isLanguage(lang)) return undefined;
  return { 'Set-Cookie': keepLanguage(lang) };
}

/** Returns a response with an ETag for a page that is the same for every visitor. */
export function pageReply(page: string, lang?: unknown): Reply {
  return okWith(represent(page, pageHeaders), choiceHeader(lang));
}

/** Returns a response for a page with one visitor's data, which must not be cached. */
export function privatePageReply(page: string, lang?: unknown): Reply {
  const headers = { ...pageHeaders, 'Cache-Control': 'no-store', ...choiceHeader(lang) };
  return { status: 200, content: page, headers };
}
