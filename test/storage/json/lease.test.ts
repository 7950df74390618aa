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

it('a lease has one owner, and is available after its release', async () => {
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

it('an unseen lease is renewed for other machines, and its process keeps it after a suspension', async () => {
  const { clock, take, owner } = await prepare();
  const lock = await take();
  const { expires } = await owner();
  await clock.advance(3_000);
  await expect.poll(async () => (await owner()).expires).toBe(expires + 3_000);
  // The wall clock advanced without a renewal, but no other process takes the lease of a running process.
  await clock.advance(3_600_000);
  expect(await lock?.isOurs()).toBe(true);
  expect(await take()).toBeUndefined();
  await lock?.release();
});

it('a lease that another process has taken is reported once, and its previous owner does not release it', async () => {
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

it('an unrenewed lease is lost 15 seconds after its last renewal, and cannot be renewed again', async () => {
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
