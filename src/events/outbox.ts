import { createDelivery, type Delivery, deliveryIdOf, type RetryDelays } from './delivery.js';
import { type EventKey, eventIdOf, type OccurredEvent, storedEventOf } from './event.js';
import type { DeliveryStore } from './store.js';
import { type Subscription, subscribersOf } from './subscription.js';

export interface OutboxOptions {
  readonly store: Pick<DeliveryStore, 'add' | 'hasAny' | 'events'>;
  readonly delays: RetryDelays;
  subscriptions(): readonly Subscription[];
  /** Returns whether a subscription gets nothing at present, whatever it wants. */
  isDisabled(subscription: Subscription): boolean;
  /**
   * Returns the unique ID of this deployment, which is part of the IDs of events; undefined if it cannot be read.
   */
  instance(): Promise<string | undefined>;
  /** Called with each delivery that was not stored before. */
  onStored(delivery: Delivery): void;
}

/** Stores the events of every feature for their receivers. It sends nothing itself. */
export function createOutbox(options: OutboxOptions) {
  const { store, delays, subscriptions, isDisabled, onStored } = options;

  /** Returns the IDs under which an event may be stored: without the deployment's ID, and with it. */
  async function eventIdsOf(key: EventKey) {
    const instance = await options.instance();
    const bare = eventIdOf(key);
    return { bare, own: instance === undefined ? bare : eventIdOf(key, instance) };
  }

  /** Keeps the ID of an event that was stored while the deployment's ID could not be read. */
  async function idToStoreUnder(event: OccurredEvent): Promise<string> {
    const { bare, own } = await eventIdsOf(event);
    if (own === bare) return own;
    const deliveries = subscriptions().map(({ id }) => deliveryIdOf(bare, id));
    return (await store.hasAny(bare, deliveries)) ? bare : own;
  }

  return {
    /**
     * Stores one delivery of the event for each subscription that wants it, or the event alone where none does,
     * and resolves when all is on disk. Announcing the same event again is harmless.
     */
    async announce(event: OccurredEvent): Promise<void> {
      const eventId = await idToStoreUnder(event);
      const receivers = subscribersOf(subscriptions(), event).filter((each) => !isDisabled(each));
      if (receivers.length === 0) return store.events.add(storedEventOf(event, eventId));
      await Promise.all(
        receivers.map(async (subscription) => {
          const delivery = createDelivery(event, subscription, delays, eventId);
          if (await store.add(delivery)) onStored(delivery);
        }),
      );
    },
    /** Returns the IDs of the deliveries that an event has, if it was announced. */
    async deliveryIdsOf(key: EventKey): Promise<readonly string[]> {
      const { bare, own } = await eventIdsOf(key);
      return subscribersOf(subscriptions(), key).flatMap(({ id }) =>
        [...new Set([bare, own])].map((eventId) => deliveryIdOf(eventId, id)),
      );
    },
  };
}
