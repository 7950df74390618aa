import type { ReceiverState } from '#validators/webhooks';
import type { AppError } from '../base/errors.js';
import type { Delivery, DeliveryState, QueueEntry } from './delivery.js';
import type { PaymentFacts, StoredEvent } from './event.js';

export type EndedState = Exclude<DeliveryState, 'pending'>;

/** Identifies the payment of an event. */
export interface PaymentName {
  /** The payment's organization. Without it, the name matches payments of all organizations. */
  readonly organizationId?: number | undefined;
  readonly type: PaymentFacts['type'];
  /** The operation ID. */
  readonly id: string;
}

/** Returns a payment's name without its organization. */
export function nameOf({ type, id }: Pick<PaymentName, 'type' | 'id'>): string {
  return `${type}-${id}`;
}

/** Returns the payments that are among `others`. A name without an organization matches those of all organizations. */
export function namedBy<Name extends PaymentName>(
  payments: readonly Name[],
  others: readonly PaymentName[],
): readonly Name[] {
  const full = (name: PaymentName) => `${name.organizationId ?? 'any'}-${nameOf(name)}`;
  const exact = new Set(others.map(full));
  const ofAny = new Set(others.map(nameOf));
  return payments.filter((payment) =>
    payment.organizationId === undefined
      ? ofAny.has(nameOf(payment))
      : exact.has(full(payment)) || exact.has(`any-${nameOf(payment)}`),
  );
}

/** The exclusive right of a process to handle a delivery. */
export interface ClaimedDelivery {
  /** The delivery as it is stored now. */
  readonly record: Delivery;
  /** Stores the changed delivery and releases the claim. */
  settle(next: Delivery): Promise<void>;
  /** Releases the claim without changing the delivery. */
  release(): Promise<void>;
}

export interface ListDeliveries {
  /** Only these states; all of them by default. */
  readonly states?: readonly DeliveryState[];
  /** Called for a damaged record, which is skipped. */
  onDamaged?(error: AppError): void;
}

/** Stores events that no subscription matched when they occurred. */
export interface EventStore {
  /** Stores an event unless it is already stored. */
  add(event: StoredEvent): Promise<void>;
  /** Yields all events, latest days first. Memory use does not depend on their number. */
  list(options?: Pick<ListDeliveries, 'onDamaged'>): AsyncIterable<StoredEvent>;
  /** Removes events that occurred before a day (`YYYY-MM-DD`, UTC). Returns the number of days that were removed. */
  removeBefore(day: string): Promise<number>;
}

/** Stores the state of receivers, one record for each subscription that has ever failed. */
export interface ReceiverStore {
  list(): Promise<readonly ReceiverState[]>;
  /**
   * Changes the record with the ID of `initial`. If there is none, stores the changed `initial`. Returns the stored
   * record.
   */
  change(
    initial: ReceiverState,
    change: (state: ReceiverState) => ReceiverState,
  ): Promise<ReceiverState>;
}

/** The callbacks of `findPending`. */
export interface PendingSearch {
  isKnown(id: string): boolean;
  onFound(entry: QueueEntry): void;
  /** Called for a record that cannot be read, which is then skipped. */
  onUnreadable(id: string, error: unknown): void;
}

/**
 * The storage of webhooks, which several processes may share. When a method resolves, its change is on disk. The
 * exception is a success, which a power cut may undo; the event is then sent again. Methods throw `storage_unavailable`
 * for I/O errors.
 */
export interface DeliveryStore {
  readonly events: EventStore;
  readonly receivers: ReceiverStore;
  /** Stores a new delivery. Returns false and changes nothing if its ID already exists. */
  add(delivery: Delivery): Promise<boolean>;
  /**
   * Finds pending, unclaimed deliveries that are due soon and not known yet, earliest first for each subscription.
   * Returns true if another search would immediately find more.
   */
  findPending(search: PendingSearch): Promise<boolean>;
  /** Returns a delivery in any state, or undefined. Rejects with `data_damaged` if it is damaged. */
  read(id: string): Promise<Delivery | undefined>;
  /** Claims a delivery in one of `states`. Returns undefined if there is none or another process has claimed it. */
  claim(id: string, states: readonly DeliveryState[]): Promise<ClaimedDelivery | undefined>;
  /**
   * Yields all deliveries: pending ones first, then the others, latest days first. Memory use does not depend on their
   * number.
   */
  list(options?: ListDeliveries): AsyncIterable<Delivery>;
  /** Releases the claims of dead processes, and renews the lease of this process. */
  freeAbandoned(): Promise<void>;
  /**
   * Removes deliveries in a state that ended before a day (`YYYY-MM-DD`, UTC). Returns the number of days that were
   * removed.
   */
  removeEndedBefore(state: EndedState, day: string): Promise<number>;
  /**
   * Returns the payments that have an undelivered delivery. A delivery without an organization, as stored by `webhooks
   * replay --from`, matches the payments of every organization.
   */
  undeliveredOf<Name extends PaymentName>(payments: readonly Name[]): Promise<readonly Name[]>;
  /** Calls `onChange` soon after another process may have added a delivery, until the returned function is called. */
  watch(onChange: () => void): () => void;
  /** Releases all claims of this process. The store remains readable. */
  close(): Promise<void>;
}

/** The number of stored deliveries. */
export interface DeliveryCounts {
  readonly states: Readonly<Record<DeliveryState, number>>;
  /** The time at which the event of the oldest pending delivery occurred, in milliseconds since the epoch. */
  readonly oldestPending?: number;
}
