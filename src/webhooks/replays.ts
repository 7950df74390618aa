import type { Clock } from '../base/clock.js';
import {
  afterAttempt,
  createReplayed,
  type Delivery,
  deliveryStates,
  nextAttemptNumber,
} from '../events/delivery.js';
import type { EventFacts, StoredEvent } from '../events/event.js';
import type { ClaimedDelivery, DeliveryStore } from '../events/store.js';
import { subscribersOf, subscriptionsAt, wants } from '../events/subscription.js';
import type { AttemptReport, MakeAttempt } from './delivering/make-attempt.js';
import { buildRequest } from './delivering/request.js';
import type { Sender } from './delivering/sender.js';
import type { SigningKey } from './signature.js';
import { type Subscription, withoutCredentials } from './subscriptions/subscription-file.js';

/** The result of a replay. Without a report, `kind` is the reason why no attempt was made. */
export type ReplayOutcome =
  | { readonly kind: 'attempted'; readonly report: AttemptReport }
  | { readonly kind: 'missing' | 'busy' | 'interrupted' };

/** A request that a replay made. */
export interface ReplayRequest {
  readonly eventId: string;
  /** Null if the delivery is not stored. */
  readonly deliveryId: string | null;
  readonly facts: EventFacts;
  /** Without user name and password. */
  readonly url: string;
  /** Null if the receiver did not respond. */
  readonly status: number | null;
  /** The reason for the failure; null = delivered. */
  readonly error: string | null;
}

/** Records a replay, for example in the audit log. The replay waits for the promise. */
export type OnReplayed = (request: ReplayRequest) => Promise<void>;

/** The receiver of a replay. */
export interface ReplayTarget {
  readonly url: string;
  /** Keys to sign with; by default, those of the address's subscription. */
  readonly keys?: readonly SigningKey[];
}

/** A planned replay, with the delivery as it is stored or would be stored. */
export interface PlannedReplay {
  readonly delivery: Delivery;
  /** False if the delivery is not stored because the address has no subscription. */
  readonly isKept: boolean;
  /** Makes the attempt. */
  replay(signal: AbortSignal): Promise<ReplayOutcome>;
}

interface ReplaysOptions {
  readonly store: DeliveryStore;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly sender: Sender;
  readonly makeAttempt: MakeAttempt;
  readonly onReplayed?: OnReplayed | undefined;
  subscriptions(): readonly Subscription[];
}

/** Interval between two attempts to claim a delivery, in milliseconds. */
const claimAgainMs = 200;

/** Returns the functions that replay deliveries and events: one attempt each, in any state. */
export function createReplays(options: ReplaysOptions) {
  const { store, clock, timeoutMs, sender, makeAttempt, subscriptions } = options;

  /** Claims a delivery in any state, waiting for the attempt of another process to end. */
  async function claimPatiently(
    id: string,
    signal: AbortSignal,
  ): Promise<ClaimedDelivery | 'missing' | 'busy' | 'interrupted'> {
    // An attempt of another process takes at most as long as one of this process.
    const until = clock.monotonic() + timeoutMs + claimAgainMs;
    while (!signal.aborted) {
      const claimed = await store.claim(id, deliveryStates);
      if (claimed) return claimed;
      if (!(await store.read(id))) return 'missing';
      if (clock.monotonic() >= until) return 'busy';
      // The process that has the claim may have died.
      await store.freeAbandoned();
      await clock.sleep(claimAgainMs, signal);
    }
    return 'interrupted';
  }

  async function ended(report: AttemptReport | null, isKept: boolean): Promise<ReplayOutcome> {
    if (!report) return { kind: 'interrupted' };
    const { delivery, attempt } = report;
    await options.onReplayed?.({
      eventId: delivery.eventId,
      deliveryId: isKept ? delivery.id : null,
      facts: delivery.facts,
      url: delivery.subscription.url,
      status: attempt.status,
      error: attempt.error,
    });
    return { kind: 'attempted', report };
  }

  async function replay(
    id: string,
    signal: AbortSignal,
    to?: Subscription,
  ): Promise<ReplayOutcome> {
    const claimed = await claimPatiently(id, signal);
    if (typeof claimed === 'string') return { kind: claimed };
    const call = { replay: true, signal, ...(to ? { to } : {}) };
    return ended(await makeAttempt(claimed, call), true);
  }

  /** Plans a delivery, which is stored before it is sent unless it already is. */
  function planKept(event: StoredEvent, subscription: Subscription, to?: Subscription) {
    const delivery = createReplayed(event, subscription);
    return {
      delivery,
      isKept: true,
      async replay(signal: AbortSignal) {
        await store.add(delivery);
        return replay(delivery.id, signal, to);
      },
    };
  }

  async function sendUnkept(
    delivery: Delivery,
    { url, keys = [] }: ReplayTarget,
    signal: AbortSignal,
  ): Promise<ReplayOutcome> {
    const sentAt = clock.now();
    const request = buildRequest(delivery, { url, keys, sentAt, replay: true });
    const sent = await sender.send(request, signal);
    if (!sent) return { kind: 'interrupted' };
    const { retryAfter: _, ...result } = sent;
    const number = nextAttemptNumber(delivery);
    const attempt = { number, at: new Date(sentAt).toISOString(), replay: true, ...result };
    return ended({ delivery: afterAttempt(delivery, attempt, [0]), attempt }, false);
  }

  return {
    /** Makes one more attempt at a delivery in any state. */
    replay: (id: string, signal: AbortSignal) => replay(id, signal),
    /**
     * Plans an event for its current subscriptions. New deliveries are stored when they are sent, and only replays send
     * them.
     */
    planFor: (event: StoredEvent): readonly PlannedReplay[] =>
      subscribersOf(subscriptions(), event.facts).map((subscription) =>
        planKept(event, subscription),
      ),
    /**
     * Plans an event for an address. If a subscription has the address, even a disabled one, the delivery is stored and
     * signed with its secret. Otherwise nothing is stored, and nothing is signed without keys.
     */
    planTo(event: StoredEvent, target: ReplayTarget): PlannedReplay {
      const there = subscriptionsAt(subscriptions(), target.url);
      const subscription = there.find((each) => wants(each, event.facts)) ?? there[0];
      if (subscription) {
        const to = { ...subscription, ...(target.keys ? { keys: target.keys } : {}) };
        return planKept(event, subscription, to);
      }
      const displayUrl = withoutCredentials(target.url);
      const delivery = createReplayed(event, { id: 'none', displayUrl });
      const run = (signal: AbortSignal) => sendUnkept(delivery, target, signal);
      return { delivery, isKept: false, replay: run };
    },
  };
}
