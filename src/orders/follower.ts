import type { Clock } from '../base/clock.js';
import {
  type FollowedIntent,
  type FollowedPayment,
  followNotMade,
  followPayment,
} from './following.js';
import { isOrderId } from './order.js';
import type { OrderStore } from './store.js';

export interface FollowerOptions {
  /** Opened when something names an order for the first time. */
  store(): Promise<Pick<OrderStore, 'change'>>;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Lets orders follow the payments that name them. Every call may come again; once it resolves, the order is stored as
 * it is then.
 */
export interface OrderFollower {
  /** A payment was made, has ended or was given up on. */
  seen(payment: FollowedPayment): Promise<void>;
  /** A call that was in doubt has made nothing. */
  notMade(intent: FollowedIntent): Promise<void>;
}

export function createFollower({ store, clock }: FollowerOptions): OrderFollower {
  return {
    async seen(payment) {
      const { reference = '' } = payment;
      if (!isOrderId(reference)) return;
      await (await store()).change(reference, (order) =>
        followPayment(order, payment, clock.now()),
      );
    },
    async notMade(intent) {
      const { reference = '' } = intent;
      if (!isOrderId(reference)) return;
      await (await store()).change(reference, (order) => followNotMade(order, intent, clock.now()));
    },
  };
}
