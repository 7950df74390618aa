import { expect, it } from 'vitest';
import { mostDeleted } from '../../src/site/content.js';
import {
  type Kept,
  removeOne,
  restoreOne,
  withoutExpired,
} from '../../src/site/store-json/site-changes.js';

const all = Array.from({ length: mostDeleted + 2 }, (_, id) => ({ id }));
const time = { now: 10_000, keepDeletedMs: Number.POSITIVE_INFINITY };
const removedAll = all.reduce<Kept<{ id: number }>>(
  (kept, { id }) => removeOne(kept, { id, now: id }).kept,
  { list: all, deleted: [] },
);

it('the oldest deleted items are dropped beyond the maximum', () => {
  expect(removedAll.list).toEqual([]);
  expect(removedAll.deleted).toHaveLength(mostDeleted);
  expect(restoreOne(removedAll, { id: 1, ...time }).result).toBe('unknown');
  expect(restoreOne(removedAll, { id: 2, ...time }).result).toEqual({ restored: { id: 2 } });
});

it('expired items are dropped, and the list stays the same object when nothing expired', () => {
  expect(withoutExpired(removedAll, time)).toBe(removedAll);
  const { deleted } = withoutExpired(removedAll, { now: 1_000, keepDeletedMs: 1 });
  expect(deleted.map(({ was }) => was.id)).toEqual([1_000, 1_001]);
});
