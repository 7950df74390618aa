import { formatNumber, formatTenge, plural } from '../../../words/formats.js';

const products = plural('en', { one: '{} product', other: '{} products' });

/**
 * The English texts of the pages for visitors. The other languages have the same type, so a missing translation is a
 * compile error.
 */
export const en = {
  /** The name of the language in that language. */
  ownName: 'English',
  /** Language and country for Open Graph, such as `ru_RU`. */
  locale: 'en_US',

  skip: 'Skip to the content',
  thisSite: 'This site',
  language: 'Language',
  catalogue: 'Catalogue',
  news: 'News',
  chat: 'Chat',
  /** The default title. */
  welcome: 'Welcome',

  searchLabel: 'Search the catalogue',
  search: 'Search',
  find: 'Find',
  category: 'Category',
  everything: 'Everything',
  moreCategories: 'More categories',
  count: products,
  countOf: (shown: number, all: number) => `${formatNumber(shown, 'en')} of ${products(all)}`,
  pages: 'Pages of the catalogue',
  page: (number: number) => `Page ${number}`,
  pageOf: (number: number, pages: number) => `Page ${number} of ${pages}`,
  previousPage: 'Previous page',
  nextPage: 'Next page',
  nothingFor: (text: string) => `Nothing found for “${text}”`,
  nothingHere: 'Nothing in this category',
  tryAnother: 'Try another word, or browse all products.',
  showEverything: 'Show everything',
  emptyTitle: 'The shelves are being filled',
  emptyText: 'There is nothing in the catalogue yet. Please come back soon.',
  noNewsTitle: 'No news at the moment',
  noNewsText: 'When we have news, you will find it here.',
  olderNews: (count: number) => `Show older news (${count})`,

  /** An amount in tenge. */
  money: (amount: number) => formatTenge(amount, 'en'),
  priceOnRequest: 'Price on request',
  soldOut: 'Sold out',
  left: plural('en', { one: 'Only {} left', other: '{} left' }),
  features: 'Good to know',
  quantity: 'Quantity',
  buy: 'Buy',
  howToPay: 'You pay with a QR code in your bank’s app.',
  /** Shown instead of the order form, followed by the shop's contacts. */
  soldOutText: 'This product is currently sold out. Ask us when it will be available again.',
  askPrice: 'Ask us for the price. We are happy to help.',
  askToBuy: 'You cannot pay on the site at the moment. Please contact us to order.',
  back: 'Back to the catalogue',
  otherProducts: 'Other products',
  previous: 'Previous',
  next: 'Next',

  contacts: 'How to find us',
  phone: 'Phone',
  whatsapp: 'WhatsApp',
  address: 'Address',
  hours: 'Opening hours',
  map: 'Show on the map',
  /** Short names of the days, Monday first. */
  days: ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'],

  home: 'Go to the home page',
  failures: {
    /** 400 and other client errors. */
    request: {
      title: 'The address is not quite right',
      text: 'We could not understand the address or the form. Go back and try again.',
    },
    /** 401 and 403. */
    forbidden: {
      title: 'This page is not open to everyone',
      text: 'You do not have permission to view this page.',
    },
    /** 404. */
    missing: {
      title: 'Page not found',
      text: 'It may have been removed, or there is a mistake in the address.',
    },
    /** 405. */
    method: {
      title: 'This cannot be done here',
      text: 'The page exists, but it does not accept this request. Go back and try again.',
    },
    /** 409: nothing was done. */
    conflict: {
      title: 'Something has changed',
      text: 'The data changed while you were on the page, so nothing was done. Go back and try again.',
    },
    /** 409 `not_for_sale`. */
    notForSale: {
      title: 'This product cannot be bought right now',
      text: 'It is sold out, fewer are left than you ordered, or its price is on request.',
    },
    /** 413. */
    tooLarge: {
      title: 'The request is too large',
      text: 'You sent more data than this page accepts.',
    },
    /** 429. `wait` is added if the response has a Retry-After header. */
    tooMany: {
      title: 'Too many requests',
      text: 'Your network has sent too many requests.',
      wait: plural('en', {
        one: 'Try again in {} second.',
        other: 'Try again in {} seconds.',
      }),
    },
    /** 500. */
    fault: {
      title: 'Something went wrong on our side',
      text: 'It is not your fault, and the error has been logged. Try again in a moment.',
    },
    /** 503: the storage is unavailable. */
    away: {
      title: 'The shop is temporarily unavailable',
      text: 'We are having trouble with our storage. Try again in a minute.',
    },
    /** 503 `payments_unavailable`. */
    noPayments: {
      title: 'Payments are not possible at the moment',
      text: 'The shop cannot take payments on the site right now. You have not been charged.',
    },
  },
};

export type Words = typeof en;

export type Failures = Words['failures'];

/** The text of an error page. */
export type Failure = Pick<Failures['request'], 'title' | 'text'>;
