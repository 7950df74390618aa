import type { AppError } from '../../base/errors.js';
import { type Html, html } from '../../base/html.js';
import type { Language } from '../../base/languages.js';
import type { FramedPage } from './frame.js';
import { contactList } from './shop-card.js';
import type { ShopCard } from './site-facts.js';
import type { Failure, Failures, Words } from './words/words.js';
import { wordsOf } from './words/words-of.js';

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

/** What a failure is called in the words of pages. */
function failureName({ code, status }: Pick<AppError, 'code' | 'status'>): FailureName {
  return byCode[code] ?? byStatus[status] ?? (status < 500 ? 'request' : 'fault');
}

/** A failure as a page: what happened, the way back, and the shop's telephone. */
export function failurePage(error: AppError, language: Language, shop: ShopCard): FramedPage {
  const words = wordsOf(language);
  const name = failureName(error);
  const { title } = words.failures[name];
  return {
    language,
    title,
    // The address that failed is the browser's: language links stay there, and nobody is to remember it.
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
