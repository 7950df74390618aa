import type { Intent } from './intents/intent.js';
import type { Outcome, Payment } from './payment.js';

/**
 * Follows payments and intents with a `reference`. It is called before their new state takes effect. Once a call
 * resolves, the follower has stored the consequences. After a crash, the call is repeated.
 */
export interface PaymentFollower {
  /** Called with the payment after it was stored, and with its final record before it ends or becomes `unknown`. */
  seen(payment: Payment): Promise<void>;
  /** Called before an intent in doubt is closed as never made or abandoned, with its new state. */
  notMade(intent: Intent): Promise<void>;
  /**
   * Called when the provider reports a different final status for a payment that has ended. `outcome` is the meaning of
   * the status; undefined if the amount contradicts it.
   */
  corrected(payment: Payment, outcome: Outcome | undefined): Promise<void>;
}

/** Returns a follower that ignores payments and intents without a `reference`. */
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
