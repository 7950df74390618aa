import type { Clock } from '../base/clock.js';
import type { Environment } from '../base/environment.js';
import type { PrivateAddresses } from './delivering/address-guard.js';
import type { EndpointLimits } from './delivering/endpoint-limits.js';
import { type AttemptReport, createMakeAttempt } from './delivering/make-attempt.js';
import { createSender } from './delivering/sender.js';
import { createWorker } from './delivering/worker.js';
import {
  createDelivery,
  type Delivery,
  deliveryIdOf,
  deliveryStates,
  type RetryDelays,
} from './delivery.js';
import { eventIdOf, eventNames, type PaymentEvent, type PaymentFacts } from './event.js';
import type { WebhookLog } from './log.js';
import type { ClaimedDelivery, DeliveryStore, ListDeliveries, PaymentName } from './store.js';
import { type Subscription, subscribersOf } from './subscriptions/subscription.js';
import { openSubscriptions } from './subscriptions/subscription-source.js';
import { type DeliveryFilter, matchesFilter } from './tools/replay-filter.js';

export interface WebhookOptions {
  /** Path of webhooks.json. */
  readonly file: string;
  /** For `env:NAME` secrets. */
  readonly environment: Environment;
  /** Milliseconds before each attempt; as many attempts are made. */
  readonly delays: RetryDelays;
  /** For one whole request, in milliseconds. */
  readonly timeoutMs: number;
  readonly privateAddresses: PrivateAddresses;
  /** How long delivered records are kept, in milliseconds. */
  readonly retentionMs: number;
  /** The same for dropped ones, which are kept at least as long. */
  readonly droppedRetentionMs: number;
  /** Where deliveries are kept, which other processes may use at the same time. */
  readonly store: DeliveryStore;
  readonly clock: Clock;
  readonly log: WebhookLog;
  readonly limits?: EndpointLimits;
}

/** What came of a replay; without a report the delivery could not be had, for the reason given. */
export type ReplayOutcome =
  | { readonly kind: 'attempted'; readonly report: AttemptReport }
  | { readonly kind: 'missing' | 'busy' | 'interrupted' };

export interface Webhooks {
  /**
   * Stores one delivery of the event for each subscription that wants it, and resolves when all of them
   * are on disk. Announcing the same event again is harmless. Sends nothing itself.
   */
  announce(event: PaymentEvent): Promise<void>;
  /** Starts sending; resolves when the first search of what is stored has been asked for. */
  start(): void;
  /** Cuts off requests under way (they will be made again) and gives everything back. */
  stop(): Promise<void>;
  /**
   * Makes the first attempt at a payment's deliveries that nobody has tried yet; for a command that
   * watches a payment while no server runs. Their retries are left to the next server.
   */
  sendFirstAttempts(
    payment: Pick<PaymentFacts, 'type' | 'paymentId'>,
    signal: AbortSignal,
  ): Promise<readonly AttemptReport[]>;
  /** The stored deliveries a filter asks for. */
  find(filter: DeliveryFilter, options?: ListDeliveries): AsyncIterable<Delivery>;
  /** Of these payments, those with a delivery that is stored and was not delivered. */
  undeliveredOf(payments: readonly PaymentName[]): Promise<readonly PaymentName[]>;
  /** One more attempt at a delivery, in whatever state it is. */
  replay(id: string, signal: AbortSignal): Promise<ReplayOutcome>;
  /**
   * Stores deliveries of an event known from elsewhere, for replay only: nothing sends them by itself.
   * Gives the ids of the event's deliveries, those stored before included.
   */
  adopt(event: PaymentEvent): Promise<readonly string[]>;
  readonly subscriptions: () => readonly Subscription[];
}

/** The stored deliveries that a filter asks for. */
export async function* findDeliveries(
  store: Pick<DeliveryStore, 'list'>,
  filter: DeliveryFilter,
  listing?: ListDeliveries,
): AsyncGenerator<Delivery> {
  for await (const delivery of store.list(listing)) {
    if (matchesFilter(delivery, filter)) yield delivery;
  }
}

/** A claim that another process holds is asked for again after this long. */
const claimAgainMs = 200;

/** Webhooks on their store. Throws a `configuration` error where webhooks.json is faulty. */
export async function createWebhooks(options: WebhookOptions): Promise<Webhooks> {
  const { store, clock, log, file, environment, delays, timeoutMs, limits } = options;
  const { privateAddresses, retentionMs, droppedRetentionMs } = options;
  const source = await openSubscriptions({ file, environment, clock, log });
  const sender = createSender({ clock, timeoutMs, privateAddresses });
  const subscriptions = source.current;
  const makeAttempt = createMakeAttempt({ clock, log, sender, delays, subscriptions });
  const worker = createWorker({
    clock,
    log,
    store,
    makeAttempt,
    keptMs: { delivered: retentionMs, dropped: Math.max(retentionMs, droppedRetentionMs) },
    ...(limits ? { limits } : {}),
  });
  const stopping = new AbortController();
  let running: Promise<unknown> | undefined;

  function deliveryIdsOf(event: Pick<PaymentFacts, 'type' | 'paymentId' | 'event'>) {
    const eventId = eventIdOf(event);
    return subscribersOf(source.current(), event.event).map(({ id }) => deliveryIdOf(eventId, id));
  }

  async function attemptFirst(id: string, signal: AbortSignal): Promise<AttemptReport[]> {
    const claimed = await store.claim(id, ['pending']);
    if (!claimed) return [];
    if (claimed.record.attempts.length > 0) {
      await claimed.release();
      return [];
    }
    const report = await makeAttempt(claimed, { replay: false, signal });
    return report ? [report] : [];
  }

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

  return {
    subscriptions: source.current,
    async adopt(event) {
      const wanted = subscribersOf(source.current(), event.event);
      const deliveries = wanted.map((subscription) => {
        const { occurredAt, ...fresh } = createDelivery(event, subscription, delays);
        const ended = { state: 'dropped', nextAttemptAt: null, endedAt: occurredAt } as const;
        return { ...fresh, occurredAt, ...ended };
      });
      await Promise.all(deliveries.map((delivery) => store.add(delivery)));
      return deliveries.map(({ id }) => id);
    },
    async announce(event) {
      const wanted = subscribersOf(source.current(), event.event);
      await Promise.all(
        wanted.map(async (subscription) => {
          const delivery = createDelivery(event, subscription, delays);
          const isNew = await store.add(delivery);
          if (isNew && running) worker.take(delivery);
        }),
      );
    },
    start() {
      running ??= Promise.all([worker.run(stopping.signal), source.watch(stopping.signal)]);
    },
    async stop() {
      stopping.abort();
      await running;
      sender.close();
      await store.close();
    },
    async sendFirstAttempts(payment, signal) {
      const ids = eventNames.flatMap((event) => deliveryIdsOf({ ...payment, event }));
      return (await Promise.all(ids.map((id) => attemptFirst(id, signal)))).flat();
    },
    find: (filter, listing) => findDeliveries(store, filter, listing),
    undeliveredOf: (payments) => store.undeliveredOf(payments),
    async replay(id, signal) {
      const claimed = await claimPatiently(id, signal);
      if (typeof claimed === 'string') return { kind: claimed };
      const report = await makeAttempt(claimed, { replay: true, signal });
      return report ? { kind: 'attempted', report } : { kind: 'interrupted' };
    },
  };
}
