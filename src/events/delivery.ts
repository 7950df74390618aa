import type { Attempt, Delivery } from '#validators/webhooks';
import { digest, type OccurredEvent, type StoredEvent, storedEventOf } from './event.js';
import type { Subscription } from './subscription.js';

export type { Attempt, Delivery } from '#validators/webhooks';

/** A pending delivery in the queue of the sending process. */
export interface QueueEntry {
  readonly id: string;
  /** The ID of the subscription. Each subscription is treated as a separate receiver. */
  readonly receiver: string;
  /** In milliseconds since the epoch. */
  readonly dueAt: number;
}

export type DeliveryState = Delivery['state'];

export const deliveryStates: readonly DeliveryState[] = ['pending', 'delivered', 'dropped'];

/**
 * The schedule of attempts. `delays[n]` is the time between the end of the previous attempt and attempt n + 1, in
 * milliseconds. There are as many attempts as delays.
 */
export type RetryDelays = readonly number[];

/** Maximum number of attempts that are stored for a delivery. The oldest replays are removed first. @bound */
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
 * Returns a delivery that is sent only by replays. It is in the state `dropped` until a replay succeeds. Its event is
 * not stored here, or no subscription matched it when it occurred.
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

/**
 * Returns the ID of a delivery. It is derived from the event and the subscription, so that a delivery is stored only
 * once.
 */
export function deliveryIdOf(eventId: string, subscriptionId: string): string {
  return `dlv_${digest([eventId, subscriptionId])}`;
}

/** Returns the number of the next attempt. */
export function nextAttemptNumber({ attempts }: Pick<Delivery, 'attempts'>): number {
  return (attempts.at(-1)?.number ?? 0) + 1;
}

/** Returns the number of failed scheduled attempts, without replays. */
export function failuresOf({ attempts }: Pick<Delivery, 'attempts'>): number {
  return attempts.filter(({ error, replay }) => error !== null && !replay).length;
}

/** Returns the queue entry of a pending delivery. */
export function entryOf({ id, subscription, nextAttemptAt, occurredAt }: Delivery): QueueEntry {
  return { id, receiver: subscription.id, dueAt: Date.parse(nextAttemptAt ?? occurredAt) };
}

/** Returns whether a delivery was attempted but never accepted by the receiver. */
export function hasFailed({ state, attempts }: Pick<Delivery, 'state' | 'attempts'>): boolean {
  return state === 'dropped' || (state === 'pending' && attempts.length > 0);
}

/** Additional facts about the end of an attempt. */
export interface AttemptEnd {
  /**
   * The time at which the attempt ended, in milliseconds since the epoch. The next delay starts at this time. If the
   * clock was changed during the attempt, it differs from start plus duration.
   */
  readonly endedAtMs?: number;
  /** True if the receiver is permanently gone and no further attempt is made. */
  readonly isLast?: boolean;
  /** The receiver's `Retry-After`, in milliseconds. */
  readonly retryAfterMs?: number;
}

/**
 * Returns the delivery after an attempt. It is delivered, pending until the next attempt (at its scheduled time, or
 * later if the receiver requests that), or dropped after the last scheduled attempt. A failed replay does not change
 * the state.
 */
export function afterAttempt(
  delivery: Delivery,
  attempt: Attempt,
  delays: RetryDelays,
  { endedAtMs = Date.parse(attempt.at) + attempt.durationMs, ...end }: AttemptEnd = {},
): Delivery {
  const attempted = { ...delivery, attempts: keepLatest([...delivery.attempts, attempt]) };
  const endedAt = isoTime(endedAtMs);
  if (attempt.error === null) {
    const first = delivery.state === 'delivered' ? delivery.endedAt : endedAt;
    return { ...attempted, state: 'delivered', nextAttemptAt: null, endedAt: first };
  }
  if (attempt.replay) return attempted;
  const delay = end.isLast ? undefined : delays[failuresOf(attempted)];
  return delay === undefined
    ? { ...attempted, state: 'dropped', nextAttemptAt: null, endedAt }
    : { ...attempted, nextAttemptAt: isoTime(endedAtMs + Math.max(delay, end.retryAfterMs ?? 0)) };
}

/** Removes excess replays. Scheduled attempts are always kept, because their failures are counted. */
function keepLatest(attempts: readonly Attempt[]): readonly Attempt[] {
  let excess = attempts.length - keptAttempts;
  return excess <= 0 ? attempts : attempts.filter(({ replay }) => !(replay && excess-- > 0));
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
