import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import {
  type Attempt,
  afterAttempt,
  type Delivery,
  nextAttemptNumber,
  type RetryDelays,
} from '../../events/delivery.js';
import { paymentOf } from '../../events/event.js';
import type { ClaimedDelivery } from '../../events/store.js';
import { resolveSubscription } from '../../events/subscription.js';
import type { WebhookLog } from '../log.js';
import { type DisabledBy, type Receivers, shownUrl } from '../receivers.js';
import type { Subscription } from '../subscriptions/subscription-file.js';
import { buildRequest } from './request.js';
import type { Sender, SendResult } from './sender.js';
import { goneStatus } from './sender.js';

/** An attempt, and the stored delivery after it. */
export interface AttemptReport {
  readonly delivery: Delivery;
  readonly attempt: Attempt;
}

/**
 * Makes one attempt at a claimed delivery, records it and releases the claim in any case. Returns null if `signal`
 * interrupted it. In that case, the delivery is unchanged, so that the attempt is repeated.
 */
export type MakeAttempt = (
  claimed: ClaimedDelivery,
  options: AttemptCall,
) => Promise<AttemptReport | null>;

export interface AttemptCall {
  readonly replay: boolean;
  readonly signal: AbortSignal;
  /** A subscription to call even if it is disabled, because a user specified its address. */
  readonly to?: Subscription;
}

export interface AttemptOptions {
  readonly clock: Clock;
  readonly log: WebhookLog;
  readonly sender: Sender;
  readonly delays: RetryDelays;
  readonly receivers: Receivers;
  subscriptions(): readonly Subscription[];
}

/** The errors of deliveries whose subscription was removed or is disabled. */
const noSubscription = 'its subscription is no longer in the webhooks file';
const disabled: Readonly<Record<DisabledBy, string>> = {
  file: 'its subscription is disabled in the webhooks file',
  '410':
    'its subscription is disabled because the receiver responded with 410 Gone (see msgsite webhooks enable)',
};

/** The result of an attempt. */
interface Try {
  readonly result: SendResult;
  readonly subscription?: Subscription;
  /** True if a request was made. */
  readonly isSent: boolean;
}

/** Time after which storing a result is retried, in milliseconds. */
const storeAgainMs = 2_000;

export function createMakeAttempt(options: AttemptOptions): MakeAttempt {
  const { clock, log, sender, delays, receivers, subscriptions } = options;

  /** Returns the result of an attempt without a request. */
  function unsent(error: string, subscription?: Subscription): Try {
    const result = { durationMs: 0, status: null, error, response: null };
    return { result, isSent: false, ...(subscription ? { subscription } : {}) };
  }

  /** Sends the request. Returns null if it was interrupted. */
  async function send(
    delivery: Delivery,
    { replay, signal, to, sentAt }: AttemptCall & { readonly sentAt: number },
  ): Promise<Try | null> {
    const { subscription: reference, facts } = delivery;
    const subscription = to ?? resolveSubscription(subscriptions(), reference, facts);
    if (!subscription) return unsent(noSubscription);
    const by = to ? null : receivers.disabledBy(subscription);
    if (by) return unsent(disabled[by], subscription);
    const request = buildRequest(delivery, { ...subscription, sentAt, replay });
    const result = await sender.send(request, signal);
    return result && { result, subscription, isSent: true };
  }

  /** Stores a result. Retries until it succeeds, because the request is sent again if its result is lost. */
  async function settle(claimed: ClaimedDelivery, next: Delivery, signal: AbortSignal) {
    for (;;) {
      try {
        return await claimed.settle(next);
      } catch (error) {
        const passing = error instanceof AppError && error.code === 'storage_unavailable';
        if (!passing || signal.aborted) throw error;
        log.error({ delivery: next.id, reason: error.hint }, `${error.message} Retrying.`);
        await clock.sleep(storeAgainMs, signal);
      }
    }
  }

  /** Disables a subscription whose receiver responded with 410. Ignores failures, because `noteEnd` retries. */
  async function disableGone({ result, subscription }: Try): Promise<void> {
    if (result.status === goneStatus && subscription) {
      await receivers.disable(subscription).catch(() => {});
    }
  }

  /** Updates the state of the receiver after the delivery has been stored. */
  async function noteEnd(made: Try, delivery: Delivery, replay: boolean): Promise<void> {
    const { result, subscription, isSent } = made;
    if (!subscription || !isSent) return;
    try {
      if (result.error === null) await receivers.ended(subscription, 'delivered');
      else if (delivery.state === 'dropped' && !replay) {
        await receivers.ended(subscription, 'dropped');
      }
      if (result.status === goneStatus) await receivers.disable(subscription);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.error({ delivery: delivery.id, reason }, 'The state of a receiver could not be stored.');
    }
  }

  return async function makeAttempt(claimed, call) {
    const { replay, signal } = call;
    const sentAt = clock.now();
    const made = await send(claimed.record, { ...call, sentAt }).catch(async (error) => {
      await claimed.release();
      throw error;
    });
    if (!made) {
      await claimed.release();
      return null;
    }
    const { retryAfter, ...result } = made.result;
    const number = nextAttemptNumber(claimed.record);
    const attempt = { number, at: new Date(sentAt).toISOString(), replay, ...result };
    const endedAtMs = clock.now();
    const retryAfterMs = retryAfterOf(retryAfter, endedAtMs);
    const delivery = afterAttempt(claimed.record, attempt, delays, {
      endedAtMs,
      isLast: isGone(made, receivers),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
    // This precedes the end of the delivery, so that no process that reads the result calls the receiver again.
    await disableGone(made);
    await settle(claimed, delivery, signal);
    report(log, delivery, attempt);
    await noteEnd(made, delivery, replay);
    return { delivery, attempt };
  };
}

/** Returns whether the receiver responded with 410, now or earlier. */
function isGone({ result, subscription, isSent }: Try, { disabledBy }: Receivers): boolean {
  if (result.status === goneStatus) return true;
  return !isSent && subscription !== undefined && disabledBy(subscription) === '410';
}

function report(log: WebhookLog, delivery: Delivery, attempt: Attempt): void {
  const { id, eventId, facts, subscription, nextAttemptAt } = delivery;
  const { number, status, durationMs, error } = attempt;
  const reported = {
    delivery: id,
    webhookId: eventId,
    event: facts.event,
    paymentId: paymentOf(facts)?.paymentId,
    url: shownUrl(subscription.url),
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

/** Maximum wait that a receiver's `Retry-After` can request, in milliseconds. */
const maxRetryAfter = 3_600_000;

/** The three forms of a date in HTTP (RFC 9110, 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT` and the older two. */
const httpDate =
  /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/;

/**
 * Returns the wait that a `Retry-After` header requests, in milliseconds from `now` (milliseconds since the epoch), at
 * most one hour. Undefined if the header is absent, invalid or in the past.
 */
function retryAfterOf(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  const wait = /^\d+$/.test(text)
    ? Number(text) * 1000
    : httpDate.test(text)
      ? timeOf(text) - now
      : 0;
  return wait > 0 ? Math.min(wait, maxRetryAfter) : undefined;
}

/** Parses an HTTP date. The format without a zone is also in GMT. */
function timeOf(date: string): number {
  return Date.parse(date.endsWith('GMT') ? date : `${date} GMT`);
}
