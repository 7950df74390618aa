import type { Clock } from '../base/clock.js';
import type { Environment } from '../base/environment.js';
import type { AppError } from '../base/errors.js';
import { every, inBackground } from '../base/every.js';
import type { MoneyClock } from '../base/money-clock.js';
import type { Delivery, RetryDelays } from '../events/delivery.js';
import { type EventPayment, eventNames, type StoredEvent } from '../events/event.js';
import { createOutbox } from '../events/outbox.js';
import type { DeliveryStore, ListDeliveries } from '../events/store.js';
import { subscriptionsAt } from '../events/subscription.js';
import type { EndpointLimits } from './delivering/endpoint-limits.js';
import type { PrivateAddresses } from './delivering/guarded-lookup.js';
import { type AttemptReport, createMakeAttempt } from './delivering/make-attempt.js';
import { createWebhookSender } from './delivering/sender.js';
import { createWorker } from './delivering/worker.js';
import type { WebhookLog } from './log.js';
import { openReceivers, type SubscriptionStanding } from './receivers.js';
import { createReplays, type OnReplayed } from './replays.js';
import { openSubscriptions } from './subscriptions/subscription-source.js';
import { type DeliveryFilter, matchesEvent, matchesFilter } from './tools/replay-filter.js';

export interface WebhookOptions {
  /** Path of webhooks.json. */
  readonly file: string;
  /** For `env:NAME` secrets. */
  readonly environment: Environment;
  readonly delays: RetryDelays;
  /** Maximum time for a whole request, in milliseconds. */
  readonly timeoutMs: number;
  readonly privateAddresses: PrivateAddresses;
  /** Time for which delivered records and events without a subscription are stored, in milliseconds. */
  readonly retentionMs: number;
  /** Time for which dropped records are stored, in milliseconds; at least `retentionMs`. */
  readonly droppedRetentionMs: number;
  readonly deletionTime: MoneyClock['deletionTime'];
  /** The storage of deliveries, which other processes may use concurrently. */
  readonly store: DeliveryStore;
  /** Returns the unique ID of this deployment, which is part of event IDs; undefined if it cannot be read. */
  instance(): Promise<string | undefined>;
  readonly clock: Clock;
  readonly log: WebhookLog;
  readonly limits?: EndpointLimits;
  /** Called with every request of a replay. */
  readonly onReplayed?: OnReplayed | undefined;
}

export type Webhooks = Awaited<ReturnType<typeof createWebhooks>>;

/** Yields the stored deliveries that a filter selects. */
export async function* findDeliveries(
  store: Pick<DeliveryStore, 'list'>,
  filter: DeliveryFilter,
  listing?: ListDeliveries,
): AsyncGenerator<Delivery> {
  for await (const delivery of store.list(listing)) {
    if (matchesFilter(delivery, filter)) yield delivery;
  }
}

/** Yields the stored events without a delivery that a filter selects. */
export async function* findStoredEvents(
  { events }: Pick<DeliveryStore, 'events'>,
  filter: DeliveryFilter,
  listing?: { onDamaged?(error: AppError): void },
): AsyncGenerator<StoredEvent> {
  for await (const event of events.list(listing)) if (matchesEvent(event, filter)) yield event;
}

/** Interval between two reads of the receivers' states, in milliseconds. */
const refreshEveryMs = 1_000;

/** Opens the webhooks. Throws `configuration` if webhooks.json is faulty. */
export async function createWebhooks(options: WebhookOptions) {
  const { store, clock, log, file, environment, delays, timeoutMs, limits } = options;
  const { privateAddresses, retentionMs, droppedRetentionMs, onReplayed } = options;
  const source = await openSubscriptions({ file, environment, clock, log });
  const sender = createWebhookSender({ clock, timeoutMs, privateAddresses });
  const subscriptions = source.current;
  const receivers = openReceivers({ store: store.receivers, clock, log, file: source.digest });
  await receivers.refresh();
  const makeAttempt = createMakeAttempt({ clock, log, sender, delays, receivers, subscriptions });
  const replays = createReplays({ ...options, sender, makeAttempt, subscriptions, onReplayed });
  const worker = createWorker({
    clock,
    deletionTime: options.deletionTime,
    log,
    store,
    makeAttempt,
    keptMs: { delivered: retentionMs, dropped: Math.max(retentionMs, droppedRetentionMs) },
    ...(limits ? { limits } : {}),
  });
  const sending = inBackground((signal) =>
    Promise.all([worker.run(signal), source.watch(signal), followReceivers(signal)]),
  );

  const outbox = createOutbox({
    store,
    delays,
    subscriptions,
    isDisabled: (subscription) => receivers.disabledBy(subscription) !== null,
    instance: options.instance,
    onStored(delivery) {
      if (sending.isRunning()) worker.take(delivery);
    },
  });

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

  /** Reads the receivers' states regularly; reports only the first of several consecutive failures. */
  async function followReceivers(signal: AbortSignal): Promise<void> {
    let isFailing = false;
    const refresh = async () => {
      await receivers.refresh();
      await receivers.forgetOutdated();
      isFailing = false;
    };
    const onError = (error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      if (!isFailing) log.error({ reason }, 'The state of webhook receivers cannot be read.');
      isFailing = true;
    };
    await every(refreshEveryMs, refresh, { clock, signal, onError });
  }

  return {
    ...replays,
    subscriptions: source.current,
    /** Returns the state of every subscription, in the order of the file. */
    standings: (): readonly SubscriptionStanding[] => source.current().map(receivers.standingOf),
    /**
     * Enables the subscriptions of an address whose receiver responded with 410. Missed events are not sent. Returns
     * the previous state of each subscription with that address.
     */
    async enable(url: string): Promise<readonly SubscriptionStanding[]> {
      const there = subscriptionsAt(source.current(), url);
      const before = there.map(receivers.standingOf);
      for (const subscription of there) await receivers.enable(subscription);
      return before;
    },
    announce: outbox.announce,
    /** Starts sending. */
    start: sending.start,
    /** Interrupts running requests, which will be repeated, and releases all claims. */
    async stop(): Promise<void> {
      await sending.stop();
      sender.close();
      await store.close();
    },
    /**
     * Makes the first attempt at a payment's deliveries that have not been attempted. Commands that watch a payment use
     * it while no server is running. The next server makes the retries.
     */
    async sendFirstAttempts(
      payment: EventPayment,
      signal: AbortSignal,
    ): Promise<readonly AttemptReport[]> {
      const named = eventNames.map((event) => outbox.deliveryIdsOf({ ...payment, event }));
      const ids = (await Promise.all(named)).flat();
      return (await Promise.all(ids.map((id) => attemptFirst(id, signal)))).flat();
    },
    /** Yields the stored deliveries that a filter selects. */
    find: (filter: DeliveryFilter, listing?: ListDeliveries) =>
      findDeliveries(store, filter, listing),
    /** Yields the events without a delivery that a filter selects. */
    findEvents: (filter: DeliveryFilter, listing?: ListDeliveries) =>
      findStoredEvents(store, filter, listing),
    undeliveredOf: store.undeliveredOf,
  };
}
