/**
 * Deliveries as files, one each, in a folder that says how each stands:
 *
 *     pending/<id>.json               waits for its next attempt
 *     sending/<process>/<id>.json     claimed by that process, which is acting on it
 *     delivered/<day>/<id>.json       the receiver took it (UTC day of the success)
 *     dropped/<day>/<id>.json         given up (UTC day of the last attempt)
 *     owners/<process>.json           who that process is
 *     tmp/                            being written
 *
 * A delivery is one file at any moment: every step is one atomic rename, so a crash leaves it before or
 * after the step. Claiming renames into the process's own folder; of several processes one succeeds. Only
 * the claim's owner writes to the file.
 */
import { existsSync, type FSWatcher, watch } from 'node:fs';
import { basename, join } from 'node:path';
import type { Clock } from '../../base/clock.js';
import { ensureFolder } from '../../base/files/durable-write.js';
import { type FileLayer, systemFiles } from '../../base/files/file-layer.js';
import { storageError } from '../../base/files/storage-errors.js';
import { type Delivery, deliveryStates, entryOf } from '../delivery.js';
import type { DeliveryStore, ListDeliveries, PaymentName } from '../store.js';
import { createClaimFolders } from './claim-folders.js';
import { createDeliveryClaims } from './delivery-claims.js';
import { createWhole, removeLeftovers } from './delivery-files.js';
import { createDeliveryFolders, endedStates } from './delivery-folders.js';
import { wholeText } from './delivery-text.js';
import { createGroupSync } from './group-sync.js';

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

/** Records read at once while looking for what is pending. */
const readAhead = 32;

/** How long the list of folders is taken as known: it changes when a process starts or a day begins. */
const placesKnownMs = 1_000;

export async function createJsonDeliveryStore(
  options: JsonDeliveryStoreOptions,
): Promise<DeliveryStore> {
  const { folder, clock, label, files = systemFiles, readOnly } = options;
  const folders = createDeliveryFolders(files, folder);
  if (!readOnly) {
    for (const name of [...deliveryStates, 'sending', 'owners', 'tmp']) {
      await ensureFolder(files, join(folder, name));
    }
    await removeLeftovers(files, folders.temporary);
  }
  const sync = createGroupSync(files);
  const claimFolders = createClaimFolders({ files, folder, clock, label });
  const claims = createDeliveryClaims({ files, clock, folders, claimFolders, sync });
  let known: { readonly at: number; readonly places: readonly string[] } | undefined;

  /** Where a delivery may be that is not pending, in the order in which it moves. */
  async function otherPlaces(): Promise<readonly string[]> {
    if (!known || clock.now() - known.at >= placesKnownMs) {
      const claimed = await claimFolders.all();
      known = { at: clock.now(), places: [...claimed, ...(await folders.ofStates(endedStates))] };
    }
    // What this process made since: its own folder, and that of a day that has just begun.
    const today = new Date(clock.now()).toISOString().slice(0, 10);
    const fresh = [
      claimFolders.current() ?? [],
      endedStates.map((state) => join(folder, state, today)),
    ];
    return [...new Set([...known.places, ...fresh.flat()])];
  }

  async function isKnown({ id, state }: Delivery): Promise<boolean> {
    // Creating a pending one meets what is pending anyway.
    const places = [...(state === 'pending' ? [] : [folders.pending]), ...(await otherPlaces())];
    // Looks into the system's cache of names, which takes less time than handing them to a thread.
    return places.some((place) => existsSync(folders.pathIn(place, id)));
  }

  async function find(id: string): Promise<Delivery | undefined> {
    const places = [folders.pending, ...(await claimFolders.all())];
    for (const place of [...places, ...(await folders.ofStates(endedStates))]) {
      const delivery = await folders.read(folders.pathIn(place, id));
      if (delivery) return delivery;
    }
    return undefined;
  }

  async function* list({ states = deliveryStates, onDamaged }: ListDeliveries = {}) {
    const claimed = await claimFolders.all();
    const moving = new Set([...claimed, folders.pending]);
    const seen = new Set<string>();
    for (const place of [...claimed, ...(await folders.ofStates(states))]) {
      for await (const delivery of folders.readAll(place, onDamaged)) {
        if (!states.includes(delivery.state) || seen.has(delivery.id)) continue;
        // Only what is claimed or pending can turn up again further on; the rest is not remembered.
        if (moving.has(place)) seen.add(delivery.id);
        yield delivery;
      }
    }
  }

  async function addNew(delivery: Delivery): Promise<boolean> {
    if (await isKnown(delivery)) return false;
    const place = folders.placeOf(delivery);
    await folders.prepare(place);
    const path = folders.pathIn(place, delivery.id);
    const content = wholeText(delivery);
    const temporaryFolder = folders.temporary;
    const created = await createWhole({ files, temporaryFolder, path, content, lasting: true });
    await sync(place).catch((cause) => {
      throw storageError(cause, place);
    });
    return created;
  }

  /** Additions under way: one that comes meanwhile could look just when the delivery moves on. */
  const adding = new Map<string, Promise<boolean>>();

  return {
    async add(delivery) {
      const { id } = delivery;
      const other = adding.get(id);
      if (other) return other.then(() => false);
      const added = addNew(delivery).finally(() => adding.delete(id));
      adding.set(id, added);
      return added;
    },
    async lookForPending({ isKnown, onFound, onTrouble }) {
      const fresh = (await folders.idsIn(folders.pending)).filter((id) => !isKnown(id));
      for (let start = 0; start < fresh.length; start += readAhead) {
        const reading = fresh.slice(start, start + readAhead).map(async (id) => {
          try {
            const delivery = await find(id);
            if (delivery?.state === 'pending') onFound(entryOf(delivery));
          } catch (error) {
            onTrouble(id, error);
          }
        });
        await Promise.all(reading);
      }
      return false;
    },
    // Something that is being moved while one looks is found at the second look.
    read: async (id) => (await find(id)) ?? (await find(id)),
    async claim(id, states) {
      for (const place of await folders.ofStates(states)) {
        const claimed = await claims.take(place, id);
        if (claimed) return claimed;
      }
      return undefined;
    },
    list,
    async tend() {
      for (const claimFolder of await claimFolders.abandoned()) {
        await claims.free(claimFolder);
        await claimFolders.remove(claimFolder);
      }
    },
    async undeliveredOf(payments) {
      const wanted = new Map(payments.map((payment) => [nameKey(payment), payment]));
      const found = new Set<PaymentName>();
      if (wanted.size === 0) return [];
      for await (const { facts } of list({ states: ['pending', 'dropped'], onDamaged() {} })) {
        const payment = wanted.get(nameKey({ type: facts.type, id: facts.paymentId }));
        if (payment) found.add(payment);
      }
      return [...found];
    },
    async removeEndedBefore(state, day) {
      const days = await folders.ofStates([state]);
      const old = days.filter((place) => basename(place) < day);
      for (const place of old) await folders.remove(place);
      return old.length;
    },
    watch: (onChange) => watchFolder(folders.pending, onChange),
    async close() {
      const own = claimFolders.current();
      if (!own) return;
      await claims.free(own);
      await claimFolders.remove(own);
    },
  };
}

function nameKey({ type, id }: PaymentName): string {
  return `${type} ${id}`;
}

/** fs.watch is a hint only: where it does not work, the regular look finds everything later. */
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
