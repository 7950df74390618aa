import type { Intent } from './intents/intent.js';
import type { Outcome, Payment } from './payment.js';

/**
 * Is called for payments and intents that carry a `reference` before their new state counts. Once a call resolves, the
 * follower has stored the consequences. After a crash, the call is repeated.
 */
export interface PaymentFollower {
  /** Called with the payment after it was stored, and with its final form before it ends or is given up on. */
  seen(payment: Payment): Promise<void>;
  /** Called before an intent in doubt is closed as never made or abandoned, with its new state. */
  notMade(intent: Intent): Promise<void>;
  /**
   * Called when the provider reports another final status of a payment that has ended, with its meaning; undefined if
   * the amount contradicts it.
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
