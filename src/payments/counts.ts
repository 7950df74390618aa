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
