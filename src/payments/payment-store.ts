import type { Payment, PaymentState } from './payment.js';
import type { PaymentBalance } from './watching/payment-balance.js';

/** The right to act on payments, until it is released, lost or its process dies. */
export interface PaymentLease {
  /** Prolongs it; false = lost, stop acting. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

/** Where payments are kept, shared by every process of one data directory. */
export interface PaymentStore {
  /** Stores an open payment; one that is known already stays as it is and is given back. */
  add(payment: Payment): Promise<Payment>;
  /** By operation id, of either type (the newer one where both exist). */
  find(id: string, type?: Payment['type']): Promise<Payment | undefined>;
  /** Every payment of a state, in no order. */
  list(state: PaymentState): AsyncIterable<Payment>;
  /** Whether an open payment was made with this session. */
  hasOpenWith(sessionId: string): Promise<boolean>;
  /** Replaces an open payment by its newer self. */
  update(payment: Payment): Promise<void>;
  /** Puts a payment that is no longer open where it belongs, in one step. */
  end(payment: Payment): Promise<void>;
  /**
   * Removes payments that ended on a (UTC) day before `day` (`YYYY-MM-DD`). One batch of keys after the
   * other is given to `choose`, which gives those that may go; it ends early by throwing. Gives how
   * many were removed.
   */
  removeEndedBefore(
    day: string,
    choose: (keys: readonly string[]) => Promise<readonly string[]>,
  ): Promise<number>;
  /**
   * Open payments that a watcher of all may act on and does not know yet. `isKnown` is asked with
   * payment keys; `drop` is told the keys of payments that somebody else acts on now.
   */
  takeOpen(isKnown: (key: string) => boolean, drop: (key: string) => void): Promise<Payment[]>;
  /** How watchers share the payments out; absent where only one watcher can be. */
  readonly balance?: PaymentBalance;
  /** Becomes a watcher of all payments; undefined while another is, where only one can be. */
  claimAll(label: string): Promise<PaymentLease | undefined>;
  /** Becomes the one who acts on one payment; undefined while a watcher of all or another does. */
  claimOne(key: string, label: string): Promise<PaymentLease | undefined>;
}
