import type { AppError } from '../../base/errors.js';
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
    async languageOf({ header, query }) {
      const { shop } = await views.current();
      const { lang } = query;
      return languageOf(header, typeof lang === 'string' ? lang : undefined, shop);
    },
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
      const wish = new URLSearchParams(querystring).get('lang') ?? undefined;
      return drawFailure(error, languageOf(header, wish, site.shop), site);
    },
  };
}

export type SitePages = ReturnType<typeof createSitePages>;

function drawFailure(error: AppError, language: Language, site: SiteFacts): string {
  return drawFrame(failurePage(error, language, site.shop), site);
}

function languageOf(
  header: (name: string) => string,
  query: string | undefined,
  shop: ShopCard,
): Language {
  const wishes = { query, cookie: header('Cookie'), accept: header('Accept-Language') };
  return chooseLanguage(wishes, languageOfShop(shop));
}
