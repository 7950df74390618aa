import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { completeProduct } from '../../src/site/content.js';
import type { SiteStore } from '../../src/site/store.js';
import { type JsonSiteStore, openJsonSiteStore } from '../../src/site/store-json/open.js';
import { siteChecker } from '../../src/site/store-json/transfer.js';
import { createPowerCutFiles } from '../faults/power-cut-files.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { createRandom } from '../power-cut/random.js';

const clock = createManualClock();
const keepDeletedMs = 1_000;
const product = (name: string) => completeProduct({ name });
const news = { title: 'n', date: '2026-01-01', content: '', active: true };

const acts: readonly ((store: JsonSiteStore) => Promise<unknown>)[] = [
  (store) => store.products.add(product('a')),
  (store) => store.products.add(product('b')),
  (store) => store.announcements.add(news),
  (store) => store.changeShop({ name: 'shop', language: 'kk' }),
  (store) => store.products.remove(1),
  (store) => store.announcements.remove(1),
  (store) => store.products.restore(1),
  (store) =>
    store.importProducts((all) => ({
      added: [product('c'), product('d')],
      changed: all.map((each) => ({ ...each, price: 5 })),
    })),
  (store) => store.announcements.restore(1),
  (store) => store.products.remove(2),
  (store) => store.changeSettings({ theme: 'dark' }),
  (store) => {
    clock.stepWallClock(keepDeletedMs);
    return store.sweep();
  },
];

/** Returns the complete content of a store. */
async function lookAt(store: SiteStore) {
  return {
    products: await store.products.list(),
    announcements: await store.announcements.list(),
    deleted: await store.products.listDeleted(),
    settings: await store.readSettings(),
    shop: await store.readShop(),
  };
}

it('a power cut at any step of a site change leaves the old or the new content, and no damage', async () => {
  const root = await makeTempFolder();
  const now = join(root, 'now');
  mkdirSync(now);
  const files = createPowerCutFiles(now);
  const random = createRandom('site').next;
  const options = { clock, keepDeletedMs: Number.POSITIVE_INFINITY };
  const store = await openJsonSiteStore({
    path: join(now, 'site.jsonl'),
    clock,
    keepDeletedMs,
    files,
  });
  const cuts: { data: string; done: number }[] = [];
  let done = 0;
  files.onUse = () => {
    const data = join(root, `cut-${cuts.length}`);
    mkdirSync(data);
    files.cut(data, random);
    cuts.push({ data, done });
  };
  const sights = [await lookAt(store)];
  for (const act of acts) {
    await act(store);
    done += 1;
    sights.push(await lookAt(store));
  }
  files.onUse = () => {};
  expect(cuts.length).toBeGreaterThan(acts.length * 4);

  for (const { data, done } of cuts) {
    const findings: string[] = [];
    await siteChecker.check(data, ({ message }) => void findings.push(message));
    const again = await openJsonSiteStore({
      path: join(data, 'site.jsonl'),
      ...options,
      onDamage: ({ message }) => void findings.push(message),
    });
    expect(findings).toEqual([]);
    expect([sights[done], sights[done + 1]]).toContainEqual(await lookAt(again));
    const { id } = await again.products.add(product('new'));
    const known = [sights[done]?.products, sights[done]?.deleted].flat();
    expect(known.map((each) => each?.id)).not.toContain(id);
  }
});
