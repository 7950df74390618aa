import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import type { ReceiverState } from '#validators/webhooks';
import type { Clock } from '../../base/clock.js';
import type { FileLayer } from '../../base/files/file-layer.js';
import { createRecordCounter } from '../../storage/json/records/record-counter.js';
import { openRecordFolder } from '../../storage/json/records/record-folder.js';
import { deliveryStates, entryOf } from '../delivery.js';
import type { DeliveryCounts, EventStore, ReceiverStore } from '../store.js';
import {
  type DeliveryStore,
  type ListDeliveries,
  namedBy,
  nameOf,
  type PaymentName,
} from '../store.js';
import { deliveryPlan, eventPlan, receiverPlan } from './plan.js';

export interface JsonDeliveryStoreOptions {
  /** `<data>/webhooks`. */
  readonly folder: string;
  readonly clock: Clock;
  /** The name of this process in owner files: `serve`, `webhooks replay`. */
  readonly label: string;
  readonly files?: FileLayer;
  /** True to create and remove nothing. The folder need not exist. */
  readonly readOnly?: boolean;
}

/** Number of records that a search for pending deliveries reads concurrently. */
const readAhead = 32;

/** Creates a store that writes each delivery to a file, to which attempts are appended. */
export async function createJsonDeliveryStore(
  options: JsonDeliveryStoreOptions,
): Promise<DeliveryStore> {
  const { folder } = options;
  const deliveries = await openRecordFolder({ ...options, plan: deliveryPlan });
  const events = await openJsonEventStore({ ...options, folder: join(folder, 'events') });
  const receivers = await openJsonReceiverStore({ ...options, folder: join(folder, 'receivers') });

  const find = async (id: string) => (await deliveries.find(id))?.record;

  async function* list({ states = deliveryStates, onDamaged }: ListDeliveries = {}) {
    const listing = { latestDaysFirst: true, ...(onDamaged ? { onDamaged } : {}) };
    for await (const { record } of deliveries.list(states, listing)) yield record;
  }

  return {
    events,
    receivers,
    add: (delivery) => deliveries.create(delivery.id, delivery),
    async findPending({ isKnown, onFound, onUnreadable }) {
      const fresh = (await deliveries.ids('pending')).filter((id) => !isKnown(id));
      for (let start = 0; start < fresh.length; start += readAhead) {
        const reading = fresh.slice(start, start + readAhead).map(async (id) => {
          try {
            const delivery = await find(id);
            if (delivery?.state === 'pending') onFound(entryOf(delivery));
          } catch (error) {
            onUnreadable(id, error);
          }
        });
        await Promise.all(reading);
      }
      return false;
    },
    read: find,
    claim: deliveries.claim,
    list,
    freeAbandoned: deliveries.freeAbandoned,
    async undeliveredOf(payments) {
      if (payments.length === 0) return [];
      const names = new Set(payments.map(nameOf));
      const undelivered: PaymentName[] = [];
      for await (const { facts } of list({ states: ['pending', 'dropped'], onDamaged() {} })) {
        if ('subject' in facts) continue;
        const { organizationId, type, paymentId: id } = facts;
        if (names.has(nameOf({ type, id }))) undelivered.push({ organizationId, type, id });
      }
      return namedBy(payments, undelivered);
    },
    removeEndedBefore: deliveries.removeBefore,
    watch: (onChange) => watchFolder(join(folder, 'pending'), onChange),
    async close() {
      await receivers.close();
      await events.close();
      await deliveries.close();
    },
  };
}

/** Watches a folder. On systems where `fs.watch` does not work, polling finds changes later. */
function watchFolder(path: string, onChange: () => void): () => void {
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(path, { persistent: false }, onChange);
    watcher.on('error', () => watcher?.close());
  } catch {
    return () => {};
  }
  return () => watcher?.close();
}

/** Returns a function that counts the deliveries in a folder by their file names. */
export function createJsonDeliveryCounter(folder: string): () => Promise<DeliveryCounts> {
  const deliveries = createRecordCounter(folder, deliveryPlan);
  const countPending = deliveries.withEarliest('pending', ({ occurredAt }) =>
    Date.parse(occurredAt),
  );
  return async function countDeliveries() {
    const { count: pending, earliest: oldestPending } = await countPending();
    const [delivered, dropped] = [
      await deliveries.count('delivered'),
      await deliveries.count('dropped'),
    ];
    return {
      states: { pending, delivered, dropped },
      ...(oldestPending === undefined ? {} : { oldestPending }),
    };
  };
}

/** Opens a store that writes each event without a subscription to a file. */
async function openJsonEventStore(
  options: JsonDeliveryStoreOptions,
): Promise<EventStore & { close(): Promise<void> }> {
  const events = await openRecordFolder({ ...options, plan: eventPlan });
  return {
    async add(event) {
      await events.create(event.id, event);
    },
    async *list({ onDamaged } = {}) {
      const listing = { latestDaysFirst: true, ...(onDamaged ? { onDamaged } : {}) };
      for await (const { record } of events.list(['stored'], listing)) yield record;
    },
    removeBefore: (day) => events.removeBefore('stored', day),
    close: events.close,
  };
}

/** Opens a store of receiver states, one file for each subscription that has ever failed. */
async function openJsonReceiverStore(
  options: JsonDeliveryStoreOptions,
): Promise<ReceiverStore & { close(): Promise<void> }> {
  // `data check` reports damage. A receiver without a record is treated as one that has never failed.
  const records = await openRecordFolder({ ...options, plan: receiverPlan, onDamaged() {} });
  return {
    async list() {
      const states: ReceiverState[] = [];
      for await (const { record } of records.list(['kept'])) states.push(record);
      return states;
    },
    async change(initial, change) {
      await records.create(initial.id, initial);
      return records.change(initial.id, (state = initial) => {
        const changed = change(state);
        return { record: changed, result: changed };
      });
    },
    close: records.close,
  };
}
