import { join } from 'node:path';
import type { AppError } from '../../base/errors.js';
import { ensureFolder, readTextFile } from '../../base/files/durable-write.js';
import type { FileLayer } from '../../base/files/file-layer.js';
import { storageError } from '../../base/files/storage-errors.js';
import type { Delivery, DeliveryState } from '../delivery.js';
import { namesIn } from './delivery-files.js';
import { type DeliveryText, parseDelivery } from './delivery-text.js';

/** States that are kept by day. */
export const endedStates = ['delivered', 'dropped'] as const;

/** Where deliveries lie in the store's folder, and reading them there. */
export interface DeliveryFolders {
  readonly pending: string;
  readonly temporary: string;
  /** A delivery's path in a folder. */
  pathIn(place: string, id: string): string;
  /** Where a delivery belongs by its state. */
  placeOf(delivery: Delivery): string;
  /** Creates a folder that is not known to be there. */
  prepare(place: string): Promise<void>;
  /** Whole folders of states, the latest days first. */
  ofStates(states: readonly DeliveryState[]): Promise<string[]>;
  /** Removes a day folder with everything in it. */
  remove(place: string): Promise<void>;
  /** The ids of the deliveries in a folder. */
  idsIn(place: string): Promise<string[]>;
  /** A file's content; undefined where there is none, `data_damaged` where it cannot be read. */
  readText(path: string): Promise<DeliveryText | undefined>;
  read(path: string): Promise<Delivery | undefined>;
  /** Every delivery in a folder; damaged ones are told of where `onDamaged` is given. */
  readAll(place: string, onDamaged?: (error: AppError) => void): AsyncIterable<Delivery>;
}

/** Records read at once while listing. */
const readAhead = 16;

const suffix = '.json';

export function createDeliveryFolders(files: FileLayer, folder: string): DeliveryFolders {
  const pending = join(folder, 'pending');
  const prepared = new Set<string>();

  async function daysOf(state: DeliveryState): Promise<string[]> {
    const names = (await namesIn(files, join(folder, state))).filter(isDay).sort().reverse();
    return names.map((day) => join(folder, state, day));
  }

  async function idsIn(place: string): Promise<string[]> {
    const names = (await namesIn(files, place)).filter((name) => name.endsWith(suffix));
    return names.map((name) => name.slice(0, -suffix.length));
  }

  const pathIn = (place: string, id: string) => join(place, `${id}${suffix}`);

  async function readText(path: string): Promise<DeliveryText | undefined> {
    const text = await readTextFile(files, path);
    return text === undefined ? undefined : parseDelivery(text, path);
  }

  async function read(path: string): Promise<Delivery | undefined> {
    const delivery = (await readText(path))?.delivery;
    // After a power cut the last line may be gone; the folder then still says how it ended.
    const ended = endedStates.find((state) => path.startsWith(join(folder, state, '/')));
    return delivery && ended ? { ...delivery, state: ended, nextAttemptAt: null } : delivery;
  }

  return {
    pending,
    temporary: join(folder, 'tmp'),
    pathIn,
    placeOf: ({ state, endedAt, arisenAt }) =>
      state === 'pending' ? pending : join(folder, state, (endedAt ?? arisenAt).slice(0, 10)),
    async prepare(place) {
      if (prepared.has(place)) return;
      await ensureFolder(files, place);
      prepared.add(place);
    },
    async ofStates(states) {
      const found = states.map((state) => (state === 'pending' ? [pending] : daysOf(state)));
      return (await Promise.all(found)).flat();
    },
    async remove(place) {
      prepared.delete(place);
      await files.rm(place, { recursive: true, force: true }).catch((cause) => {
        throw storageError(cause, place);
      });
    },
    idsIn,
    readText,
    read,
    async *readAll(place, onDamaged) {
      const ids = await idsIn(place);
      for (let start = 0; start < ids.length; start += readAhead) {
        const batch = ids.slice(start, start + readAhead).map((id) => read(pathIn(place, id)));
        for (const result of await Promise.allSettled(batch)) {
          if (result.status === 'rejected') tellDamage(result.reason, onDamaged);
          else if (result.value) yield result.value;
        }
      }
    },
  };
}

function isDay(name: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(name);
}

function tellDamage(error: AppError, onDamaged: ((error: AppError) => void) | undefined): void {
  if (!onDamaged || error.code !== 'data_damaged') throw error;
  onDamaged(error);
}
