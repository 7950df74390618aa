import type { Intent } from './intents/intent.js';
import type { Outcome, Payment } from './payment.js';

/**
 * Hears of payments and intents that carry a `reference`, before what has become of them counts: once it resolves,
 * whoever follows has stored what follows from it. After a crash it is called again.
 */
export interface PaymentFollower {
  /** A payment was stored, or is about to end or to be given up on: as it is then. */
  seen(payment: Payment): Promise<void>;
  /** An intent that was in doubt is about to be closed as one that has made nothing, in the state that it will have. */
  notMade(intent: Intent): Promise<void>;
  /**
   * The provider names another final status of a payment that has ended, and what that means; undefined where the amount
   * contradicts it.
   */
  corrected(payment: Payment, outcome: Outcome | undefined): Promise<void>;
}

/** The same for those that carry none as well; nobody follows where there is no follower. */
export function followReferences(follower: PaymentFollower | undefined): PaymentFollower {
  return {
    async seen(payment) {
      if (payment.reference !== undefined) await follower?.seen(payment);
    },
    async notMade(intent) {
      if (intent.reference !== undefined) await follower?.notMade(intent);
    },
    async corrected(payment, outcome) {
      if (payment.reference !== undefined) await follower?.corrected(payment, outcome);
    },
  };
}
