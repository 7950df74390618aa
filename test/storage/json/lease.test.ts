import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { systemFiles } from '../../../src/base/files/file-layer.js';
import { type LeaseEnd, takeLease } from '../../../src/storage/json/ownership/lease.js';
import { createManualClock } from '../../helpers/manual-clock.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';

async function prepare(ends: LeaseEnd = 'unseen') {
  const folder = await makeTempFolder();
  const path = join(folder, 'thing.json');
  const clock = createManualClock();
  const onLost = vi.fn();
  const take = () => takeLease({ files: systemFiles, path, label: 'test', clock, ends, onLost });
  const owner = async () => JSON.parse(await readFile(path, 'utf8'));
  return { folder, path, clock, take, owner, onLost };
}

it('a lease belongs to one owner, and is free once it is released', async () => {
  const { folder, take } = await prepare();
  const lock = await take();
  expect(await take()).toBeUndefined();
  expect(await lock?.isOurs()).toBe(true);
  await lock?.release();
  expect(await readdir(folder)).toEqual([]);
  const again = await take();
  expect(await again?.isOurs()).toBe(true);
  await again?.release();
});

it('a lease that ends unseen is renewed for other machines, and kept by its process after a suspension', async () => {
  const { clock, take, owner } = await prepare();
  const lock = await take();
  const { expires } = await owner();
  await clock.advance(3_000);
  await expect.poll(async () => (await owner()).expires).toBe(expires + 3_000);
  // The wall clock advanced and nothing was renewed; the process is alive, so nobody has taken it.
  await clock.advance(3_600_000);
  expect(await lock?.isOurs()).toBe(true);
  expect(await take()).toBeUndefined();
  await lock?.release();
});

it('a lease that another process has taken is reported once, and not released by the previous owner', async () => {
  const { path, clock, take, owner, onLost } = await prepare();
  const lock = await take();
  const other = { ...(await owner()), nonce: 'f'.repeat(24), label: 'other' };
  await writeFile(path, JSON.stringify(other));
  await clock.advance(60_000);
  expect(await lock?.isOurs()).toBe(false);
  await lock?.release();
  expect((await owner()).label).toBe('other');
  expect(onLost).toHaveBeenCalledTimes(1);
  await rm(path);
  expect(await lock?.isOurs()).toBe(false);
});

it('a lease that ends unrenewed is lost 15 seconds after its last renewal, and not renewed again', async () => {
  const { clock, take } = await prepare('unrenewed');
  const lease = await take();
  await clock.advance(14_000);
  expect(await lease?.renew()).toBe(true);
  await clock.advance(14_000);
  expect(await take()).toBeUndefined();
  await clock.advance(1_000);
  expect(await lease?.renew()).toBe(false);
  const other = await take();
  expect(await other?.renew()).toBe(true);
  await lease?.release();
  expect(await other?.renew()).toBe(true);
});
