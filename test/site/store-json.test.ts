import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { openJsonSiteStore } from '../../src/site/store-json/open.js';
import type { Finding } from '../../src/storage/json/check/data-checker.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { describeSiteStore, keepDeletedMs } from './store-contract.js';

const usual = { clock: systemClock, keepDeletedMs };

describeSiteStore('JSON files', async () => {
  const path = join(await makeTempFolder(), 'site.jsonl');
  return {
    open: ({ clock } = { clock: systemClock }) => openJsonSiteStore({ path, clock, keepDeletedMs }),
  };
});

it('the JSON store sets a damaged product aside and serves the rest', async () => {
  const data = await makeTempFolder();
  const path = join(data, 'site.jsonl');
  const first = await openJsonSiteStore({ path, ...usual });
  const fields = {
    tagline: '',
    description: '',
    price: 1,
    image: '',
    features: [],
    category: '',
  };
  for (const name of ['one', 'two', 'three']) await first.products.add({ ...fields, name });
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace('"three"', '"thref"'));
  const findings: Finding[] = [];
  const second = await openJsonSiteStore({
    path,
    ...usual,
    onDamage: (finding) => findings.push(finding),
  });
  expect((await second.products.list()).map(({ name }) => name)).toEqual(['one', 'two']);
  expect(findings).toMatchObject([{ severity: 'error', file: path, line: 6 }]);
  expect((await second.products.add({ ...fields, name: 'four' })).id).toBe(4);
  expect(await readdir(join(data, 'damaged'))).toEqual(['site.jsonl.1']);
  const third = await openJsonSiteStore({
    path,
    ...usual,
    onDamage: (finding) => findings.push(finding),
  });
  expect((await third.products.list()).map(({ id }) => id)).toEqual([1, 2, 4]);
  expect(findings).toHaveLength(1);
});
