import { createHash } from 'node:crypto';
import type { Clock } from '../../../base/clock.js';
import { createRounds } from '../../../base/turns.js';
import type { RecordPlan } from './record-file.js';
import { openRecordFolder, type RecordChange } from './record-folder.js';

interface ShortLivedOptions<T extends object> {
  readonly folder: string;
  readonly plan: RecordPlan<T, 'kept'>;
  readonly clock: Clock;
  /** Milliseconds that a record lives. */
  readonly life: number;
  /** How many records are kept. */
  readonly most: number;
}

/** Files removed at a time: an addition does not wait for all of a full folder. */
const removedAtOnce = 1_000;

/**
 * Records that are of use for a short while only, and that anybody may make grow: each is gone after
 * its life, and beyond the most that are kept the oldest goes. Shared by the processes of a folder.
 *
 * One file a record. Its name begins with the time of its making, so that cleaning up reads names only;
 * as at most so many are there, that costs the same however many have come and gone.
 */
export async function openShortLived<T extends object>(options: ShortLivedOptions<T>) {
  const { clock, life, most } = options;
  const records = await openRecordFolder(options);
  /** The id of each key's file, as last read. */
  let known = new Map<string, string>();

  const isAlive = (id: string) => madeAt(id) + life > clock.now();

  async function readNames(): Promise<readonly string[]> {
    const ids = (await records.allIds('kept')).sort();
    // Of two under one key, the newer one counts.
    known = new Map(ids.map((id) => [nameIn(id), id]));
    return ids;
  }

  const cleanUp = createRounds(async () => {
    const ids = await readNames();
    const alive = ids.filter((id) => isAlive(id) && known.get(nameIn(id)) === id);
    const kept = new Set(alive.slice(-most));
    const gone = ids.filter((id) => !kept.has(id));
    await Promise.all(gone.slice(0, removedAtOnce).map((id) => records.remove(id)));
  });

  async function idOf(key: string): Promise<string | undefined> {
    const name = nameOf(key);
    const before = known.get(name);
    // Another process may have put a newer one in its place.
    if (before === undefined || !(await records.find(before))) await readNames();
    const id = known.get(name);
    return id !== undefined && isAlive(id) ? id : undefined;
  }

  await cleanUp(options.folder);
  return {
    /** Keeps a record, also in the place of one with the same key. */
    async add(key: string, record: T): Promise<void> {
      await records.create(`${timeText(clock.now())}-${nameOf(key)}`, record);
      await cleanUp(options.folder);
    },
    async find(key: string): Promise<T | undefined> {
      const id = await idOf(key);
      return id === undefined ? undefined : (await records.find(id))?.record;
    },
    /** Applies a change while nobody else changes the record. */
    async change<Result>(key: string, change: RecordChange<T, Result>): Promise<Result> {
      const id = await idOf(key);
      return id === undefined ? change(undefined).result : records.change(id, change);
    },
    /** Harmless where there is none. */
    async remove(key: string): Promise<void> {
      const id = await idOf(key);
      if (id !== undefined) await records.remove(id);
    },
    close: records.close,
  };
}

/** Enough for milliseconds since the epoch in base 36 until the year 5188. */
const timeLength = 9;

function timeText(time: number): string {
  return time.toString(36).padStart(timeLength, '0');
}

function nameIn(id: string): string {
  return id.slice(timeLength + 1);
}

/** The time in an id; one that this program did not make is as old as can be. */
function madeAt(id: string): number {
  const [, time] = /^([0-9a-z]{9})-[0-9a-f]{40}$/.exec(id) ?? [];
  return time === undefined ? 0 : Number.parseInt(time, 36);
}

/** Keys come from elsewhere and may be long: files are named by a digest. */
function nameOf(key: string): string {
  return createHash('sha256').update(key, 'utf8').digest('hex').slice(0, 40);
}
