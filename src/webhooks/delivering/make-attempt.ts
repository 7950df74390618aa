import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import {
  type Attempt,
  afterAttempt,
  type Delivery,
  nextAttemptNumber,
  type RetryDelays,
} from '../delivery.js';
import type { WebhookLog } from '../log.js';
import type { ClaimedDelivery } from '../store.js';
import { resolveSubscription, type Subscription } from '../subscriptions/subscription.js';
import { buildRequest } from './request.js';
import type { Sender } from './sender.js';

/** An attempt that was made, and the delivery as it is stored after it. */
export interface AttemptReport {
  readonly delivery: Delivery;
  readonly attempt: Attempt;
}

/**
 * Makes one attempt at a claimed delivery and records it; gives the claim up in any case. Null: cut
 * off by `signal`, which leaves the delivery as it was, so that the attempt is made again.
 */
export type MakeAttempt = (
  claimed: ClaimedDelivery,
  options: { readonly replay: boolean; readonly signal: AbortSignal },
) => Promise<AttemptReport | null>;

export interface AttemptOptions {
  readonly clock: Clock;
  readonly log: WebhookLog;
  readonly sender: Sender;
  readonly delays: RetryDelays;
  subscriptions(): readonly Subscription[];
}

/** What is said of a delivery whose subscription is not there any more. */
const noSubscription = 'its subscription is no longer in the webhooks file';

/** How long to wait before a result that could not be stored is stored again. */
const storeAgainMs = 2_000;

export function createMakeAttempt(options: AttemptOptions): MakeAttempt {
  const { clock, log, sender, delays, subscriptions } = options;

  /** The request itself, or null where it was cut off. */
  async function send(delivery: Delivery, replay: boolean, signal: AbortSignal) {
    const { subscription: wanted, facts } = delivery;
    const sentAt = clock.now();
    const base = {
      number: nextAttemptNumber(delivery),
      at: new Date(sentAt).toISOString(),
      replay,
    };
    const subscription = resolveSubscription(subscriptions(), wanted, facts.event);
    if (!subscription) {
      return { ...base, durationMs: 0, status: null, error: noSubscription, response: null };
    }
    const { url, key } = subscription;
    const result = await sender.send(buildRequest(delivery, { url, key, sentAt, replay }), signal);
    return result && { ...base, ...result };
  }

  /** A result that was reached is kept until it can be stored: sending again would double it. */
  async function settle(claimed: ClaimedDelivery, next: Delivery, signal: AbortSignal) {
    for (;;) {
      try {
        return await claimed.settle(next);
      } catch (error) {
        const passing = error instanceof AppError && error.code === 'storage_unavailable';
        if (!passing || signal.aborted) throw error;
        log.error({ delivery: next.id, reason: error.hint }, `${error.message} Trying again.`);
        await clock.sleep(storeAgainMs, signal);
      }
    }
  }

  return async function makeAttempt(claimed, { replay, signal }) {
    const attempt = await send(claimed.record, replay, signal).catch(async (error) => {
      await claimed.release();
      throw error;
    });
    if (!attempt) {
      await claimed.release();
      return null;
    }
    const delivery = afterAttempt(claimed.record, attempt, delays, clock.now());
    await settle(claimed, delivery, signal);
    report(log, delivery, attempt);
    return { delivery, attempt };
  };
}

function report(log: WebhookLog, delivery: Delivery, attempt: Attempt): void {
  const { id, eventId, facts, subscription, nextAttemptAt } = delivery;
  const { number, status, durationMs, error } = attempt;
  const reported = {
    delivery: id,
    webhookId: eventId,
    event: facts.event,
    paymentId: facts.paymentId,
    url: subscription.url.split(/[?#]/, 1)[0],
    attempt: number,
    status,
    durationMs,
  };
  if (error === null) log.info(reported, 'Webhook delivered.');
  else if (attempt.replay) log.warn({ ...reported, error }, 'Webhook replay failed.');
  else if (nextAttemptAt)
    log.warn({ ...reported, error, nextAttemptAt }, 'Webhook attempt failed.');
  else log.error({ ...reported, error }, 'Webhook dropped after its last attempt.');
}
