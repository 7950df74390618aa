import type { Order } from './order.js';

/**
 * What came of asking for a payment: `made`, and the order follows it; `in_doubt`, and it will once that is clear;
 * `signed_out`, and nothing was made, as the cashier's session has ended.
 */
export type Asked = 'made' | 'in_doubt' | 'signed_out';

/** A cashier who is signed in, in whose name payments can be made. */
export interface TillCashier {
  readonly organizationId: number;
  readonly profileId: number;
  /**
   * Has the payment of an order made, once however often it is asked for. `provider_error` where the provider refuses
   * it, and nothing was made.
   */
  createQr(order: Pick<Order, 'id' | 'amount' | 'profileId'>): Promise<Asked>;
}

/** Where payments are made, by whoever is signed in. */
export interface Till {
  /** Whether anybody is, as far as this process knows now. */
  isOpen(): boolean;
  /** The newest sessions first, at most three; of one organization, where one is named. */
  cashiers(organizationId?: number): Promise<readonly TillCashier[]>;
}
