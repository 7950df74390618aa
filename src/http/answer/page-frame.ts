import type { Html } from '../../base/html.js';
import { isLanguage, type Language } from '../../base/languages.js';
import { keepLanguage, languageVary } from '../request/language.js';
import type { QueryParameters } from '../request/query.js';
import type { ApiRequest } from '../route/route.js';
import { etagOf } from './etag.js';
import type { Reply } from './reply.js';

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
  /** The whole document: head, header with language links, footer with the shop's card. It ends with `documentEnd`. */
  frame(content: PageContent): Promise<string>;
  /** How to reach the shop (phone, WhatsApp), for where nobody can take payments; empty where it says neither. */
  contact(language: Language): Promise<Html>;
}

/** The end of every document: what belongs to one visitor alone is put before it. */
export const documentEnd = '</body></html>\n';

/** The query of every page: the language that the visitor chose. Other values are as none. */
export const pageQuery = {
  lang: { type: 'string', description: 'en, ru or kk', takesFirst: true },
} as const satisfies QueryParameters;

export interface PageReplyOptions {
  /** `?lang=` of the request: a choice is kept in the cookie. */
  readonly lang?: unknown;
  /** 200 where absent. */
  readonly status?: number;
  /** Whether it shows what is one visitor's: nobody keeps it then. */
  readonly isPrivate?: boolean;
}

/** A page as an answer: Vary says what chose its language; browsers ask about it every time, which its ETag makes cheap. */
export function pageReply(page: string, options: PageReplyOptions = {}): Reply {
  const { status = 200, isPrivate = false } = options;
  const headers = pageHeaders(options);
  return { status, content: page, headers, ...(isPrivate ? {} : { etag: etagOf(page) }) };
}

/** The headers of a page. */
export function pageHeaders({ lang, isPrivate = false }: PageReplyOptions) {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': isPrivate ? 'no-store' : 'no-cache',
    Vary: languageVary,
    ...(typeof lang === 'string' && isLanguage(lang) ? { 'Set-Cookie': keepLanguage(lang) } : {}),
  };
}
