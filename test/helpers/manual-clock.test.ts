import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createManualClock } from './manual-clock.js';

it('the manual clock wakes sleepers in order and at the time at which they are due', async () => {
  const clock = createManualClock(0);
  const seen: string[] = [];
  const note = async (name: string, milliseconds: number) => {
    await clock.sleep(milliseconds);
    seen.push(`${name} ${clock.now()}`);
  };
  void note('late', 20);
  void note('early', 10).then(() => note('chained', 5));
  await clock.advance(30);
  expect(seen).toEqual(['early 10', 'chained 15', 'late 20']);
  expect(clock.now()).toBe(30);
});

it('the manual clock ends a sleep whose signal aborts', async () => {
  const clock = createManualClock();
  const interruption = new AbortController();
  const sleeping = clock.sleep(1e9, interruption.signal);
  interruption.abort();
  await sleeping;
  expect(clock.sleepers).toBe(0);
});

it('the manual clock waits for file access before it advances', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'msgsite-clock-'));
  const clock = createManualClock(0);
  const file = join(folder, 'note');
  let read = '';
  void clock.sleep(10).then(async () => {
    await writeFile(file, String(clock.now()));
    read = await readFile(file, 'utf8');
  });
  await clock.advance(1000);
  expect(read).toBe('10');
  await rm(folder, { recursive: true });
});

it('the manual clock advances through a day of sleeps, and rejects if the condition is not met in time', async () => {
  const clock = createManualClock(0);
  let rounds = 0;
  void (async () => {
    for (;;) {
      await clock.sleep(30_000);
      rounds++;
    }
  })();
  await clock.advanceUntil(() => rounds === 2880, 86_400_000);
  expect(clock.now()).toBe(86_400_000);
  await expect(clock.advanceUntil(() => false, 60_000)).rejects.toThrow('was not met');
});
