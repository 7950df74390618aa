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
import { join } from 'node:path';
import type { Clock } from '../../clock.js';
import { AppError } from '../../errors.js';
import { ensureFolder, readTextFile } from '../../storage/json/durable-write.js';
import { type FileLayer, systemFiles } from '../../storage/json/file-layer.js';
import { isMissing, storageError } from '../../storage/json/storage-errors.js';
import { type Delivery, type DeliveryState, deliveryStates } from '../delivery.js';
import type { ClaimedDelivery, DeliveryStore, ListDeliveries } from '../delivery-store.js';
import { createClaimFolders } from './claim-folders.js';
import {
  addToFile,
  createWhole,
  exists,
  namesIn,
  removeLeftovers,
  replaceWhole,
} from './delivery-files.js';
import { changeText, type DeliveryText, parseDelivery, wholeText } from './delivery-text.js';
import { createGroupSync } from './group-sync.js';

export interface JsonDeliveryStoreOptions {
  /** `<data>/webhooks`. */
  readonly folder: string;
  readonly clock: Clock;
  /** Who works here, for people who look into the folder: `serve`, `webhooks replay`. */
  readonly label: string;
  readonly files?: FileLayer;
}

const endedStates = ['delivered', 'dropped'] as const;

/** Records read at once while listing. */
const readAhead = 16;

/** Far below the lease on claims: until then nobody can have taken one over. */
const sureOfClaimMs = 30_000;

/** How long the list of folders is taken as known: it changes when a process starts or a day begins. */
const placesKnownMs = 1_000;

export async function createJsonDeliveryStore(
  options: JsonDeliveryStoreOptions,
): Promise<DeliveryStore> {
  const { folder, clock, label, files = systemFiles } = options;
  const pendingFolder = join(folder, 'pending');
  const temporaryFolder = join(folder, 'tmp');
  for (const name of ['pending', 'delivered', 'dropped', 'sending', 'owners', 'tmp']) {
    await ensureFolder(files, join(folder, name));
  }
  await removeLeftovers(files, temporaryFolder);
  const sync = createGroupSync(files);
  const claims = createClaimFolders({ files, folder, clock, label });
  const knownFolders = new Set<string>();
  let known: { readonly at: number; readonly places: readonly string[] } | undefined;

  const fileName = (id: string) => `${id}.json`;

  /** The day folders of a state, the latest first. */
  async function dayFolders(state: DeliveryState): Promise<string[]> {
    const names = (await namesIn(files, join(folder, state))).filter(isDay).sort().reverse();
    return names.map((day) => join(folder, state, day));
  }

  async function foldersOf(states: readonly DeliveryState[]): Promise<string[]> {
    const found = await Promise.all(
      states.map((state) => (state === 'pending' ? [pendingFolder] : dayFolders(state))),
    );
    return found.flat();
  }

  /** Where a delivery may be that is not pending, in the order in which it moves. */
  async function otherPlaces(): Promise<readonly string[]> {
    if (!known || clock.now() - known.at >= placesKnownMs) {
      const ended = await foldersOf(endedStates);
      known = { at: clock.now(), places: [...(await claims.all()), ...ended] };
    }
    return known.places;
  }

  async function isKnown({ id, state }: Delivery): Promise<boolean> {
    // Creating a pending one meets what is pending anyway.
    const places = [...(state === 'pending' ? [] : [pendingFolder]), ...(await otherPlaces())];
    // Looks into the system's cache of names, which take less time than handing them to a thread.
    return places.some((place) => existsSync(join(place, fileName(id))));
  }

  async function readTextAt(path: string): Promise<DeliveryText | undefined> {
    const text = await readTextFile(files, path);
    return text === undefined ? undefined : parseDelivery(text, path);
  }

  async function readAt(path: string): Promise<Delivery | undefined> {
    const delivery = (await readTextAt(path))?.delivery;
    // After a power cut the last line may be gone; the folder then still says how it ended.
    const ended = endedStates.find((state) => path.startsWith(join(folder, state, '/')));
    return delivery && ended ? { ...delivery, state: ended, nextAttemptAt: null } : delivery;
  }

  function folderFor({ state, endedAt, arisenAt }: Delivery): string {
    return state === 'pending'
      ? pendingFolder
      : join(folder, state, (endedAt ?? arisenAt).slice(0, 10));
  }

  async function folderReady(path: string): Promise<void> {
    if (knownFolders.has(path)) return;
    await ensureFolder(files, path);
    knownFolders.add(path);
    known = undefined;
  }

  /** Moves a claimed file to where its state belongs; gives false where the claim was lost. */
  async function putBack(claimedPath: string, delivery: Delivery): Promise<boolean> {
    const lasting = mustLast(delivery);
    const target = folderFor(delivery);
    try {
      await folderReady(target);
      await files.rename(claimedPath, join(target, fileName(delivery.id))).catch(async (cause) => {
        // Retention or a person may have removed the folder since.
        if (!isMissing(cause) || !(await exists(files, claimedPath))) throw cause;
        await ensureFolder(files, target);
        await files.rename(claimedPath, join(target, fileName(delivery.id)));
      });
      if (lasting) await sync(target);
      return true;
    } catch (cause) {
      if (isMissing(cause)) return false;
      throw storageError(cause, target);
    }
  }

  function claimOf(path: string, { delivery, end }: DeliveryText): ClaimedDelivery {
    const claimedAt = clock.now();
    let written: Delivery | undefined;

    async function write(next: Delivery): Promise<void> {
      const lasting = mustLast(next);
      const content = end === null ? undefined : changeText(delivery, next);
      if (end === null || content === undefined) {
        const whole = wholeText(next);
        await replaceWhole({ files, temporaryFolder, path, content: whole, lasting });
      } else if (!(await addToFile({ files, path, content, lasting, position: end }))) {
        throw lostClaim(delivery.id);
      }
    }

    return {
      delivery,
      async settle(next) {
        const mayBeLost = clock.now() - claimedAt > sureOfClaimMs;
        if (mayBeLost && !(await exists(files, path))) throw lostClaim(delivery.id);
        // Asked again because the second step failed, the first is not repeated.
        if (written !== next) await write(next);
        written = next;
        if (!(await putBack(path, next))) throw lostClaim(delivery.id);
      },
      async release() {
        await putBack(path, delivery);
      },
    };
  }

  async function claimFrom(place: string, id: string): Promise<ClaimedDelivery | undefined> {
    if (!claims.current()) known = undefined;
    const own = await claims.own();
    const path = join(own, fileName(id));
    try {
      await files.rename(join(place, fileName(id)), path);
    } catch (cause) {
      if (isMissing(cause)) return undefined;
      throw storageError(cause, path);
    }
    try {
      const found = await readTextAt(path);
      return found && claimOf(path, found);
    } catch (error) {
      await files.rename(path, join(place, fileName(id)));
      throw error;
    }
  }

  async function freeClaimsOf(claimFolder: string): Promise<void> {
    for (const name of await namesIn(files, claimFolder)) {
      const path = join(claimFolder, name);
      const delivery = await readAt(path).catch(() => undefined);
      if (delivery) await putBack(path, delivery);
      // What cannot be read is shown to whoever looks at what is pending.
      else await files.rename(path, join(pendingFolder, name)).catch(ignoreMissing);
    }
  }

  async function find(id: string): Promise<Delivery | undefined> {
    const places = [pendingFolder, ...(await claims.all())];
    for (const place of [...places, ...(await foldersOf(endedStates))]) {
      const delivery = await readAt(join(place, fileName(id)));
      if (delivery) return delivery;
    }
    return undefined;
  }

  async function* readFolder(place: string, onDamaged: ListDeliveries['onDamaged']) {
    const paths = (await namesIn(files, place)).filter(isRecord).map((name) => join(place, name));
    for (let start = 0; start < paths.length; start += readAhead) {
      const batch = paths.slice(start, start + readAhead);
      yield* await Promise.all(batch.map((path) => readAt(path).catch(tellDamage(onDamaged))));
    }
  }

  return {
    async add(delivery) {
      if (await isKnown(delivery)) return false;
      const place = folderFor(delivery);
      await folderReady(place);
      const path = join(place, fileName(delivery.id));
      const content = wholeText(delivery);
      const created = await createWhole({ files, temporaryFolder, path, content, lasting: true });
      await sync(place).catch(raise(place));
      return created;
    },
    async pendingIds() {
      const names = (await namesIn(files, pendingFolder)).filter(isRecord);
      return names.map((name) => name.slice(0, -'.json'.length));
    },
    // Something that is being moved while one looks is found at the second look.
    read: async (id) => (await find(id)) ?? (await find(id)),
    async claim(id, states) {
      for (const place of await foldersOf(states)) {
        const claimed = await claimFrom(place, id);
        if (claimed) return claimed;
      }
      return undefined;
    },
    async *list({ states = deliveryStates, onDamaged } = {}) {
      const seen = new Set<string>();
      const claimed = await claims.all();
      for (const place of [...claimed, ...(await foldersOf(states))]) {
        for await (const delivery of readFolder(place, onDamaged)) {
          if (!delivery || !states.includes(delivery.state)) continue;
          // Only what is claimed or pending can turn up again further on; the rest is not remembered.
          if (seen.has(delivery.id)) continue;
          if (place === pendingFolder || claimed.includes(place)) seen.add(delivery.id);
          yield delivery;
        }
      }
    },
    async tend() {
      for (const claimFolder of await claims.abandoned()) {
        await freeClaimsOf(claimFolder);
        await claims.remove(claimFolder);
      }
    },
    async removeDeliveredBefore(day) {
      const old = (await dayFolders('delivered')).filter((path) => path.slice(-10) < day);
      for (const path of old) {
        knownFolders.delete(path);
        await files.rm(path, { recursive: true, force: true }).catch((cause) => {
          throw storageError(cause, path);
        });
      }
      return old.length;
    },
    watch: (onChange) => watchFolder(pendingFolder, onChange),
    async close() {
      const own = claims.current();
      if (!own) return;
      await freeClaimsOf(own);
      await claims.remove(own);
    },
  };
}

function raise(path: string) {
  return (cause: unknown): never => {
    throw storageError(cause, path);
  };
}

/**
 * Whether a change has to survive a power cut before anything goes on. A success need not: if it is lost,
 * the event is sent once more, which receivers must expect anyway, and half of all fsyncs are saved.
 */
function mustLast({ state }: Delivery): boolean {
  return state !== 'delivered';
}

function isDay(name: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(name);
}

function isRecord(name: string): boolean {
  return name.endsWith('.json');
}

function lostClaim(id: string): AppError {
  return new AppError('conflict', `Delivery ${id} was taken over by another process.`);
}

function ignoreMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

function tellDamage(onDamaged: ListDeliveries['onDamaged']) {
  return (error: unknown): undefined => {
    if (!onDamaged || !(error instanceof AppError) || error.code !== 'data_damaged') throw error;
    onDamaged(error);
  };
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
