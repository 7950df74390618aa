import { close as closeFile, existsSync, openSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { AppError } from '../src/base/errors.js';
import { openLog } from '../src/base/open-log.js';

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

test('an error is told with its causes and without what else hangs on it', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'msgsite-log-')), 'log');
  const { log, end } = await openLogOf(path);
  const answer = { ClientMobile: '77011234567', vtokenSecret: 'of a cashier' };
  const cause = Object.assign(new Error('the bank hung up'), { code: 'ECONNRESET', answer });
  const details = { ...answer, inner: { token: 'another secret' } };
  log.error({ err: new AppError('provider_error', 'It failed.', { details, cause }) });
  log.error({ err: new AggregateError([cause], 'No address answered.') });
  log.error({ err: 'thrown as text' });
  await end();
  const text = await readFile(path, 'utf8');
  const [first, second, third] = text.split('\n').map((line) => line && JSON.parse(line).err);
  expect(first).toMatchObject({ type: 'AppError', code: 'provider_error' });
  expect(first.message).toContain('It failed.');
  expect(first.stack).toMatch(/log\.test(.|\n)+caused by: Error: the bank hung up/);
  expect(second.errors).toEqual([expect.objectContaining({ code: 'ECONNRESET' })]);
  expect(third.message).toBe('thrown as text');
  for (const secret of ['7701', 'of a cashier', 'another secret'])
    expect(text).not.toContain(secret);
});

test.skipIf(!existsSync('/dev/full'))('a full disk costs lines and nothing else', async () => {
  const { log, end } = await openLogOf('/dev/full');
  for (let line = 0; line < 1000; line++) log.info({ line }, 'This is longer than what is kept.');
  await end();
  expect(() => log.info('The stream still takes lines.')).not.toThrow();
});
