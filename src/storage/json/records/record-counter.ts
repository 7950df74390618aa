import { join } from 'node:path';
import { systemClock } from '../../../base/clock.js';
import { type FileLayer, systemFiles } from '../../../base/files/file-layer.js';
import { isMissing, storageError } from '../../../base/files/storage-errors.js';
import { asDamage } from '../check/data-checker.js';
import type { RecordPlan } from './record-file.js';
import { isRecordName } from './record-file.js';
import { createRecordReader, type RecordPlace } from './record-reader.js';

/** Maximum number of folders or files that are read concurrently. */
const concurrency = 32;

/** Time after which a folder's modification time reflects every later change, in milliseconds. */
const settled = 2_000;

interface CountedFolder {
  readonly changedAt: number;
  readonly count: number;
}

/**
 * Returns a counter of the records in a folder, which processes may be using. It counts file names, reads each record
 * at most once, and does not read unchanged folders of a day again. The first state includes claimed records.
 */
export function createRecordCounter<T extends object, State extends string>(
  folder: string,
  plan: RecordPlan<T, State>,
  files: FileLayer = systemFiles,
) {
  const reader = createRecordReader(folder, plan, files);
  const [first] = reader.states;
  /** The counts of each state's days that have not changed recently. */
  const days = new Map<State, ReadonlyMap<string, CountedFolder>>();

  async function namesIn({ path }: RecordPlace<State>): Promise<string[]> {
    try {
      return (await files.readdir(path)).filter(isRecordName);
    } catch (cause) {
      if (isMissing(cause)) return [];
      throw storageError(cause, path);
    }
  }

  /** Returns the paths of a flat state's records by file name; the first state includes claimed records. */
  async function placesIn(state: State): Promise<Map<string, RecordPlace<State>>> {
    const claims = () => (state === first ? reader.claimFolders() : []);
    const found = new Map<string, RecordPlace<State>>();
    // One of the three steps finds a record that is claimed or released in the meantime.
    for (const folders of [claims(), reader.foldersOf(state), claims()]) {
      for (const place of folders) {
        for (const name of await namesIn(place)) {
          found.set(name, { ...place, path: join(place.path, name) });
        }
      }
    }
    return found;
  }

  async function countDay(
    place: RecordPlace<State>,
    known: CountedFolder | undefined,
  ): Promise<CountedFolder> {
    const changedAt = await files.stat(place.path).then(
      ({ mtimeMs }) => mtimeMs,
      () => Number.NaN,
    );
    if (known?.changedAt === changedAt) return known;
    return { changedAt, count: (await namesIn(place)).length };
  }

  async function countDays(state: State): Promise<number> {
    const known = days.get(state);
    const counted = new Map<string, CountedFolder>();
    const places = reader.foldersOf(state);
    let count = 0;
    for (let start = 0; start < places.length; start += concurrency) {
      // File times come from the machine's clock, not from the caller's.
      const now = systemClock.now();
      const counting = places.slice(start, start + concurrency).map(async (place) => {
        const day = await countDay(place, known?.get(place.path));
        if (now - day.changedAt > settled) counted.set(place.path, day);
        count += day.count;
      });
      await Promise.all(counting);
    }
    days.set(state, counted);
    return count;
  }

  return {
    /** Returns the number of records in a state. */
    async count(state: State): Promise<number> {
      if (plan.states[state] !== 'flat') return countDays(state);
      return (await placesIn(state)).size;
    },
    /**
     * Returns a function that counts the records of a flat state and finds their earliest time. Reads each time once.
     */
    withEarliest(state: State, timeOf: (record: T) => number) {
      const times = new Map<string, number | undefined>();

      async function readTime(name: string, place: RecordPlace<State>): Promise<void> {
        const found = await reader.readAt(place).catch(asDamage);
        // A damaged record has no time. A record that was moved in the meantime is read by the next call.
        if (found instanceof Error) times.set(name, undefined);
        else if (found) times.set(name, timeOf(found.record));
      }

      return async (): Promise<{ readonly count: number; readonly earliest?: number }> => {
        const places = await placesIn(state);
        for (const name of times.keys()) if (!places.has(name)) times.delete(name);
        const fresh = [...places].filter(([name]) => !times.has(name));
        for (let start = 0; start < fresh.length; start += concurrency) {
          const some = fresh.slice(start, start + concurrency);
          await Promise.all(some.map(([name, place]) => readTime(name, place)));
        }
        let earliest = Number.POSITIVE_INFINITY;
        for (const time of times.values()) {
          if (time !== undefined && time < earliest) earliest = time;
        }
        return { count: places.size, ...(Number.isFinite(earliest) ? { earliest } : {}) };
      };
    },
  };
}
