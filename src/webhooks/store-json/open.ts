import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.js';
import type { FileLayer } from '../../base/files/file-layer.js';
import { openRecordFolder } from '../../storage/json/records/record-folder.js';
import { deliveryStates, entryOf } from '../delivery.js';
import {
  type DeliveryStore,
  type ListDeliveries,
  namedBy,
  nameOf,
  type PaymentName,
} from '../store.js';
import { openJsonEventStore } from './event-store.js';
import { deliveryPlan } from './plan.js';
import { openJsonReceiverStore } from './receiver-store.js';

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
