import type { Attempt, Delivery } from '#validators/webhooks';
import { digest, type OccurredEvent, type StoredEvent, storedEventOf } from './event.js';
import type { Subscription } from './subscription.js';

export type { Attempt, Delivery } from '#validators/webhooks';

/** A pending delivery as who sends it knows it: no more than when it is due and for whom. */
export interface QueueEntry {
  readonly id: string;
  /** The subscription it is for; each counts as a receiver of its own. */
  readonly receiver: string;
  /** Milliseconds since the epoch. */
  readonly dueAt: number;
}

export type DeliveryState = Delivery['state'];

export const deliveryStates: readonly DeliveryState[] = ['pending', 'delivered', 'dropped'];

/**
 * When a delivery is attempted: `delays[n]` is the wait before attempt n + 1, in milliseconds, counted
 * from the end of the attempt before it. As many attempts are made as there are delays.
 */
export type RetryDelays = readonly number[];

/** The most attempts kept of one delivery; beyond, the oldest replays are forgotten. @bound */
const keptAttempts = 100;

/** Returns the delivery of an event to a subscription: the same two always give the same ID. */
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
 * Returns the same for replay only: it counts as dropped until a replay delivers it. Its event is known from elsewhere,
 * or was not wanted when it occurred.
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

/** Derived from event and subscription, so that storing the same delivery again is harmless. */
export function deliveryIdOf(eventId: string, subscriptionId: string): string {
  return `dlv_${digest([eventId, subscriptionId])}`;
}

/** The number the next attempt will carry. */
export function nextAttemptNumber({ attempts }: Pick<Delivery, 'attempts'>): number {
  return (attempts.at(-1)?.number ?? 0) + 1;
}

/** Scheduled attempts that failed; replays do not use up the schedule. */
export function failuresOf({ attempts }: Pick<Delivery, 'attempts'>): number {
  return attempts.filter(({ error, replay }) => error !== null && !replay).length;
}

/** What has to be known of a pending delivery to send it when it is due. */
export function entryOf({ id, subscription, nextAttemptAt, occurredAt }: Delivery): QueueEntry {
  return { id, receiver: subscription.id, dueAt: Date.parse(nextAttemptAt ?? occurredAt) };
}

/** True where the delivery was tried and the receiver has never taken it. */
export function hasFailed({ state, attempts }: Pick<Delivery, 'state' | 'attempts'>): boolean {
  return state === 'dropped' || (state === 'pending' && attempts.length > 0);
}

/** What else is known of an attempt. */
export interface AttemptEnd {
  /**
   * The time of its end (milliseconds since the epoch), which the wait is counted from: by a clock that
   * stepped meanwhile it is not the start plus what it took.
   */
  readonly endedAtMs?: number;
  /** No further attempt is of use: the receiver is gone for good. */
  readonly isLast?: boolean;
  /** Milliseconds that the receiver asks to be left alone. */
  readonly retryAfterMs?: number;
}

/**
 * The delivery after an attempt: delivered, waiting for the next attempt (never earlier than the schedule
 * says, later where the receiver asks for it), or dropped when the schedule is used up. A replay that fails
 * changes no state.
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

/** The schedule's own attempts always stay, so that failures are counted right. */
function keepLatest(attempts: readonly Attempt[]): readonly Attempt[] {
  let surplus = attempts.length - keptAttempts;
  return surplus <= 0 ? attempts : attempts.filter(({ replay }) => !(replay && surplus-- > 0));
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
