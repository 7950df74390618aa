import type { OrderStatus } from '../shown-order.js';

/** What the page says of an order with one status. */
export interface StatusWords {
  /** Short, read aloud when the status changes. */
  readonly status: string;
  /** The heading. */
  readonly title: string;
  /** What that means for the buyer: only what is certain. */
  readonly text: string;
}

/** Why an order could not be made, as the dialog of the product page says it. */
export interface FailureWords {
  readonly title: string;
  readonly text: string;
}

/** Codes of refusals that have words of their own; `other` stands for all the rest. */
export const failureCodes = [
  'not_for_sale',
  'payments_unavailable',
  'rate_limited',
  'not_found',
  'provider_error',
  'other',
] as const;

export type FailureCode = (typeof failureCodes)[number];

/** Everything that the order page and the dialog say, in one language. `{}` is where a value goes. */
export interface OrderWords {
  /** Before the amount. */
  readonly toPay: string;
  readonly statuses: Readonly<Record<OrderStatus, StatusWords>>;
  /** Where the code is shown on another device than the bank's app. */
  readonly scan: string;
  /** Where the bank's app is on this very device. */
  readonly open: string;
  readonly openApp: string;
  readonly showCode: string;
  /** Of the picture of the code; `{}` is the amount. */
  readonly codeAlt: string;
  /** Before the time until which the code can be paid. */
  readonly until: string;
  /** `{}` is minutes and seconds. */
  readonly left: string;
  /** Once that time has passed and the bank has not said yet how it ended. */
  readonly checking: string;
  readonly lost: string;
  readonly preparing: string;
  readonly number: string;
  /** After a payment: how the buyer gets what was paid for. */
  readonly next: string;
  /** After a payment that came to nothing. */
  readonly otherwise: string;
  readonly again: string;
  readonly back: string;
  readonly close: string;
  /** In `rate_limited`, `{}` is minutes. */
  readonly failures: Readonly<Record<FailureCode, FailureWords>>;
}
