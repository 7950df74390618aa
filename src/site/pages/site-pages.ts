import type { Shop } from '#validators/site';
import type { AppError } from '../../base/errors.js';
import type { Html } from '../../base/html.js';
import { html } from '../../base/html.js';
import type { FailedRequest } from '../../http/answer/envelope.js';
import type { Pages } from '../../http/answer/page-frame.js';
import { chooseLanguage } from '../../http/request/negotiation.js';
import type { Language } from '../../words/languages.js';
import { defaultSettings, defaultShop } from '../content.js';
import type { FramedPage } from './frame.js';
import { drawFrame } from './frame.js';
import { contactList } from './shop-card.js';
import type { SiteFacts } from './site-facts.js';
import type { SiteViews } from './site-view.js';
import type { Failure, Failures, Words } from './words/en.js';
import { wordsOf } from './words/words.js';

export interface SitePagesOptions {
  readonly views: SiteViews;
  readonly publicUrl: () => string;
}

/** Returns the frame of the pages for visitors, and a function that draws error pages. */
export function createSitePages({ views, publicUrl }: SitePagesOptions) {
  const pages: Pages = {
    languageOf: async (request) => languageFor(request, (await views.current()).shop),
    frame: async (content) => drawFrame(content, await views.current()),
    async contact(language) {
      const { shop } = await views.current();
      return contactList(shop, wordsOf(language)) ?? html``;
    },
  };

  /** Returns the last known site facts, or default values if the storage was never available. */
  async function knownFacts(): Promise<SiteFacts> {
    const last = views.last();
    if (last) return last;
    const unknown = { origin: publicUrl(), settings: defaultSettings, shop: defaultShop };
    return views.current().catch(() => unknown);
  }

  return {
    ...pages,
    /** Draws an error as a page. */
    async failure({ error, header, querystring }: FailedRequest): Promise<string> {
      const site = await knownFacts();
      const query = { lang: new URLSearchParams(querystring).get('lang') };
      const language = languageFor({ header, query }, site.shop);
      return drawFrame(failurePage(error, language, site.shop), site);
    },
  };
}

/** Returns the language of a request: that of `?lang=`, the cookie, Accept-Language or the shop, in this order. */
export function languageFor(
  { header, query }: { header(name: string): string; readonly query: { readonly lang?: unknown } },
  shop: Shop,
): Language {
  const { lang } = query;
  const preferences = {
    query: typeof lang === 'string' ? lang : undefined,
    cookie: header('Cookie'),
    accept: header('Accept-Language'),
  };
  return chooseLanguage(preferences, shop.language);
}

type FailureName = keyof Failures;

const byCode: Readonly<Record<string, FailureName>> = {
  not_for_sale: 'notForSale',
  payments_unavailable: 'noPayments',
};

const byStatus: Readonly<Record<number, FailureName>> = {
  401: 'forbidden',
  403: 'forbidden',
  404: 'missing',
  405: 'method',
  409: 'conflict',
  412: 'conflict',
  413: 'tooLarge',
  429: 'tooMany',
  503: 'away',
};

/** Returns the key of an error's text. */
function failureName({ code, status }: Pick<AppError, 'code' | 'status'>): FailureName {
  return byCode[code] ?? byStatus[status] ?? (status < 500 ? 'request' : 'fault');
}

/** Returns an error page: a description of the error, a link to the home page, and the shop's contacts. */
function failurePage(error: AppError, language: Language, shop: Shop): FramedPage {
  const words = wordsOf(language);
  const name = failureName(error);
  const { title } = words.failures[name];
  return {
    language,
    title,
    // The language links stay at the current address.
    path: '',
    isIndexed: false,
    body: html`<div class="notice failure"><div class="mark" aria-hidden="true"></div><h1>${title}</h1><p>${sentence(error, words.failures[name], words)}</p><p class="status">${error.status}</p><a class="button primary" href="/">${words.home}</a>${contactList(shop, words)}</div>`,
  };
}

function sentence({ headers }: AppError, { text }: Failure, words: Words): Html {
  const seconds = Number(headers?.['Retry-After']);
  const { wait } = words.failures.tooMany;
  return text === words.failures.tooMany.text && seconds > 0
    ? html`${text} ${wait(seconds)}`
    : html`${text}`;
}
