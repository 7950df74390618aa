import { pageHeaders } from '../../http/answer/page-frame.js';
import type { ReadyAnswer } from '../../http/answer/ready-answers.js';
import { chooseLanguage } from '../../http/request/language.js';
import { type ReadyPages, replyOf } from './ready-pages.js';
import { languageOfShop } from './site-facts.js';
import type { SiteViews } from './site-view.js';

/** The home page and products, as links lead there. */
const plainAddress = /^\/(?:products\/[1-9]\d{0,14})?$/;

export interface PagesAtHandOptions {
  readonly views: Pick<SiteViews, 'now'>;
  readonly ready: Pick<ReadyPages, 'known'>;
}

/** Pages that have been drawn for an address and a language, without the way through the routes. */
export function createPagesAtHand({ views, ready }: PagesAtHandOptions): ReadyAnswer {
  const headers = pageHeaders({});
  return function pageAtHand(address, given) {
    const shop = plainAddress.test(address) ? views.now()?.shop : undefined;
    if (!shop) return undefined;
    const { cookie = '', 'accept-language': accept = '' } = given;
    const wishes = { query: undefined, cookie, accept };
    const language = chooseLanguage(wishes, languageOfShop(shop));
    const page = ready.known({ language, path: address });
    const route = address === '/' ? '/' : '/products/:id';
    return page && { reply: replyOf(page, headers), route, isPage: true };
  };
}
