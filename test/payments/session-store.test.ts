import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openJsonSessionStore } from '../../src/payments/store-json/session-store.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { session } from './store-contract.js';

async function begin() {
  const folder = await makeTempFolder();
  const clock = createManualClock();
  const open = () => openJsonSessionStore(folder, clock);
  const [here, there] = [await open(), await open()];
  await here.add(session);
  return { folder, clock, here, there };
}

it('what is erased leaves no secret on disk, whoever updates it afterwards', async () => {
  const { folder, here, there } = await begin();
  await here.erase(session);
  await there.update({ ...session, endedUpstreamAt: 6 });
  expect(await there.find('a')).toBeUndefined();
  expect(await there.ids()).toEqual([]);
  const [day = ''] = await readdir(join(folder, 'erased'));
  const [file = ''] = await readdir(join(folder, 'erased', day));
  const text = await readFile(join(folder, 'erased', day, file), 'utf8');
  for (const secret of ['sealed secret', 'token"', '7701']) expect(text).not.toContain(secret);
});
