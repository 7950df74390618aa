import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openJsonSessionStore } from '../../src/payments/store-json/open.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { session } from './store-contract.js';

async function begin() {
  const folder = await makeTempFolder();
  const clock = createManualClock();
  const open = () => openJsonSessionStore(folder, clock, () => {});
  const [here, there] = [await open(), await open()];
  await here.add(session);
  return { folder, clock, here, there };
}

it('an erased session leaves no data on disk, even if it is updated afterwards', async () => {
  const { folder, here, there } = await begin();
  await here.erase(session);
  await there.update({ ...session, endedUpstreamAt: 6 });
  expect(await there.find('a')).toBeUndefined();
  expect(await there.ids()).toEqual([]);
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  expect(
    files.filter((each) => each.isFile() && each.parentPath !== join(folder, 'owners')),
  ).toEqual([]);
});
