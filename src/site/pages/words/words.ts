/** Everything that pages for visitors say. One type for all languages: what one of them lacks does not compile. */
export interface Words {
  /** What the language calls itself. */
  readonly ownName: string;
  /** The language and the country that Open Graph wants: `ru_RU`. */
  readonly locale: string;

  readonly skip: string;
  readonly thisSite: string;
  readonly language: string;
  readonly catalogue: string;
  readonly news: string;
  readonly chat: string;
  readonly manage: string;
  /** The title where the owner has given none. */
  readonly welcome: string;

  readonly searchLabel: string;
  readonly search: string;
  readonly find: string;
  readonly category: string;
  readonly everything: string;
  readonly moreCategories: string;
  readonly count: (products: number) => string;
  readonly countOf: (shown: number, products: number) => string;
  readonly pages: string;
  readonly page: (number: number) => string;
  /** Of how many pages this is which. */
  readonly pageOf: (number: number, pages: number) => string;
  readonly previousPage: string;
  readonly nextPage: string;
  readonly nothingFor: (text: string) => string;
  readonly nothingHere: string;
  readonly tryAnother: string;
  readonly showEverything: string;
  readonly emptyTitle: string;
  readonly emptyText: string;
  readonly noNewsTitle: string;
  readonly noNewsText: string;
  readonly olderNews: (count: number) => string;

  /** An amount in tenge. */
  readonly money: (amount: number) => string;
  readonly priceOnRequest: string;
  readonly soldOut: string;
  readonly left: (pieces: number) => string;
  readonly features: string;
  readonly quantity: string;
  readonly buy: string;
  readonly howToPay: string;
  /** Instead of the form. The ways to reach the shop follow where it has any. */
  readonly soldOutText: string;
  readonly askPrice: string;
  readonly askToBuy: string;
  readonly back: string;
  readonly otherProducts: string;
  readonly previous: string;
  readonly next: string;

  readonly contacts: string;
  readonly phone: string;
  readonly whatsapp: string;
  readonly address: string;
  readonly hours: string;
  readonly map: string;
  /** Short names of the days, Monday first. */
  readonly days: readonly [string, string, string, string, string, string, string];

  readonly home: string;
  readonly failures: Failures;
}

/** What went wrong, in the visitor's words. */
export interface Failure {
  readonly title: string;
  readonly text: string;
}

export interface Failures {
  /** 400 and what is like it. */
  readonly request: Failure;
  /** 401 and 403. */
  readonly forbidden: Failure;
  /** 404. */
  readonly missing: Failure;
  /** 405. */
  readonly method: Failure;
  /** 409: nothing of it was done. */
  readonly conflict: Failure;
  /** 409 `not_for_sale`. */
  readonly notForSale: Failure;
  /** 413. */
  readonly tooLarge: Failure;
  /** 429. `seconds` until it is worth another try, where that is known. */
  readonly tooMany: Failure & { readonly wait: (seconds: number) => string };
  /** 500. */
  readonly fault: Failure;
  /** 503: the storage is away. */
  readonly away: Failure;
  /** 503 `payments_unavailable`. */
  readonly noPayments: Failure;
}
