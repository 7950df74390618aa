import { createDelivery, type Delivery, deliveryIdOf, type RetryDelays } from './delivery.js';
import { type EventKey, eventIdOf, type OccurredEvent, storedEventOf } from './event.js';
import type { DeliveryStore } from './store.js';
import { type Subscription, subscribersOf } from './subscription.js';

export interface OutboxOptions {
  readonly store: Pick<DeliveryStore, 'add' | 'events'>;
  readonly delays: RetryDelays;
  subscriptions(): readonly Subscription[];
  /** Returns whether a subscription is currently disabled. */
  isDisabled(subscription: Subscription): boolean;
  /** Returns the unique ID of this deployment, which is part of event IDs, or undefined if it cannot be read. */
  instance(): Promise<string | undefined>;
  /** Called with each new delivery. */
  onStored(delivery: Delivery): void;
}

/** Creates an outbox, which stores events for their receivers. It sends nothing. */
export function createOutbox(options: OutboxOptions) {
  const { store, delays, subscriptions, isDisabled, onStored } = options;

  return {
    /**
     * Stores a delivery of the event for each matching subscription, or only the event if there is none. Everything is
     * on disk when the promise resolves. Announcing the same event again has no effect.
     */
    async announce(event: OccurredEvent): Promise<void> {
      const eventId = eventIdOf(event, await options.instance());
      const receivers = subscribersOf(subscriptions(), event).filter((each) => !isDisabled(each));
      if (receivers.length === 0) return store.events.add(storedEventOf(event, eventId));
      await Promise.all(
        receivers.map(async (subscription) => {
          const delivery = createDelivery(event, subscription, delays, eventId);
          if (await store.add(delivery)) onStored(delivery);
        }),
      );
    },
    /** Returns the IDs that the deliveries of an event have if it was announced. */
    async deliveryIdsOf(key: EventKey): Promise<readonly string[]> {
      const eventId = eventIdOf(key, await options.instance());
      return subscribersOf(subscriptions(), key).map(({ id }) => deliveryIdOf(eventId, id));
    },
  };
}
