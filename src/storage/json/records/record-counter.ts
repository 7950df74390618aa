import { join } from 'node:path';
import { systemClock } from '../../../base/clock.js';
import { type FileLayer, systemFiles } from '../../../base/files/file-layer.js';
import { isMissing, storageError } from '../../../base/files/storage-errors.js';
import { asDamage } from '../check/data-checker.js';
import type { RecordPlan } from './record-file.js';
import { isRecordName } from './record-file.js';
import { createRecordReader, type RecordPlace } from './record-reader.js';

/** Folders asked, and files read, at once. */
const atOnce = 32;

/** Milliseconds: the stamp of a folder that changed lately may hide a further change of the same moment. */
const settled = 2_000;

interface CountedFolder {
  readonly changedAt: number;
  readonly count: number;
}

/**
 * Counts the records of a folder by their names, whoever works on it: no record is read twice, and a day's folder
 * that has not changed is not read again. The first state is what is claimed, too.
 */
export function createRecordCounter<T extends object, State extends string>(
  folder: string,
  plan: RecordPlan<T, State>,
  files: FileLayer = systemFiles,
) {
  const reader = createRecordReader(folder, plan, files);
  const [first] = reader.states;
  /** The days of each state that have not changed lately. */
  const days = new Map<State, ReadonlyMap<string, CountedFolder>>();

  async function namesIn({ path }: RecordPlace<State>): Promise<string[]> {
    try {
      return (await files.readdir(path)).filter(isRecordName);
    } catch (cause) {
      if (isMissing(cause)) return [];
      throw storageError(cause, path);
    }
  }

  /** Names of what is in a flat state, with what somebody works on, by their paths. */
  async function placesIn(state: State): Promise<Map<string, RecordPlace<State>>> {
    const claims = () => (state === first ? reader.claimFolders() : []);
    const found = new Map<string, RecordPlace<State>>();
    // What is claimed or given back meanwhile is found by one of the three steps.
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
    for (let start = 0; start < places.length; start += atOnce) {
      // Files are stamped with the machine's own time, whatever clock the caller goes by.
      const now = systemClock.now();
      const counting = places.slice(start, start + atOnce).map(async (place) => {
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
    /** How many records there are in a state. */
    async count(state: State): Promise<number> {
      if (plan.states[state] !== 'flat') return countDays(state);
      return (await placesIn(state)).size;
    },
    /** Gives what counts the records of a flat state and finds the earliest of their times, which never change. */
    withEarliest(state: State, timeOf: (record: T) => number) {
      const times = new Map<string, number | undefined>();

      async function readTime(name: string, place: RecordPlace<State>): Promise<void> {
        const found = await reader.readAt(place).catch(asDamage);
        // What is damaged has no time; what has moved on meanwhile is read the next time.
        if (found instanceof Error) times.set(name, undefined);
        else if (found) times.set(name, timeOf(found.record));
      }

      return async (): Promise<{ readonly count: number; readonly earliest?: number }> => {
        const places = await placesIn(state);
        for (const name of times.keys()) if (!places.has(name)) times.delete(name);
        const fresh = [...places].filter(([name]) => !times.has(name));
        for (let start = 0; start < fresh.length; start += atOnce) {
          const some = fresh.slice(start, start + atOnce);
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
