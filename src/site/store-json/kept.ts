import { type DeletedOptions, isRestorable, mostDeleted } from '../deleted.js';
import type { Assert, Restored } from '../store.js';

/** pure: what changes do to things of one kind and to those of them that were deleted. */

interface Thing {
  readonly id: number;
}

interface Deleted<Item> {
  /** ISO 8601. */
  readonly deletedAt: string;
  readonly was: Item;
}

/** The things of one kind; those deleted last are the last. */
export interface Kept<Item extends Thing> {
  readonly list: readonly Item[];
  readonly deleted: readonly Deleted<Item>[];
}

/** What there is after a change (the same object where nothing changed), and what the change gives. */
export interface Changed<Item extends Thing, Result> {
  readonly kept: Kept<Item>;
  readonly result: Result;
}

/** Changes fields of a thing; undefined where there is none. */
export function changeOne<Item extends Thing>(
  kept: Kept<Item>,
  {
    id,
    changes,
    assert,
  }: { id: number; changes: Partial<Item>; assert?: Assert<Item> | undefined },
): Changed<Item, Item | undefined> {
  const found = kept.list.find((item) => item.id === id);
  if (!found) return { kept, result: undefined };
  assert?.(found);
  const changed = { ...found, ...changes, id };
  const list = kept.list.map((item) => (item === found ? changed : item));
  return { kept: { ...kept, list }, result: changed };
}

/** Deletes a thing, which is kept for a time; `now` in milliseconds. */
export function removeOne<Item extends Thing>(
  kept: Kept<Item>,
  { id, now }: { id: number; now: number },
): Changed<Item, boolean> {
  const was = kept.list.find((item) => item.id === id);
  if (!was) return { kept, result: false };
  const list = kept.list.filter((item) => item !== was);
  const all = [...kept.deleted, { deletedAt: new Date(now).toISOString(), was }];
  return { kept: { list, deleted: all.slice(-mostDeleted) }, result: true };
}

/** Puts back what was deleted. */
export function restoreOne<Item extends Thing>(
  kept: Kept<Item>,
  { id, ...time }: DeletedOptions & { readonly id: number; readonly now: number },
): Changed<Item, Restored<Item>> {
  if (kept.list.some((item) => item.id === id)) return { kept, result: 'present' };
  const found = kept.deleted.find(({ was }) => was.id === id);
  if (!found || !isRestorable(found, time)) return { kept, result: 'unknown' };
  const deleted = kept.deleted.filter((each) => each !== found);
  return { kept: { list: [...kept.list, found.was], deleted }, result: { restored: found.was } };
}

/** Leaves out what can be restored no longer; the same object where that is nothing. */
export function withoutExpired<Item extends Thing>(
  kept: Kept<Item>,
  time: DeletedOptions & { readonly now: number },
): Kept<Item> {
  const deleted = kept.deleted.filter((each) => isRestorable(each, time));
  return deleted.length === kept.deleted.length ? kept : { ...kept, deleted };
}
