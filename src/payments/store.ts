import type { Intent, Refund } from '#validators/payment-records';
import type { Payment, PaymentState } from './payment.js';
import type { ProviderAnswer } from './providers/provider.js';
import type { PendingSignIn, StoredSession } from './records.js';
import type { PaymentBalance } from './watching/payment-balance.js';

/** Everything the payment feature needs of a storage, shared by every process that uses it. */
export interface PaymentStores {
  readonly payments: PaymentStore;
  readonly sessions: SessionStore;
  readonly answers: AnswerStore;
  readonly signIns: SignInStore;
  readonly intents: IntentStore;
  readonly refunds: RefundStore;
  /** Milliseconds after which other processes may take over the acts of a suspended process. */
  readonly takeoverTime: number;
  /** How processes share nightly reconciliations out; absent where only one process makes them. */
  readonly reconciliations?: ReconciliationClaims;
  /** Gives back what is claimed here. Everything can still be read. */
  close(): Promise<void>;
}

/** What is read by those who change nothing. */
export interface ReadPaymentStores {
  readonly payments: Pick<PaymentStore, 'list' | 'find' | 'page' | 'isWatched'>;
  readonly intents: Pick<IntentStore, 'list' | 'find'>;
  readonly refunds: Pick<RefundStore, 'list' | 'find'>;
}

/** Where payments are kept. */
export interface PaymentStore {
  /** Stores a payment; one of the same name that is known already stays as it is and is given back. */
  add(payment: Payment): Promise<Payment>;
  /** Every payment of this operation id: of either type and any organization unless told, newest first. */
  find(name: PaymentQuery): Promise<readonly Payment[]>;
  /** A page of an organization's payments, newest first. */
  page(query: PageQuery): Promise<PaymentPage>;
  /** Returns the organizations that have payments, and perhaps some that had payments earlier. */
  organizations(): Promise<readonly number[]>;
  /** Every payment of a state, in no order. */
  list(state: PaymentState): AsyncIterable<Payment>;
  /** Payments that ended from one moment until before another (milliseconds since the epoch), in no order. */
  listEnded(span: { readonly from: number; readonly to: number }): AsyncIterable<Payment>;
  /** Whether an open payment was made with this session. */
  hasOpenWith(sessionId: string): Promise<boolean>;
  /** Replaces an open payment by its newer self. */
  update(payment: Payment): Promise<void>;
  /** Puts a payment that is no longer open where it belongs, in one step. */
  end(payment: Payment): Promise<void>;
  /**
   * Keeps another final status that a payment was seen with after it had ended; true where that is
   * new, false (and no change) where it is not, or where there is no ended payment of this key.
   */
  noteFlip(key: string, flip: Flip): Promise<boolean>;
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
   * payment keys; `drop` is called with the keys of payments that somebody else acts on now.
   */
  takeOpen(isKnown: (key: string) => boolean, drop: (key: string) => void): Promise<Payment[]>;
  /** How watchers share the payments out; absent where only one watcher can be. */
  readonly balance?: PaymentBalance;
  /** Becomes a watcher of all payments; undefined while another is, where only one can be. */
  claimAll(label: string): Promise<PaymentLease | undefined>;
  /** Whether there is a watcher of all payments at this moment. */
  isWatched(): Promise<boolean>;
  /** Becomes the one who acts on one payment; undefined while a watcher of all or another does. */
  claimOne(key: string, label: string): Promise<PaymentLease | undefined>;
}

/** Another end of a payment than the one that it had. */
export type Flip = Required<Pick<Payment, 'flippedTo' | 'flippedOutcome'>>;

/** Which payments are meant. */
export interface PaymentQuery {
  readonly id: string;
  readonly type?: Payment['type'] | undefined;
  readonly organizationId?: number | undefined;
}

export interface PageQuery {
  readonly organizationId: number;
  readonly state?: PaymentState | undefined;
  /** The cursor of the payment behind which the page begins. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface PaymentPage {
  readonly payments: readonly Payment[];
  readonly hasMore: boolean;
}

/** The right to act on payments, until it is released, lost or its process dies. */
export interface PaymentLease {
  /** Prolongs it; false = lost, stop acting. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

/** Where sessions are kept. */
export interface SessionStore {
  add(session: StoredSession): Promise<void>;
  find(id: string): Promise<StoredSession | undefined>;
  /** Replaces a session that is not erased, but for marks that another process has set meanwhile. */
  update(session: StoredSession): Promise<void>;
  /** Forgets a session with its secret. */
  erase(session: StoredSession): Promise<void>;
  /** Names of every session that is not erased. */
  ids(): Promise<string[]>;
}

/** Where the answers under Idempotency-Keys are kept. */
export interface AnswerStore {
  /**
   * The answer kept under the name, or the one that `work` gives now; kept is what it hands to `keep`.
   * `conflict` where the name stands for another body. Within a process it is called for one equal
   * request at a time.
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
 * Keeps the answer of a request. False where an equal request may have begun elsewhere that will not look for it: after
 * this process gave the request up, or lost its lease.
 */
export type Keep = (answer: ProviderAnswer) => Promise<boolean>;

/**
 * Sign-ins under way by the provider's process ids. A request with a code names nothing but its process:
 * this is what says whose code is guessed.
 */
export interface SignInStore {
  /** What is known of a sign-in; undefined where no code was sent, and once it is over. */
  find(processId: string): Promise<PendingSignIn | undefined>;
  /** Remembers whom a code was sent to; codes that were wrong before stay counted. */
  setPhone(processId: string, phone: string): Promise<void>;
  /** Counts a code before it is judged, so that codes given at once count as well; false = no more. */
  takeCode(processId: string): Promise<boolean>;
  /** Takes a code off the count again: it was not judged. */
  giveCodeBack(processId: string): Promise<void>;
  /** Forgets a sign-in that is finished; harmless where there is none. */
  remove(processId: string): Promise<void>;
}

/** Where intents in doubt are kept, and for a while what they came to. */
export interface IntentStore {
  /** Keeps an intent, in the place of one of the same name that was closed; one in doubt stays as it is. */
  add(intent: Intent): Promise<void>;
  find(id: string): Promise<Intent | undefined>;
  /** Every intent of a state, in no order. */
  list(state: Intent['state']): AsyncIterable<Intent>;
  /**
   * Changes an intent while nobody else does. `change` is given it as it is kept and gives it as it shall be,
   * or undefined to leave it. Gives it as it is kept afterwards; undefined where there is none.
   */
  change(
    id: string,
    change: (intent: Intent) => Intent | undefined | Promise<Intent | undefined>,
  ): Promise<Intent | undefined>;
  /** Removes what was closed on a (UTC) day before `day` (`YYYY-MM-DD`). */
  removeClosedBefore(day: string): Promise<void>;
}

/** Where refunds are kept, each under the name of its intent. */
export interface RefundStore {
  /** Stores a refund; one of the same intent is replaced. */
  put(refund: Refund): Promise<void>;
  /** By the name of its intent. */
  find(intentId: string): Promise<Refund | undefined>;
  /** Returns every refund, or those that were created at `since` (milliseconds since the epoch) or later, in no order. */
  list(query?: { readonly since?: number | undefined }): AsyncIterable<Refund>;
  /** Removes those that were made on a (UTC) day before `day` (`YYYY-MM-DD`). */
  removeBefore(day: string): Promise<void>;
}

/** Decides which process compares the days of an organization with the provider. */
export interface ReconciliationClaims {
  /** Returns true if this process may do it now, for at most an hour; false while another process does it. */
  claim(organizationId: number): Promise<boolean>;
  /** Gives the claim up; harmless if nothing is claimed. */
  release(organizationId: number): Promise<void>;
}

/** What is stored of payments and still asks for something, whichever process made it. */
export interface PaymentCounts {
  readonly open: number;
  /** Given up on without an outcome. */
  readonly unknown: number;
  /** Calls that moved money, perhaps, and whose answers were not clear. */
  readonly inDoubt: number;
  /** When the oldest open payment was made, in milliseconds since the epoch; absent where none is open. */
  readonly oldestOpen?: number;
  /** Cashiers' sessions that are kept. */
  readonly sessions: number;
}
