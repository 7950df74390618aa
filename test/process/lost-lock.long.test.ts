import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startServe } from '../helpers/msgsite-process.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

it('serve exits without writing after another container has taken over its data folder', async () => {
  const data = join(await makeTempFolder(), 'data');
  const serving = await startServe(['--data', data]);
  const lock = join(data, 'serve.lock');
  const owner = JSON.parse(await readFile(lock, 'utf8'));
  const other = { ...owner, nonce: 'f'.repeat(24), process: { ...owner.process, host: 'other' } };
  await writeFile(lock, JSON.stringify(other));
  expect(await serving.exit()).toBe(1);
  expect(serving.stderr()).toContain(`Another process took over the data folder ${data}`);
  expect(JSON.parse(await readFile(lock, 'utf8'))).toEqual(other);
});
