import { createHash } from 'node:crypto';
import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import { createSpool } from './spool.js';
import { type Change, changeRecord } from './spool-change.js';

/**
 * Records that are of use for a short while only, and that anybody may make grow: each is gone after
 * its life, and beyond the most that are kept the oldest goes. Shared by the processes of a folder.
 */
export interface ShortLived<T extends object> {
  /** Keeps a record, also in the place of one with the same key. */
  add(key: string, record: T): Promise<void>;
  find(key: string): Promise<T | undefined>;
  /** Applies a change while nobody else changes the record. */
  change<Result>(key: string, change: Change<T, Result>): Promise<Result>;
  /** Harmless where there is none. */
  remove(key: string): Promise<void>;
}

export interface ShortLivedOptions {
  readonly folder: string;
  readonly clock: Clock;
  /** Milliseconds that a record lives. */
  readonly life: number;
  /** How many records are kept. */
  readonly most: number;
}

/** Files removed at a time; a folder that an older version has filled empties over several additions. */
const removedAtOnce = 1_000;

/**
 * One file a record. Its name begins with the time of its making, so that cleaning up reads names only;
 * as at most so many are there, that costs the same however many have come and gone.
 */
export async function openShortLived<T extends object>(
  options: ShortLivedOptions,
): Promise<ShortLived<T>> {
  const { folder, clock, life, most } = options;
  const spool = await createSpool<T, 'kept'>({ folder, states: { kept: 'flat' }, clock });
  /** The id of each key's file, as last read. */
  let known = new Map<string, string>();

  const isAlive = (id: string) => madeAt(id) + life > clock.now();

  async function look(): Promise<readonly string[]> {
    const ids = (await spool.ids('kept')).sort();
    // Of two under one key, the newer one counts.
    known = new Map(ids.map((id) => [nameIn(id), id]));
    return ids;
  }

  async function cleanUp(): Promise<void> {
    const ids = await look();
    const alive = ids.filter((id) => isAlive(id) && known.get(nameIn(id)) === id);
    const kept = new Set(alive.slice(-most));
    const gone = ids.filter((id) => !kept.has(id));
    await Promise.all(gone.slice(0, removedAtOnce).map((id) => spool.remove(id)));
  }

  async function idOf(key: string): Promise<string | undefined> {
    const name = nameOf(key);
    const before = known.get(name);
    // Another process may have put a newer one in its place.
    if (before === undefined || !(await spool.read(before))) await look();
    const id = known.get(name);
    return id !== undefined && isAlive(id) ? id : undefined;
  }

  await cleanUp();
  return {
    async add(key, record) {
      const id = `${timeText(clock.now())}-${nameOf(key)}`;
      // Where many come at once, it may be one too many at once, and be gone again.
      await spool.create(id, 'kept', record).catch(unlessGone);
      await cleanUp();
    },
    async find(key) {
      const id = await idOf(key);
      return id === undefined ? undefined : (await spool.read(id))?.record;
    },
    async change(key, change) {
      const id = await idOf(key);
      return id === undefined ? change(undefined).result : changeRecord(spool, id, change);
    },
    async remove(key) {
      const id = await idOf(key);
      if (id !== undefined) await spool.remove(id);
    },
  };
}

function unlessGone(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
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
