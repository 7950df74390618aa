import { createHash } from 'node:crypto';
import type { Clock } from '../../../base/clock.js';
import { createRounds } from '../../../base/turns.js';
import type { RecordPlan } from './record-file.js';
import { openRecordFolder, type RecordChange } from './record-folder.js';

interface ShortLivedOptions<T extends object> {
  readonly folder: string;
  readonly plan: RecordPlan<T, 'kept'>;
  readonly clock: Clock;
  /** Lifetime of a record, in milliseconds. */
  readonly life: number;
  /** Maximum number of records. */
  readonly max: number;
}

/** Maximum number of files that one addition removes, so that it does not wait for a full folder. */
const maxRemoved = 1_000;

/**
 * Opens a folder of short-lived records, which anonymous requests can create. Each record expires after its lifetime,
 * and the oldest ones are removed when there are too many. Several processes can share the folder.
 *
 * Each record is one file whose name starts with its creation time, so that cleaning up reads only names.
 */
export async function openShortLived<T extends object>(options: ShortLivedOptions<T>) {
  const { clock, life, max } = options;
  const records = await openRecordFolder(options);
  /** The ID of each key's file, as last read. */
  let known = new Map<string, string>();

  const isAlive = (id: string) => madeAt(id) + life > clock.now();

  async function readNames(): Promise<readonly string[]> {
    const ids = (await records.allIds('kept')).sort();
    // If a key has two files, the newer one is used.
    known = new Map(ids.map((id) => [nameIn(id), id]));
    return ids;
  }

  const cleanUp = createRounds(async () => {
    const ids = await readNames();
    const alive = ids.filter((id) => isAlive(id) && known.get(nameIn(id)) === id);
    const kept = new Set(alive.slice(-max));
    const gone = ids.filter((id) => !kept.has(id));
    await Promise.all(gone.slice(0, maxRemoved).map((id) => records.remove(id)));
  });

  async function idOf(key: string): Promise<string | undefined> {
    const name = nameOf(key);
    const before = known.get(name);
    // Another process may have replaced it.
    if (before === undefined || !(await records.find(before))) await readNames();
    const id = known.get(name);
    return id !== undefined && isAlive(id) ? id : undefined;
  }

  await cleanUp(options.folder);
  return {
    /** Stores a record; replaces one with the same key. */
    async add(key: string, record: T): Promise<void> {
      await records.create(`${timeText(clock.now())}-${nameOf(key)}`, record);
      await cleanUp(options.folder);
    },
    async find(key: string): Promise<T | undefined> {
      const id = await idOf(key);
      return id === undefined ? undefined : (await records.find(id))?.record;
    },
    /** Applies a change while no other process can change the record. */
    async change<Result>(key: string, change: RecordChange<T, Result>): Promise<Result> {
      const id = await idOf(key);
      return id === undefined ? change(undefined).result : records.change(id, change);
    },
    /** Removes a record if it exists. */
    async remove(key: string): Promise<void> {
      const id = await idOf(key);
      if (id !== undefined) await records.remove(id);
    },
    close: records.close,
  };
}

/** Number of base-36 digits of milliseconds since the epoch, sufficient until the year 5188. */
const timeLength = 9;

function timeText(time: number): string {
  return time.toString(36).padStart(timeLength, '0');
}

function nameIn(id: string): string {
  return id.slice(timeLength + 1);
}

/** Returns the creation time in an ID; 0 for an ID in a different format. */
function madeAt(id: string): number {
  const [, time] = /^([0-9a-z]{9})-[0-9a-f]{40}$/.exec(id) ?? [];
  return time === undefined ? 0 : Number.parseInt(time, 36);
}

/** Returns the digest that represents a key in file names. Keys come from outside and may be long. */
function nameOf(key: string): string {
  return createHash('sha256').update(key, 'utf8').digest('hex').slice(0, 40);
}
