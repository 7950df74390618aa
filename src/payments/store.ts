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
  /** Time after which other processes may take over the calls of a suspended process, in milliseconds. */
  readonly takeoverTime: number;
  /** Distributes nightly reconciliations among processes; absent if only one process can run them. */
  readonly reconciliations?: ReconciliationClaims;
  /** Releases all claims of this process. The stores remain readable. */
  close(): Promise<void>;
}

/** Read-only access to the stores. */
export interface ReadPaymentStores {
  readonly payments: Pick<PaymentStore, 'list' | 'find' | 'page' | 'isWatched'>;
  readonly intents: Pick<IntentStore, 'list' | 'find'>;
  readonly refunds: Pick<RefundStore, 'list' | 'find'>;
}

export interface PaymentStore {
  /** Stores a payment and returns it. If the payment is already stored, returns the stored record unchanged. */
  add(payment: Payment): Promise<Payment>;
  /** Returns the payments with an operation ID, newest first. */
  find(name: PaymentQuery): Promise<readonly Payment[]>;
  /** Returns a page of an organization's payments, newest first. */
  page(query: PageQuery): Promise<PaymentPage>;
  /** Returns the IDs of organizations with payments. May include organizations whose payments have been removed. */
  organizations(): Promise<readonly number[]>;
  /** Yields all payments in a state, in no particular order. */
  list(state: PaymentState): AsyncIterable<Payment>;
  /**
   * Yields payments that ended at `from` or later and before `to` (milliseconds since the epoch), in no particular
   * order.
   */
  listEnded(span: { readonly from: number; readonly to: number }): AsyncIterable<Payment>;
  /** Returns whether an open payment was made with this session. */
  hasOpenWith(sessionId: string): Promise<boolean>;
  /** Replaces an open payment. */
  update(payment: Payment): Promise<void>;
  /** Stores a payment that is no longer open, in one step. */
  end(payment: Payment): Promise<void>;
  /**
   * Stores a changed final status of an ended payment. Returns false and changes nothing if the status is already
   * stored or if no ended payment has this key.
   */
  noteFlip(key: string, flip: Flip): Promise<boolean>;
  /**
   * Removes payments that ended on a UTC day before `day` (`YYYY-MM-DD`). Calls `choose` with batches of keys. `choose`
   * returns the keys to remove and may throw to stop early. Returns the number of removed payments.
   */
  removeEndedBefore(
    day: string,
    choose: (keys: readonly string[]) => Promise<readonly string[]>,
  ): Promise<number>;
  /**
   * Returns the open payments that this watcher may act on and for which `isKnown` returns false. Calls `drop` with the
   * keys of payments that another process has claimed.
   */
  takeOpen(isKnown: (key: string) => boolean, drop: (key: string) => void): Promise<Payment[]>;
  /** Distributes payments among watchers; absent if only one watcher is possible. */
  readonly balance?: PaymentBalance;
  /**
   * Makes this process a watcher of all payments. Returns undefined if the store allows only one such watcher and
   * another process already is one.
   */
  claimAll(label: string): Promise<PaymentLease | undefined>;
  /** Returns whether a running `serve` process is watching all payments. */
  isWatched(): Promise<boolean>;
  /** Claims one payment. Returns undefined while a watcher of all payments or another process has claimed it. */
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
  /** The page begins after the payment with this cursor. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface PaymentPage {
  readonly payments: readonly Payment[];
  readonly hasMore: boolean;
}

/** The right to act on payments, until it is released or lost, or its process dies. */
export interface PaymentLease {
  /** Renews the lease. Returns false if it was lost; the holder must then stop acting on the payments. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

export interface SessionStore {
  add(session: StoredSession): Promise<void>;
  find(id: string): Promise<StoredSession | undefined>;
  /** Replaces a session that has not been erased. Keeps marks that another process has set in the meantime. */
  update(session: StoredSession): Promise<void>;
  /** Erases a session with its secret. */
  erase(session: StoredSession): Promise<void>;
  /** Returns the IDs of all sessions that have not been erased. */
  ids(): Promise<string[]>;
}

/** Stores answers by Idempotency-Key. */
export interface AnswerStore {
  /**
   * Returns the answer stored under the name, or calls `work` and returns its answer. `work` stores an answer by
   * calling `keep`. Throws `conflict` if the name was used with a different body. A process must not call this
   * concurrently for equal requests.
   */
  once(
    name: string,
    body: string,
    work: (keep: Keep) => Promise<ProviderAnswer>,
  ): Promise<ProviderAnswer>;
  /** Returns the answer stored under the name, if any. Throws `conflict` if the name was used with a different body. */
  find(name: string, body: string): Promise<ProviderAnswer | undefined>;
  /**
   * Removes answers that have expired both by `now` (milliseconds) and by running time. Some may remain for another
   * day.
   */
  removeExpired(now: number): Promise<void>;
}

/**
 * Stores the answer to a request. Returns false if this process had given up the request or lost its lease. Another
 * process may then have begun an equal request without finding the answer.
 */
export type Keep = (answer: ProviderAnswer) => Promise<boolean>;

/**
 * Stores pending sign-ins by the provider's process IDs, because a request with a code contains only its process ID.
 */
export interface SignInStore {
  /** Returns a sign-in; undefined if no code was sent or the sign-in has ended. */
  find(processId: string): Promise<PendingSignIn | undefined>;
  /** Stores the phone that received a code. Keeps the count of wrong codes. */
  setPhone(processId: string, phone: string): Promise<void>;
  /**
   * Counts a code before it is checked, so that concurrent codes are included. Returns false if no more codes are
   * allowed.
   */
  takeCode(processId: string): Promise<boolean>;
  /** Decrements the count of codes after a code could not be checked. */
  giveCodeBack(processId: string): Promise<void>;
  /** Removes a finished sign-in, if it is stored. */
  remove(processId: string): Promise<void>;
}

/** Stores intents in doubt, and closed ones for some time. */
export interface IntentStore {
  /** Stores an intent. Replaces a closed intent with the same ID; an intent in doubt stays unchanged. */
  add(intent: Intent): Promise<void>;
  find(id: string): Promise<Intent | undefined>;
  /** Yields all intents in a state, in no particular order. */
  list(state: Intent['state']): AsyncIterable<Intent>;
  /**
   * Changes an intent while no other process can change it. `change` returns the new record, or undefined to leave the
   * intent unchanged. Returns the intent as stored afterwards, or undefined if it does not exist.
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
  /** Stores a refund. Replaces a refund of the same intent. */
  put(refund: Refund): Promise<void>;
  find(intentId: string): Promise<Refund | undefined>;
  /**
   * Yields all refunds, or those created at `since` (milliseconds since the epoch) or later, in no particular order.
   */
  list(query?: { readonly since?: number | undefined }): AsyncIterable<Refund>;
  /** Removes refunds that were made on a UTC day before `day` (`YYYY-MM-DD`). */
  removeBefore(day: string): Promise<void>;
}

/** Decides which process compares the days of an organization with the provider. */
export interface ReconciliationClaims {
  /** Claims an organization for at most an hour. Returns false while another process has claimed it. */
  claim(organizationId: number): Promise<boolean>;
  /** Releases the claim, if any. */
  release(organizationId: number): Promise<void>;
}

/** Counts of stored records, for metrics. */
export interface PaymentCounts {
  readonly open: number;
  /** Payments that are no longer watched and have no outcome. */
  readonly unknown: number;
  /** Calls that may have moved money and whose outcome is unknown. */
  readonly inDoubt: number;
  /** The creation time of the oldest open payment, in milliseconds since the epoch; absent if no payment is open. */
  readonly oldestOpen?: number;
  /** Stored cashier sessions. */
  readonly sessions: number;
}
