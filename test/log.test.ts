import { close as closeFile, existsSync, openSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openLog } from '../src/log.js';

/** A log that writes to this file; `end` closes both. */
async function openLogOf(path: string) {
  const fd = openSync(path, 'a');
  const destination = Object.assign(new Writable(), { fd });
  const { log, close } = await openLog({ destination, pretty: false, level: 'info' });
  async function end(): Promise<void> {
    await close();
    await promisify(closeFile)(fd);
  }
  return { log, end };
}

test('what is waiting is written at the end, without secrets', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'msgsite-log-')), 'log');
  const { log, end } = await openLogOf(path);
  log.info({ path: '/here', token: 'a', nested: { password: 'b' } }, 'Looked at.');
  await end();
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({
    msg: 'Looked at.',
    path: '/here',
    token: '[removed]',
    nested: { password: '[removed]' },
  });
});

test.skipIf(!existsSync('/dev/full'))('a full disk costs lines and nothing else', async () => {
  const { log, end } = await openLogOf('/dev/full');
  for (let line = 0; line < 1000; line++) log.info({ line }, 'This is longer than what is kept.');
  await end();
  expect(() => log.info('The stream still takes lines.')).not.toThrow();
});
