import { html } from '../../base/html.js';
import type { Language } from '../../base/languages.js';
import type { FailedRequest } from '../../http/answer/envelope.js';
import type { Pages } from '../../http/answer/page-frame.js';
import { chooseLanguage } from '../../http/request/language.js';
import { defaultSettings } from '../content.js';
import { failurePage } from './failure.js';
import { drawFrame } from './frame.js';
import { contactList } from './shop-card.js';
import { languageOfShop, type ShopCard, type SiteFacts } from './site-facts.js';
import type { SiteViews } from './site-view.js';
import { wordsOf } from './words/words-of.js';

/** What is shown of a site that could never be read. */
const nothingKnown: ShopCard = {
  ...{ name: '', phone: '', whatsapp: '', address: '', hours: '', language: 'en', map: '' },
};

export interface SitePagesOptions {
  readonly views: SiteViews;
  readonly publicUrl: () => string;
}

/** The frame of all pages for visitors, and how failures look in it. */
export function createSitePages({ views, publicUrl }: SitePagesOptions) {
  const pages: Pages = {
    languageOf: async (request) => languageFor(request, (await views.current()).shop),
    frame: async (content) => drawFrame(content, await views.current()),
    async contact(language) {
      const { shop } = await views.current();
      return contactList(shop, wordsOf(language)) ?? html``;
    },
  };

  /** The site as it can be shown while its storage is away, too. */
  async function factsAtHand(): Promise<SiteFacts> {
    const last = views.last();
    if (last) return last;
    const unknown = { origin: publicUrl(), settings: defaultSettings, shop: nothingKnown };
    return views.current().catch(() => unknown);
  }

  return {
    ...pages,
    /** A failure as a page, for the error envelope. */
    async failure({ error, header, querystring }: FailedRequest): Promise<string> {
      const site = await factsAtHand();
      const query = { lang: new URLSearchParams(querystring).get('lang') };
      const language = languageFor({ header, query }, site.shop);
      return drawFrame(failurePage(error, language, site.shop), site);
    },
  };
}

/** Returns the language of a request: `?lang=`, the cookie, Accept-Language, the shop's. */
export function languageFor(
  { header, query }: { header(name: string): string; readonly query: { readonly lang?: unknown } },
  shop: ShopCard,
): Language {
  const { lang } = query;
  const wishes = {
    query: typeof lang === 'string' ? lang : undefined,
    cookie: header('Cookie'),
    accept: header('Accept-Language'),
  };
  return chooseLanguage(wishes, languageOfShop(shop));
}
