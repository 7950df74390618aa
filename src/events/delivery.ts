import type { Attempt, Delivery } from '#validators/webhooks';
import { digest, type OccurredEvent, type StoredEvent, storedEventOf } from './event.js';
import type { Subscription } from './subscription.js';

export type { Attempt, Delivery } from '#validators/webhooks';

/** A pending delivery in the queue of the sending process. */
export interface QueueEntry {
  readonly id: string;
  /** The ID of its subscription; each subscription counts as a separate receiver. */
  readonly receiver: string;
  /** Milliseconds since the epoch. */
  readonly dueAt: number;
}

export type DeliveryState = Delivery['state'];

export const deliveryStates: readonly DeliveryState[] = ['pending', 'delivered', 'dropped'];

/**
 * The schedule of attempts: `delays[n]` is the wait before attempt n + 1, in milliseconds after the end of the previous
 * attempt. There are as many attempts as delays.
 */
export type RetryDelays = readonly number[];

/** The most attempts that are kept of a delivery. The oldest replays are removed first. @bound */
const keptAttempts = 100;

/** Returns the delivery of an event to a subscription. Its ID depends only on these two. */
export function createDelivery(
  event: OccurredEvent,
  subscription: Pick<Subscription, 'id' | 'displayUrl'>,
  delays: RetryDelays,
  eventId?: string,
): Delivery {
  const nextAttemptAt = isoTime(event.occurredAt + (delays[0] ?? 0));
  const replayed = createReplayed(storedEventOf(event, eventId), subscription);
  return { ...replayed, state: 'pending', nextAttemptAt, endedAt: null };
}

/**
 * Returns a delivery that only replays send: it counts as dropped until a replay delivers it. Its event is not stored
 * here, or no subscription wanted it when it occurred.
 */
export function createReplayed(
  { id: eventId, facts, occurredAt }: StoredEvent,
  { id, displayUrl: url }: Pick<Subscription, 'id' | 'displayUrl'>,
): Delivery {
  return {
    id: deliveryIdOf(eventId, id),
    eventId,
    facts,
    subscription: { id, url },
    state: 'dropped',
    occurredAt,
    nextAttemptAt: null,
    endedAt: occurredAt,
    attempts: [],
  };
}

/** Returns the ID of a delivery, derived from event and subscription, so that the same delivery is stored only once. */
export function deliveryIdOf(eventId: string, subscriptionId: string): string {
  return `dlv_${digest([eventId, subscriptionId])}`;
}

/** Returns the number of the next attempt. */
export function nextAttemptNumber({ attempts }: Pick<Delivery, 'attempts'>): number {
  return (attempts.at(-1)?.number ?? 0) + 1;
}

/** Returns the number of failed scheduled attempts. Replays do not count. */
export function failuresOf({ attempts }: Pick<Delivery, 'attempts'>): number {
  return attempts.filter(({ error, replay }) => error !== null && !replay).length;
}

/** Returns the queue entry of a pending delivery. */
export function entryOf({ id, subscription, nextAttemptAt, occurredAt }: Delivery): QueueEntry {
  return { id, receiver: subscription.id, dueAt: Date.parse(nextAttemptAt ?? occurredAt) };
}

/** Returns whether a delivery was attempted and the receiver has never accepted it. */
export function hasFailed({ state, attempts }: Pick<Delivery, 'state' | 'attempts'>): boolean {
  return state === 'dropped' || (state === 'pending' && attempts.length > 0);
}

/** Further facts about the end of an attempt. */
export interface AttemptEnd {
  /**
   * The time of its end in milliseconds since the epoch, from which the next wait is counted. If the clock was set
   * meanwhile, it differs from start plus duration.
   */
  readonly endedAtMs?: number;
  /** True if the receiver is gone for good, so that there is no further attempt. */
  readonly isLast?: boolean;
  /** Milliseconds of the receiver's `Retry-After`. */
  readonly retryAfterMs?: number;
}

/**
 * Returns the delivery after an attempt: delivered, waiting for the next attempt (at its scheduled time, or later if the
 * receiver requests it), or dropped after the last scheduled attempt. A failed replay does not change the state.
 */
export function afterAttempt(
  delivery: Delivery,
  attempt: Attempt,
  delays: RetryDelays,
  { endedAtMs = Date.parse(attempt.at) + attempt.durationMs, ...end }: AttemptEnd = {},
): Delivery {
  const tried = { ...delivery, attempts: keepLatest([...delivery.attempts, attempt]) };
  const endedAt = isoTime(endedAtMs);
  if (attempt.error === null) {
    const first = delivery.state === 'delivered' ? delivery.endedAt : endedAt;
    return { ...tried, state: 'delivered', nextAttemptAt: null, endedAt: first };
  }
  if (attempt.replay) return tried;
  const delay = end.isLast ? undefined : delays[failuresOf(tried)];
  return delay === undefined
    ? { ...tried, state: 'dropped', nextAttemptAt: null, endedAt }
    : { ...tried, nextAttemptAt: isoTime(endedAtMs + Math.max(delay, end.retryAfterMs ?? 0)) };
}

/** Removes surplus replays. Scheduled attempts always stay, because their failures are counted. */
function keepLatest(attempts: readonly Attempt[]): readonly Attempt[] {
  let surplus = attempts.length - keptAttempts;
  return surplus <= 0 ? attempts : attempts.filter(({ replay }) => !(replay && surplus-- > 0));
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
