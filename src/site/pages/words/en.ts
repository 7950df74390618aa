import { formatNumber, formatTenge, plural } from '../../../words/formats.js';

const products = plural('en', { one: '{} product', other: '{} products' });

/** Everything that pages for visitors say. Its type is that of all languages: what one of them lacks does not compile. */
export const en = {
  /** What the language calls itself. */
  ownName: 'English',
  /** The language and the country that Open Graph wants: `ru_RU`. */
  locale: 'en_US',

  skip: 'Skip to the content',
  thisSite: 'This site',
  language: 'Language',
  catalogue: 'Catalogue',
  news: 'News',
  chat: 'Chat',
  manage: 'Manage this site',
  /** The title where the owner has given none. */
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
  /** Of how many pages this is which. */
  pageOf: (number: number, pages: number) => `Page ${number} of ${pages}`,
  previousPage: 'Previous page',
  nextPage: 'Next page',
  nothingFor: (text: string) => `Nothing found for “${text}”`,
  nothingHere: 'Nothing in this category',
  tryAnother: 'Try another word, or look through everything.',
  showEverything: 'Show everything',
  emptyTitle: 'The shelves are being filled',
  emptyText: 'There is nothing in the catalogue yet. Look in again soon.',
  noNewsTitle: 'No news at the moment',
  noNewsText: 'When there is something to tell, it stands here.',
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
  /** Instead of the form. The ways to reach the shop follow where it has any. */
  soldOutText: 'This product is sold out at the moment. Ask us when there will be more.',
  askPrice: 'Ask us for the price, and we will tell you gladly.',
  askToBuy: 'Payments cannot be taken on the site at the moment. Ask us, and we will find a way.',
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

  home: 'To the home page',
  failures: {
    /** 400 and what is like it. */
    request: {
      title: 'The address is not quite right',
      text: 'Something in the address or the form was not understood. Go back and try again.',
    },
    /** 401 and 403. */
    forbidden: {
      title: 'This page is not open to everyone',
      text: 'It needs a permission that this browser did not show.',
    },
    /** 404. */
    missing: {
      title: 'There is no such page',
      text: 'It may have been removed, or the address has a mistake in it.',
    },
    /** 405. */
    method: {
      title: 'This cannot be done here',
      text: 'The page exists, but it does not take what was sent to it. Go back and try again.',
    },
    /** 409: nothing of it was done. */
    conflict: {
      title: 'That did not fit with what is here',
      text: 'Something has changed in the meantime, so nothing was done. Go back and try again.',
    },
    /** 409 `not_for_sale`. */
    notForSale: {
      title: 'This product cannot be bought right now',
      text: 'It is sold out, there is less left than you asked for, or its price is on request.',
    },
    /** 413. */
    tooLarge: {
      title: 'That was too much at once',
      text: 'What was sent is larger than this page takes.',
    },
    /** 429. `wait`: the seconds until it is worth another try, where that is known. */
    tooMany: {
      title: 'That was a little fast',
      text: 'Too many requests came from your network.',
      wait: plural('en', {
        one: 'Try again in {} second.',
        other: 'Try again in {} seconds.',
      }),
    },
    /** 500. */
    fault: {
      title: 'Something went wrong on our side',
      text: 'It is not your fault, and it has been written down. Try again in a moment.',
    },
    /** 503: the storage is away. */
    away: {
      title: 'The shop cannot be reached at the moment',
      text: 'We are having trouble with our storage. Try again in a minute.',
    },
    /** 503 `payments_unavailable`. */
    noPayments: {
      title: 'Payments are not possible at the moment',
      text: 'Nobody can take a payment on the site right now. No money was taken.',
    },
  },
};

export type Words = typeof en;

export type Failures = Words['failures'];

/** What went wrong, in the visitor's words. */
export type Failure = Pick<Failures['request'], 'title' | 'text'>;
