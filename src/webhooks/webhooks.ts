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
  /** Milliseconds before each attempt; as many attempts are made. */
  readonly delays: RetryDelays;
  /** For one whole request, in milliseconds. */
  readonly timeoutMs: number;
  readonly privateAddresses: PrivateAddresses;
  /** How long delivered records, and events that nobody wanted, are kept, in milliseconds. */
  readonly retentionMs: number;
  /** The same for dropped ones, which are kept at least as long. */
  readonly droppedRetentionMs: number;
  readonly deletionTime: MoneyClock['deletionTime'];
  /** Where deliveries are kept, which other processes may use at the same time. */
  readonly store: DeliveryStore;
  /**
   * Returns the unique ID of this deployment, which is part of the IDs of events; undefined if it cannot be read.
   */
  instance(): Promise<string | undefined>;
  readonly clock: Clock;
  readonly log: WebhookLog;
  readonly limits?: EndpointLimits;
  /** Called with every request that a replay has made. */
  readonly onReplayed?: OnReplayed | undefined;
}

export type Webhooks = Awaited<ReturnType<typeof createWebhooks>>;

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

/** The stored events without a delivery of their own that a filter asks for. */
export async function* findStoredEvents(
  { events }: Pick<DeliveryStore, 'events'>,
  filter: DeliveryFilter,
  listing?: { onDamaged?(error: AppError): void },
): AsyncGenerator<StoredEvent> {
  for await (const event of events.list(listing)) if (matchesEvent(event, filter)) yield event;
}

/** How often what other processes have learned of receivers is read again. */
const refreshEveryMs = 1_000;

/** Webhooks on their store. Throws a `configuration` error where webhooks.json is faulty. */
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

  /** Reads what others have learned; of failures in a row the first is reported. */
  async function followReceivers(signal: AbortSignal): Promise<void> {
    let isFailing = false;
    const refresh = async () => {
      await receivers.refresh();
      await receivers.forgetOver();
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
    /** How every subscription of the file stands, in its order. */
    standings: (): readonly SubscriptionStanding[] => source.current().map(receivers.standingOf),
    /**
     * Sends to an address again whose receiver answered 410; what it was not sent meanwhile is not sent. Returns
     * how the address's subscriptions stood before; none where there are none.
     */
    async enable(url: string): Promise<readonly SubscriptionStanding[]> {
      const there = subscriptionsAt(source.current(), url);
      const before = there.map(receivers.standingOf);
      for (const subscription of there) await receivers.enable(subscription);
      return before;
    },
    /** Stores an event for the subscriptions that want it; see `createOutbox`. */
    announce: outbox.announce,
    /** Starts sending. */
    start: sending.start,
    /** Cuts off requests under way (they will be made again) and gives everything back. */
    async stop(): Promise<void> {
      await sending.stop();
      sender.close();
      await store.close();
    },
    /**
     * Makes the first attempt at a payment's deliveries that nobody has tried yet; for a command that
     * watches a payment while no server runs. Their retries are left to the next server.
     */
    async sendFirstAttempts(
      payment: EventPayment,
      signal: AbortSignal,
    ): Promise<readonly AttemptReport[]> {
      const named = eventNames.map((event) => outbox.deliveryIdsOf({ ...payment, event }));
      const ids = (await Promise.all(named)).flat();
      return (await Promise.all(ids.map((id) => attemptFirst(id, signal)))).flat();
    },
    /** The stored deliveries a filter asks for. */
    find: (filter: DeliveryFilter, listing?: ListDeliveries) =>
      findDeliveries(store, filter, listing),
    /** The events a filter asks for that nobody wanted when they occurred. */
    findEvents: (filter: DeliveryFilter, listing?: ListDeliveries) =>
      findStoredEvents(store, filter, listing),
    /** Of these payments, those with a delivery that is stored and was not delivered. */
    undeliveredOf: store.undeliveredOf,
  };
}
