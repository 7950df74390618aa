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
  /** Opens the store, when a payment first names an order. */
  store(): Promise<Pick<OrderStore, 'change'>>;
  readonly clock: Pick<Clock, 'now'>;
  /** The limit on orders per address; an order stops counting once it is paid. */
  readonly rateLimiter: Pick<RateLimiter, 'giveBackTo'>;
}

/**
 * Returns the functions that update orders when the payments that name them change. Every call may be repeated; when it
 * resolves, the change is stored.
 */
export function createFollower({ store, clock, rateLimiter }: FollowerOptions) {
  /** Returns the rate-limit bucket of an order that has just been paid, if its token has not been refilled by now. */
  function bucketOf(before: Order, next: Order | undefined): string | undefined {
    const isYoung = clock.now() - before.createdAt < orderRule.periodSeconds * 1_000;
    return next?.status === 'paid' && isYoung ? before.countedAs : undefined;
  }

  return {
    /** Handles a payment that was made, has ended, or was given up on. */
    async seen(payment: FollowedPayment): Promise<void> {
      const { reference = '' } = payment;
      if (!isOrderId(reference)) return;
      let bucket: string | undefined;
      await (await store()).change(reference, (order) => {
        const next = followPayment(order, payment, clock.now());
        bucket = bucketOf(order, next);
        return next;
      });
      // The order no longer names its bucket, so no token is returned twice. If returning it fails, it is refilled with
      // time.
      if (bucket !== undefined)
        await Promise.resolve(rateLimiter.giveBackTo(orderRule, bucket)).catch(() => {});
    },
    /** Handles a call in doubt that turned out to have created no payment. */
    async notMade(intent: FollowedIntent): Promise<void> {
      const { reference = '' } = intent;
      if (!isOrderId(reference)) return;
      await (await store()).change(reference, (order) => followNotMade(order, intent, clock.now()));
    },
    /** Handles a changed outcome of a payment that has ended; undefined means that the payment does not count. */
    async corrected(payment: FollowedPayment, outcome: FollowedPayment['outcome']): Promise<void> {
      const { reference = '' } = payment;
      if (!isOrderId(reference)) return;
      await (await store()).change(reference, (order) =>
        followCorrection(order, payment, { outcome, now: clock.now() }),
      );
    },
  };
}
