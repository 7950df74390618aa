import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkData } from '../../src/app/check-data.js';
import { systemClock } from '../../src/base/clock.js';
import { readConfig } from '../../src/config/config.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { startTestServer } from '../helpers/test-server.js';
import { createRandom } from '../power-cut/random.js';
import { makeUsedFolder } from './used-folder.js';

const seed = process.env.MSGSITE_TEST_DAMAGE_SEED ?? String(Date.now());
/** Number of bits to flip in every file, in addition to line breaks; by default, one bit in one file of each kind. */
const flips = Number(process.env.MSGSITE_TEST_DAMAGE_FLIPS ?? 1);
const isEveryFile = process.env.MSGSITE_TEST_DAMAGE_FLIPS !== undefined;

/** Returns the path without numbers and IDs, which files of one kind share. */
const kindOf = (name: string) => name.replace(/[0-9a-f]{12,}|\d+/g, '#');

/** Files without data: owners of the folder, its format, and the list of organizations. */
const withoutData = /(^|\/)(format\.json|owners\/.*|watcher\.json|serve\.lock|organizations\/.*)$/;

it.each(['killed', 'stopped'] as const)(
  `data check detects every flipped bit in the folder of a server that was %s (seed ${seed})`,
  async (end) => {
    const { data } = await makeUsedFolder(await makeTempFolder());
    if (end === 'stopped') {
      await (await startTestServer({ data, env: { MSGSITE_DATABASE: '' } })).close();
    }
    const config = readConfig({ flags: { data }, env: {}, cwd: data });
    const { signal } = new AbortController();
    const check = async () =>
      (await checkData({ config, clock: systemClock, label: 'test', signal })).findings;
    const before = JSON.stringify(await check());
    const random = createRandom(seed);
    const unnamed: string[] = [];
    const kinds = new Set<string>();
    for (const name of await readdir(data, { recursive: true })) {
      const path = join(data, name);
      if (withoutData.test(name) || !(await stat(path)).isFile()) continue;
      if (!isEveryFile && kinds.has(kindOf(name))) continue;
      kinds.add(kindOf(name));
      const bytes = await readFile(path);
      if (bytes.length === 0) continue;
      const breaks = [bytes.indexOf(10), bytes.lastIndexOf(10)].filter((at) => at >= 0);
      const others = Array.from({ length: flips }, () => random.below(bytes.length));
      for (const at of new Set([...breaks, ...others])) {
        const flipped = Buffer.from(bytes);
        flipped[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
        await writeFile(path, flipped);
        const found = await check();
        if (JSON.stringify(found) === before) unnamed.push(`${name}: byte ${at}`);
      }
      await writeFile(path, bytes);
    }
    expect(unnamed).toEqual([]);
    expect(JSON.stringify(await check())).toBe(before);
  },
  600_000,
);
