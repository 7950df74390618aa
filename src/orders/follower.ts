import type { Clock } from '../base/clock.js';
import type { RateLimiter } from '../base/rate-limit.js';
import {
  type FollowedIntent,
  type FollowedPayment,
  followCorrection,
  followNotMade,
  followPayment,
} from './following.js';
import { isOrderId, type Order, orderRule } from './order.js';
import type { OrderStore } from './store.js';

export interface FollowerOptions {
  /** Opened when something names an order for the first time. */
  store(): Promise<Pick<OrderStore, 'change'>>;
  readonly clock: Pick<Clock, 'now'>;
  /** The limit on the orders of an address; an order stops counting once it is paid. */
  readonly rateLimiter: Pick<RateLimiter, 'giveBackTo'>;
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
  /** Handles a changed outcome of a payment that has ended; undefined: an outcome that does not count. */
  corrected(payment: FollowedPayment, outcome: FollowedPayment['outcome']): Promise<void>;
}

export function createFollower({ store, clock, rateLimiter }: FollowerOptions): OrderFollower {
  /** Returns the bucket of an order that has just been paid, if its token has not come back with time. */
  function placeOf(before: Order, next: Order | undefined): string | undefined {
    const isYoung = clock.now() - before.createdAt < orderRule.periodSeconds * 1_000;
    return next?.status === 'paid' && isYoung ? before.countedAs : undefined;
  }

  return {
    async seen(payment) {
      const { reference = '' } = payment;
      if (!isOrderId(reference)) return;
      let place: string | undefined;
      await (await store()).change(reference, (order) => {
        const next = followPayment(order, payment, clock.now());
        place = placeOf(order, next);
        return next;
      });
      // The order no longer names its bucket, so no token is returned twice. A token lost here comes back with time.
      if (place !== undefined)
        await Promise.resolve(rateLimiter.giveBackTo(orderRule, place)).catch(() => {});
    },
    async notMade(intent) {
      const { reference = '' } = intent;
      if (!isOrderId(reference)) return;
      await (await store()).change(reference, (order) => followNotMade(order, intent, clock.now()));
    },
    async corrected(payment, outcome) {
      const { reference = '' } = payment;
      if (!isOrderId(reference)) return;
      await (await store()).change(reference, (order) =>
        followCorrection(order, payment, { outcome, now: clock.now() }),
      );
    },
  };
}
