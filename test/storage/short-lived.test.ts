import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { RecordPlan } from '../../src/storage/json/records/record-file.js';
import { openShortLived } from '../../src/storage/json/records/short-lived.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

const plan: RecordPlan<{ value: number }, 'kept'> = {
  states: { kept: 'flat' },
  placeOf: () => ({ state: 'kept' }),
  faultOf: () => undefined,
};

async function begin() {
  const folder = await makeTempFolder();
  const clock = createManualClock();
  const open = () => openShortLived({ folder, plan, clock, life: 1000, max: 5 });
  const files = async () => (await readdir(join(folder, 'kept'))).length;
  return { folder, clock, open, files };
}

it('the number of short-lived records is limited, and the oldest are removed', async () => {
  const { clock, open, files } = await begin();
  const records = await open();
  for (let value = 0; value < 5; value++) {
    await records.add(`key ${value}`, { value });
    await clock.advance(1);
  }
  await records.add('one more', { value: 5 });
  expect(await records.find('key 0')).toBeUndefined();
  expect(await records.find('key 1')).toEqual({ value: 1 });
  const many = Array.from({ length: 40 }, (_, value) => records.add(`many ${value}`, { value }));
  await Promise.all(many);
  expect(await files()).toBe(5);
});

it('short-lived records expire in memory and on disk, even after a restart', async () => {
  const { clock, open, files } = await begin();
  const records = await open();
  for (const key of ['a', 'b', 'c']) await records.add(key, { value: 1 });
  await clock.advance(999);
  await records.add('d', { value: 2 });
  const again = await open();
  expect(await again.find('a')).toEqual({ value: 1 });
  await clock.advance(1);
  expect(await again.find('a')).toBeUndefined();
  await open();
  expect(await files()).toBe(1);
  expect(await again.find('d')).toEqual({ value: 2 });
});

it('short-lived records are shared by processes and changed by one process at a time', async () => {
  const { open } = await begin();
  const [here, there] = [await open(), await open()];
  await here.add('counter', { value: 0 });
  const count = ({ change }: typeof here) =>
    change('counter', (record) => ({ record: { value: (record?.value ?? 0) + 1 }, result: null }));
  await Promise.all([here, there, here, there, here].map(count));
  expect(await there.find('counter')).toEqual({ value: 5 });
  await there.remove('counter');
  expect(await here.find('counter')).toBeUndefined();
  await here.change('counter', (record) => ({ result: expect(record).toBeUndefined() }));
});
