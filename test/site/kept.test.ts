import { expect, it } from 'vitest';
import { maxDeleted } from '../../src/site/content.js';
import { emptySite } from '../../src/site/store-json/document.js';
import {
  addAnnouncement,
  removeOne,
  restoreOne,
  sweepSite,
} from '../../src/site/store-json/site-changes.js';

const time = { now: 10_000, keepDeletedMs: Number.POSITIVE_INFINITY };
const fields = { title: 'Winter hours', date: '2026-11-01', content: '', active: true };
const ids = Array.from({ length: maxDeleted + 2 }, (_, index) => index + 1);
const added = ids.reduce((site) => addAnnouncement(site, fields).site, emptySite);
const removedAll = ids.reduce((site, id) => removeOne(site, 'announcements', id, id).site, added);

it('the oldest deleted item is removed when there are more than the maximum', () => {
  expect(removedAll.announcements).toEqual([]);
  expect(removedAll.deletedAnnouncements).toHaveLength(maxDeleted);
  expect(restoreOne(removedAll, 'announcements', 2, time).result).toBe('unknown');
  expect(restoreOne(removedAll, 'announcements', 3, time).result).toMatchObject({
    restored: { id: 3 },
  });
});

it('sweepSite removes expired items, and returns the same object if there are none', () => {
  expect(sweepSite(removedAll, time).site).toBe(removedAll);
  const { site } = sweepSite(removedAll, { now: 1_001, keepDeletedMs: 1 });
  expect(site.deletedAnnouncements.map(({ was }) => was.id)).toEqual([1_001, 1_002]);
});
