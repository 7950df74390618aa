import type { Intent, Refund } from '#validators/payment-records';
import type { Payment, PaymentState } from './payment.js';
import type { ProviderAnswer } from './providers/provider.js';
import type { PendingSignIn, StoredSession } from './records.js';
import type { PaymentBalance } from './watching/payment-balance.js';

/** The stores of the payment feature, shared by every process that uses the storage. */
export interface PaymentStores {
  readonly payments: PaymentStore;
  readonly sessions: SessionStore;
  readonly answers: AnswerStore;
  readonly signIns: SignInStore;
  readonly intents: IntentStore;
  readonly refunds: RefundStore;
  /** Milliseconds after which other processes may take over the calls of a suspended process. */
  readonly takeoverTime: number;
  /** Distributes nightly reconciliations among processes; absent if only one process can make them. */
  readonly reconciliations?: ReconciliationClaims;
  /** Releases all claims of this process. Everything can still be read. */
  close(): Promise<void>;
}

/** The stores for reading only. */
export interface ReadPaymentStores {
  readonly payments: Pick<PaymentStore, 'list' | 'find' | 'page' | 'isWatched'>;
  readonly intents: Pick<IntentStore, 'list' | 'find'>;
  readonly refunds: Pick<RefundStore, 'list' | 'find'>;
}

export interface PaymentStore {
  /** Stores a payment and returns it. If the payment is known already, returns the stored one unchanged. */
  add(payment: Payment): Promise<Payment>;
  /** Returns the payments with an operation ID, newest first. */
  find(name: PaymentQuery): Promise<readonly Payment[]>;
  /** Returns a page of an organization's payments, newest first. */
  page(query: PageQuery): Promise<PaymentPage>;
  /** Returns the organizations that have payments, and perhaps some that had payments earlier. */
  organizations(): Promise<readonly number[]>;
  /** Yields all payments in a state, in no order. */
  list(state: PaymentState): AsyncIterable<Payment>;
  /** Yields payments that ended at `from` or later and before `to` (milliseconds since the epoch), in no order. */
  listEnded(span: { readonly from: number; readonly to: number }): AsyncIterable<Payment>;
  /** Returns whether an open payment was made with this session. */
  hasOpenWith(sessionId: string): Promise<boolean>;
  /** Replaces an open payment. */
  update(payment: Payment): Promise<void>;
  /** Stores a payment that is no longer open, in one step. */
  end(payment: Payment): Promise<void>;
  /**
   * Stores another final status that the provider reports for an ended payment. Returns false and changes nothing if it
   * is known already, or if there is no ended payment with this key.
   */
  noteFlip(key: string, flip: Flip): Promise<boolean>;
  /**
   * Removes payments that ended on a UTC day before `day` (`YYYY-MM-DD`). Calls `choose` with batches of keys; it
   * returns those to remove, and may throw to stop early. Returns the number of removed payments.
   */
  removeEndedBefore(
    day: string,
    choose: (keys: readonly string[]) => Promise<readonly string[]>,
  ): Promise<number>;
  /**
   * Returns the open payments that this watcher of all payments may act on and does not know yet. `isKnown` is called
   * with payment keys; `drop` is called with the keys of payments that another process has claimed.
   */
  takeOpen(isKnown: (key: string) => boolean, drop: (key: string) => void): Promise<Payment[]>;
  /** Distributes payments among watchers; absent if only one watcher is possible. */
  readonly balance?: PaymentBalance;
  /** Makes this process a watcher of all payments. Returns undefined if only one can be and another process is. */
  claimAll(label: string): Promise<PaymentLease | undefined>;
  /** Returns whether a process, a running `serve`, watches all payments at this moment. */
  isWatched(): Promise<boolean>;
  /** Claims one payment. Returns undefined while a watcher of all payments or another process has it. */
  claimOne(key: string, label: string): Promise<PaymentLease | undefined>;
}

/** A changed final status of a payment. */
export type Flip = Required<Pick<Payment, 'flippedTo' | 'flippedOutcome'>>;

/** Selects payments; both types and all organizations by default. */
export interface PaymentQuery {
  readonly id: string;
  readonly type?: Payment['type'] | undefined;
  readonly organizationId?: number | undefined;
}

export interface PageQuery {
  readonly organizationId: number;
  readonly state?: PaymentState | undefined;
  /** The cursor of the payment after which the page begins. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface PaymentPage {
  readonly payments: readonly Payment[];
  readonly hasMore: boolean;
}

/** The right to act on payments until it is released, lost, or its process dies. */
export interface PaymentLease {
  /** Renews the lease. Returns false if it was lost: the holder must stop acting. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

export interface SessionStore {
  add(session: StoredSession): Promise<void>;
  find(id: string): Promise<StoredSession | undefined>;
  /** Replaces a session that is not erased; marks that another process set in the meantime stay. */
  update(session: StoredSession): Promise<void>;
  /** Erases a session with its secret. */
  erase(session: StoredSession): Promise<void>;
  /** Returns the IDs of all sessions that are not erased. */
  ids(): Promise<string[]>;
}

/** Stores the answers under Idempotency-Keys. */
export interface AnswerStore {
  /**
   * Returns the answer stored under the name, or calls `work` and returns its answer; `work` stores an answer with
   * `keep`. Throws `conflict` if the name belongs to another body. A process must not call it for equal requests at the
   * same time.
   */
  once(
    name: string,
    body: string,
    work: (keep: Keep) => Promise<ProviderAnswer>,
  ): Promise<ProviderAnswer>;
  /** Returns the answer kept under the name, if any. Throws `conflict` where it answered another body. */
  find(name: string, body: string): Promise<ProviderAnswer | undefined>;
  /** Removes answers that have expired by `now` (milliseconds) and by running time. Some may stay for a day. */
  removeExpired(now: number): Promise<void>;
}

/**
 * Stores the answer of a request. Returns false if another process may have begun an equal request and does not find the
 * answer, because this process had given up the request or lost its lease.
 */
export type Keep = (answer: ProviderAnswer) => Promise<boolean>;

/** Stores sign-ins under way by the provider's process IDs. A request with a code contains nothing but its process ID. */
export interface SignInStore {
  /** Returns a sign-in; undefined if no code was sent or the sign-in is over. */
  find(processId: string): Promise<PendingSignIn | undefined>;
  /** Stores the phone that received a code. The count of wrong codes stays. */
  setPhone(processId: string, phone: string): Promise<void>;
  /** Counts a code before it is checked, so that concurrent codes count too. Returns false if no more are allowed. */
  takeCode(processId: string): Promise<boolean>;
  /** Reduces the count of codes again, because a code was not checked. */
  giveCodeBack(processId: string): Promise<void>;
  /** Removes a finished sign-in, if it is stored. */
  remove(processId: string): Promise<void>;
}

/** Stores intents in doubt, and closed ones for some time. */
export interface IntentStore {
  /** Stores an intent. Replaces a closed one with the same ID; one in doubt stays unchanged. */
  add(intent: Intent): Promise<void>;
  find(id: string): Promise<Intent | undefined>;
  /** Yields all intents in a state, in no order. */
  list(state: Intent['state']): AsyncIterable<Intent>;
  /**
   * Changes an intent while no other process can. `change` returns the new record, or undefined to leave the intent
   * unchanged. Returns the stored intent afterwards; undefined if there is no such intent.
   */
  change(
    id: string,
    change: (intent: Intent) => Intent | undefined | Promise<Intent | undefined>,
  ): Promise<Intent | undefined>;
  /** Removes intents that were closed on a UTC day before `day` (`YYYY-MM-DD`). */
  removeClosedBefore(day: string): Promise<void>;
}

/** Stores refunds under the IDs of their intents. */
export interface RefundStore {
  /** Stores a refund; replaces one of the same intent. */
  put(refund: Refund): Promise<void>;
  find(intentId: string): Promise<Refund | undefined>;
  /** Yields all refunds, or those created at `since` (milliseconds since the epoch) or later, in no order. */
  list(query?: { readonly since?: number | undefined }): AsyncIterable<Refund>;
  /** Removes refunds that were made on a UTC day before `day` (`YYYY-MM-DD`). */
  removeBefore(day: string): Promise<void>;
}

/** Decides which process compares the days of an organization with the provider. */
export interface ReconciliationClaims {
  /** Claims an organization for at most an hour. Returns false while another process has it. */
  claim(organizationId: number): Promise<boolean>;
  /** Releases the claim, if there is one. */
  release(organizationId: number): Promise<void>;
}

/** Counts of stored records, for metrics. */
export interface PaymentCounts {
  readonly open: number;
  /** Payments that are no longer watched and have no outcome. */
  readonly unknown: number;
  /** Calls that may have moved money and whose answers were not clear. */
  readonly inDoubt: number;
  /** The creation time of the oldest open payment, in milliseconds since the epoch; absent if no payment is open. */
  readonly oldestOpen?: number;
  /** Stored sessions of cashiers. */
  readonly sessions: number;
}
