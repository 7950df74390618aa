import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const child = fileURLToPath(new URL('child.mjs', import.meta.url));
const folders: string[] = [];

const { MSGSITE_TEST_MONEY_RUNS: chosenRuns, MSGSITE_TEST_MONEY_SEED: chosenSeed } = process.env;
const seed = Number(chosenSeed ?? Date.now() % 1_000_000_000);
/** By default, every fifth step is tested, starting at a random step. */
const stride = chosenRuns === undefined ? 5 : 1;

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

/** Runs the gateway once. Returns true if it survived. */
async function live(data: string, life: number, killAt: number): Promise<boolean> {
  const args = [child, data, String(life), String(killAt)];
  const run = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const signal = new Promise((resolve) => run.once('exit', (_, how) => resolve(how)));
  const [stdout, stderr] = await Promise.all([text(run.stdout), text(run.stderr)]);
  expect(stderr).toBe('');
  expect(stdout === 'survived\n' || (await signal) === 'SIGKILL').toBe(true);
  return stdout === 'survived\n';
}

it(`a gateway killed after any durable step neither loses nor repeats a payment or an event (seed ${seed})`, async () => {
  const data = await mkdtemp(join(tmpdir(), 'msgsite-crash-'));
  folders.push(data);
  let life = 1;
  let killAt = 1 + (seed % stride);
  for (; !(await live(data, life, killAt)); killAt += stride) life += 1;
  // Fewer steps would mean that steps were not counted.
  expect(killAt).toBeGreaterThan(10);

  const read = async (folder: string) => {
    const names = await readdir(join(data, folder));
    const texts = names.map((name) => readFile(join(data, folder, name), 'utf8'));
    // The last line of each file has the current record.
    return (await Promise.all(texts)).map(
      (text) => JSON.parse(text.trimEnd().split('\n').at(-1) ?? '').record,
    );
  };
  const operations = await read('sandbox/operations/kept');
  expect(operations).toHaveLength(life);
  expect(await readdir(join(data, 'payments/open'))).toEqual([]);
  const [day = ''] = await readdir(join(data, 'payments/ended'));
  const ended = await read(`payments/ended/${day}`);
  const ids = operations.map(({ id }) => String(id)).sort();
  expect(ended.map(({ id }) => id).sort()).toEqual(ids);
  const events = (await readdir(data)).filter((name) => name.startsWith('event-'));
  expect(events.sort()).toEqual(ids.map((id) => `event-${id}-payment.success`));
});
