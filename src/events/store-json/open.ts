import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReceiverState } from '#validators/webhooks';
import type { Clock } from '../../base/clock.js';
import { systemClock } from '../../base/clock.js';
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
  /** Who works here, for people who look into the folder: `serve`, `webhooks replay`. */
  readonly label: string;
  readonly files?: FileLayer;
  /** Nothing is made or tidied: for those who only look, also where there is nothing yet. */
  readonly readOnly?: boolean;
}

/** Records read at once in a search for what is pending. */
const readAhead = 32;

/** Deliveries as one file each, which the attempts are appended to. */
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
    hasAny: async (event, ids) => events.has(event) || ids.some(deliveries.isKnown),
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
    removeEndedBefore: (state, day) => deliveries.removeBefore(state, day),
    watch: (onChange) => watchFolder(join(folder, 'pending'), onChange),
    async close() {
      await receivers.close();
      await events.close();
      await deliveries.close();
    },
  };
}

/** fs.watch is a notification only: where it does not work, polling finds everything later. */
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

/** Gives what counts the deliveries in a folder, by the names of their files. */
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

export interface JsonWebhookFolder {
  readonly folder: string;
  readonly clock: Clock;
  readonly label: string;
  readonly files?: FileLayer;
  readonly readOnly?: boolean;
}

/** Events that nobody wanted, as one file each. */
async function openJsonEventStore(
  options: JsonWebhookFolder,
): Promise<EventStore & { has(id: string): boolean; close(): Promise<void> }> {
  const events = await openRecordFolder({ ...options, plan: eventPlan });
  return {
    async add(event) {
      await events.create(event.id, event);
    },
    async *list({ onDamaged } = {}) {
      const listing = { latestDaysFirst: true, ...(onDamaged ? { onDamaged } : {}) };
      for await (const { record } of events.list(['stored'], listing)) yield record;
    },
    has: events.isKnown,
    removeBefore: (day) => events.removeBefore('stored', day),
    close: events.close,
  };
}

/** File systems stamp a folder with a clock that may stand still for so many milliseconds. */
const coarseMs = 2_000;

/** How receivers take their deliveries, as one file a subscription that has ever had trouble. */
async function openJsonReceiverStore(
  options: JsonWebhookFolder,
): Promise<ReceiverStore & { close(): Promise<void> }> {
  const { folder } = options;
  // What is damaged is found by `data check`; a receiver without a record is one that has had no trouble.
  const records = await openRecordFolder({ ...options, plan: receiverPlan, onDamaged() {} });
  let read: { readonly mark: number; readonly states: readonly ReceiverState[] } | undefined;

  /** When something was put into the folder or taken out, by the machine's own time; a change does both. */
  async function changedAt(): Promise<number> {
    const found = await stat(join(folder, 'kept')).catch(() => undefined);
    return found?.mtimeMs ?? Number.NaN;
  }

  return {
    async list() {
      const mark = await changedAt();
      if (read?.mark === mark) return read.states;
      const states: ReceiverState[] = [];
      for await (const { record } of records.list(['kept'])) states.push(record);
      // A change within the same tick of that clock would not be seen.
      read = systemClock.now() - mark > coarseMs ? { mark, states } : undefined;
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
