import type { OrderStatus } from '../shown-order.js';

/** The texts of an order with one status. */
export interface StatusWords {
  /** Short, read aloud when the status changes. */
  readonly status: string;
  /** The heading. */
  readonly title: string;
  /** Explains the status to the buyer; says only what is certain. */
  readonly text: string;
}

/** Why an order could not be placed, in the dialog of the product page. */
export interface FailureWords {
  readonly title: string;
  readonly text: string;
}

/** Error codes with texts of their own; `other` is for the rest. */
export const failureCodes = [
  'not_for_sale',
  'payments_unavailable',
  'rate_limited',
  'not_found',
  'provider_error',
  'other',
] as const;

export type FailureCode = (typeof failureCodes)[number];

/** All texts of the order page and the dialog in one language. `{}` is a placeholder. */
export interface OrderWords {
  /** Before the amount. */
  readonly toPay: string;
  readonly statuses: Readonly<Record<OrderStatus, StatusWords>>;
  /** For a code on another device than the bank's app. */
  readonly scan: string;
  /** For a phone with the bank's app. */
  readonly open: string;
  readonly openApp: string;
  readonly showCode: string;
  /** The alternative text of the code's picture; `{}` is the amount. */
  readonly codeAlt: string;
  /** Before the time until which the code is valid. */
  readonly until: string;
  /** `{}` is minutes and seconds. */
  readonly left: string;
  /** After that time, until the bank reports the result. */
  readonly checking: string;
  readonly lost: string;
  readonly preparing: string;
  readonly number: string;
  /** After a payment: how the buyer gets the purchase. */
  readonly next: string;
  /** After an unsuccessful payment. */
  readonly otherwise: string;
  readonly again: string;
  readonly back: string;
  readonly close: string;
  /** `{}` in `rate_limited` is minutes. */
  readonly failures: Readonly<Record<FailureCode, FailureWords>>;
}
