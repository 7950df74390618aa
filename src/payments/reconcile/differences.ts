import type { Outcome, Payment, PaymentState, PaymentType } from '../payment.js';
import type { IntentView } from '../payment-view.js';

/** What both sides call a payment; `type` is null where the provider does not say which kind it is. */
interface Named {
  readonly organizationId: number;
  readonly type: PaymentType | 'refund' | null;
  /** The provider's operation id; of a refund, that of the operation it is of. */
  readonly paymentId: string;
}

/** The provider has it, and it is not stored here. */
export interface MissingHere extends Named {
  /** Tenge; of refunds, how much more was returned than is known here. */
  readonly amount: number | null;
  readonly status: string | null;
  readonly createdAt: string | null;
}

/** It is stored here, and the provider does not have it. */
export interface MissingThere extends Named {
  /** Tenge; of refunds, how much less was returned than is known here. */
  readonly amount: number;
  readonly status: string;
  readonly createdAt: string;
}

export interface OtherAmount extends Named {
  /** Tenge, as stored here. */
  readonly amount: number;
  /** Null if the provider's amount is unreadable or in another currency. */
  readonly providerAmount: number | null;
}

export interface OtherStatus extends Named {
  readonly amount: number;
  readonly state: PaymentState;
  readonly status: string;
  readonly outcome: Outcome | null;
  readonly providerStatus: string;
  /** Null where the provider's status ends nothing. */
  readonly providerOutcome: Outcome | null;
}

export interface Flipped extends Named {
  readonly amount: number;
  readonly status: string;
  readonly outcome: Outcome | null;
  /** Another final status that it was seen with after it had ended. */
  readonly flippedTo: string;
}

/** What the provider and this gateway say differently of a day. Times are ISO 8601, amounts tenge. */
export interface Differences {
  /** `YYYY-MM-DD` in the provider's zone. */
  readonly day: string;
  readonly missingHere: readonly MissingHere[];
  readonly missingThere: readonly MissingThere[];
  readonly otherAmount: readonly OtherAmount[];
  /** Those of `flipped` that differ at present are among them. */
  readonly otherStatus: readonly OtherStatus[];
  readonly flipped: readonly Flipped[];
  readonly inDoubt: readonly IntentView[];
}

/** How many there are of each kind, and in all; what is in `otherStatus` and `flipped` counts once. */
export function countDifferences(differences: Differences): number {
  const { missingHere, missingThere, otherAmount, flipped, inDoubt } = differences;
  const lists = [missingHere, missingThere, otherAmount, flipped, inDoubt];
  return lists.reduce((sum, list) => sum + list.length, notFlipped(differences).length);
}

/** Other statuses of payments that are not listed as flipped already. */
export function notFlipped({ otherStatus, flipped }: Differences): OtherStatus[] {
  const names = new Set(flipped.map(nameOf));
  return otherStatus.filter((each) => !names.has(nameOf(each)));
}

function nameOf({ organizationId, type, paymentId }: Named): string {
  return `${organizationId} ${type} ${paymentId}`;
}

/** The name of a payment of ours in a list of differences. */
export function named({
  organizationId,
  type,
  id,
}: Payment): Named & { readonly type: PaymentType } {
  return { organizationId, type, paymentId: id };
}
