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

/** What came of a replay; without a report the delivery could not be had, for the reason given. */
export type ReplayOutcome =
  | { readonly kind: 'attempted'; readonly report: AttemptReport }
  | { readonly kind: 'missing' | 'busy' | 'interrupted' };

/** A request that was made because a person asked for it. */
export interface ReplayAct {
  readonly eventId: string;
  /** Null where nothing of it is stored. */
  readonly deliveryId: string | null;
  readonly facts: EventFacts;
  /** Without user name and password. */
  readonly url: string;
  /** Null: no whole answer came. */
  readonly status: number | null;
  /** Why it failed; null = delivered. */
  readonly error: string | null;
}

/** Takes note of a replay, for an audit, say; it is waited for before the next one of the same line is made. */
export type OnReplayed = (act: ReplayAct) => Promise<void>;

/** Who is to get an event. */
export interface ReplayTarget {
  readonly url: string;
  /** What to sign with; those of the address's subscription where they are not given. */
  readonly keys?: readonly SigningKey[];
}

/** A replay that may be made: the delivery as it is stored, or as it would be. */
export interface PlannedReplay {
  readonly delivery: Delivery;
  /** False where nothing of it is stored: the address has no subscription. */
  readonly isKept: boolean;
  /** Makes the one attempt. */
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

/** A claim that another process holds is asked for again after this long. */
const claimAgainMs = 200;

/** Sending again what a person asks for: one attempt each, whatever became of it before. */
export function createReplays(options: ReplaysOptions) {
  const { store, clock, timeoutMs, sender, makeAttempt, subscriptions } = options;

  /** A claim in any state; where another process has it, once that one has finished. */
  async function claimPatiently(
    id: string,
    signal: AbortSignal,
  ): Promise<ClaimedDelivery | 'missing' | 'busy' | 'interrupted'> {
    // An attempt of another process may take as long as one of ours.
    const until = clock.monotonic() + timeoutMs + claimAgainMs;
    while (!signal.aborted) {
      const claimed = await store.claim(id, deliveryStates);
      if (claimed) return claimed;
      if (!(await store.read(id))) return 'missing';
      if (clock.monotonic() >= until) return 'busy';
      // A process that died with the claim gives it back here.
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

  /** The delivery is stored before it is sent; one that is stored already is sent as it is. */
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
    /** One more attempt at a delivery, in whatever state it is. */
    replay: (id: string, signal: AbortSignal) => replay(id, signal),
    /**
     * An event to the subscriptions that want it now and have no delivery of it, perhaps. Their deliveries are
     * stored when they are made, for replay only: they are not sent automatically.
     */
    planFor: (event: StoredEvent): readonly PlannedReplay[] =>
      subscribersOf(subscriptions(), event.facts).map((subscription) =>
        planKept(event, subscription),
      ),
    /**
     * An event to an address. Where a subscription has it, its delivery is stored and its secret signs, also
     * while it is disabled; else nothing is stored, and without keys nothing is signed.
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
