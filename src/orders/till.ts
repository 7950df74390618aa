import type { Order } from './order.js';

/**
 * The result of a request for a payment. `made`: the order follows the payment. `in_doubt`: it will, once the result is
 * clear. `signed_out`: nothing was made, because the cashier's session has ended.
 */
export type Asked = 'made' | 'in_doubt' | 'signed_out';

/** A signed-in cashier, in whose name payments can be created. */
export interface TillCashier {
  readonly organizationId: number;
  readonly profileId: number;
  readonly organizationName: string;
  readonly phone: string;
  /**
   * Creates the payment of an order, once for any number of calls. Throws `provider_error` if the provider refuses and
   * nothing was created.
   */
  createQr(order: Pick<Order, 'id' | 'amount' | 'profileId'>): Promise<Asked>;
}

/** The place where signed-in cashiers take payments. */
export interface Till {
  /** Returns true if a cashier is signed in, as far as this process knows. */
  isOpen(): boolean;
  /** Returns the cashiers with the newest sessions, at most three; optionally of one organization. */
  cashiers(organizationId?: number): Promise<readonly TillCashier[]>;
}
