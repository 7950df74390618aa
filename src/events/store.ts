import type { ReceiverState } from '#validators/webhooks';
import type { AppError } from '../base/errors.js';
import type { Delivery, DeliveryState, QueueEntry } from './delivery.js';
import type { PaymentFacts, StoredEvent } from './event.js';

export type EndedState = Exclude<DeliveryState, 'pending'>;

/** What names the payment that an event is about. */
export interface PaymentName {
  /** Whose it is; without it, any organization's is meant. */
  readonly organizationId?: number | undefined;
  readonly type: PaymentFacts['type'];
  /** The operation id. */
  readonly id: string;
}

/** A payment's name without its organization. */
export function nameOf({ type, id }: Pick<PaymentName, 'type' | 'id'>): string {
  return `${type}-${id}`;
}

/** Those of the payments that are among others; a name without an organization stands for everybody's. */
export function namedBy<Name extends PaymentName>(
  payments: readonly Name[],
  others: readonly PaymentName[],
): readonly Name[] {
  const full = (name: PaymentName) => `${name.organizationId ?? 'any'}-${nameOf(name)}`;
  const exact = new Set(others.map(full));
  const anybodys = new Set(others.map(nameOf));
  return payments.filter((payment) =>
    payment.organizationId === undefined
      ? anybodys.has(nameOf(payment))
      : exact.has(full(payment)) || exact.has(`any-${nameOf(payment)}`),
  );
}

/** The right to act on a delivery; whoever has it is alone with it, in this and every other process. */
export interface ClaimedDelivery {
  /** The delivery as it is stored now. */
  readonly record: Delivery;
  /** Stores what became of it, durably, and gives the claim up. */
  settle(next: Delivery): Promise<void>;
  /** Gives the claim up and leaves the delivery as it was. */
  release(): Promise<void>;
}

export interface ListDeliveries {
  /** Only these states; all of them by default. */
  readonly states?: readonly DeliveryState[];
  /** Called for a record that cannot be read, which is then left out. */
  onDamaged?(error: AppError): void;
}

/** Events that no subscription wanted when they occurred. */
export interface EventStore {
  /** Stores an event; harmless where it is known already. */
  add(event: StoredEvent): Promise<void>;
  /** Every event, the latest days first; in bounded memory. */
  list(options?: Pick<ListDeliveries, 'onDamaged'>): AsyncIterable<StoredEvent>;
  /** Removes what occurred before the day (`YYYY-MM-DD`, UTC); gives how many days. */
  removeBefore(day: string): Promise<number>;
}

/** How receivers take their deliveries, one record a subscription that has ever had trouble. */
export interface ReceiverStore {
  list(): Promise<readonly ReceiverState[]>;
  /** Changes what is stored under the id of `initial`, or that where nothing is; gives what is stored then. */
  change(
    initial: ReceiverState,
    change: (state: ReceiverState) => ReceiverState,
  ): Promise<ReceiverState>;
}

/** Who searches for what is pending; see `findPending`. */
export interface PendingSearch {
  isKnown(id: string): boolean;
  onFound(entry: QueueEntry): void;
  /** Called for a record that cannot be read, which is then passed over. */
  onUnreadable(id: string, error: unknown): void;
}

/**
 * What webhooks need of a storage. Several processes work on one store. A method that resolves has
 * made its change durable (a success, settled, may be lost in a power cut: the event is then sent once
 * more); I/O errors are `storage_unavailable`.
 */
export interface DeliveryStore {
  readonly events: EventStore;
  readonly receivers: ReceiverStore;
  /** Stores a new delivery; false (and no change) where its id is known already. */
  add(delivery: Delivery): Promise<boolean>;
  /** Returns whether one of these deliveries, or the event without any delivery, is stored. */
  hasAny(event: string, deliveries: readonly string[]): Promise<boolean>;
  /**
   * Finds what is pending, unclaimed and due soon, and not known yet: of each subscription the
   * earliest. True where another search would soon find more.
   */
  findPending(search: PendingSearch): Promise<boolean>;
  /** A delivery in whatever state, or undefined. `data_damaged` where it cannot be read. */
  read(id: string): Promise<Delivery | undefined>;
  /** Claims a delivery in one of `states`; undefined where there is none or another has it. */
  claim(id: string, states: readonly DeliveryState[]): Promise<ClaimedDelivery | undefined>;
  /** Every delivery, the pending ones first, then the latest days first; in bounded memory. */
  list(options?: ListDeliveries): AsyncIterable<Delivery>;
  /** Frees what processes that died had claimed, and shows that this one lives. */
  freeAbandoned(): Promise<void>;
  /** Removes records of a state that ended before the day (`YYYY-MM-DD`, UTC); gives how many days. */
  removeEndedBefore(state: EndedState, day: string): Promise<number>;
  /**
   * Of these payments, those with a delivery that is stored and was not delivered. A delivery that older
   * versions stored names no organization: it counts for every one.
   */
  undeliveredOf<Name extends PaymentName>(payments: readonly Name[]): Promise<readonly Name[]>;
  /** Calls `onChange` soon after another process may have added something; gives how to stop. */
  watch(onChange: () => void): () => void;
  /** Gives back everything claimed here. The store can still be read. */
  close(): Promise<void>;
}

/** What is stored of deliveries, whichever process made them. */
export interface DeliveryCounts {
  readonly states: Readonly<Record<DeliveryState, number>>;
  /** When the event of the oldest pending one occurred, in milliseconds since the epoch; absent where none is pending. */
  readonly oldestPending?: number;
}
