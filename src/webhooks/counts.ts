import type { DeliveryState } from './delivery.js';

/** What is stored of deliveries, whichever process made them. */
export interface DeliveryCounts {
  readonly states: Readonly<Record<DeliveryState, number>>;
  /** When the event of the oldest pending one occurred, in milliseconds since the epoch; absent where none is pending. */
  readonly oldestPending?: number;
}
