import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { close as closeFile, existsSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify, stripVTControlCharacters } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { AppError } from '../../src/base/errors.js';
import { openLog } from '../../src/base/open-log.js';

/** Opens a log that writes to a file. `end` closes both. */
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

test('pending log lines are written without secrets when the log is closed', async () => {
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

test('an error is logged with its causes but without its other properties', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'msgsite-log-')), 'log');
  const { log, end } = await openLogOf(path);
  const response = { ClientMobile: '77011234567', vtokenSecret: 'of a cashier' };
  const cause = Object.assign(new Error('the bank hung up'), { code: 'ECONNRESET', response });
  const details = { ...response, inner: { token: 'another secret' } };
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

test('a logged request takes at most two lines of 80 columns on a terminal, regardless of its path', async () => {
  const chunks: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  const { log, close } = await openLog({ destination, pretty: true, level: 'info' });
  const path = `/api/${'x'.repeat(500)}`;
  const who = { user: 12345678, cashier: 1234567 };
  const facts = { request: 'AbCdEfGh.1z', method: 'DELETE', path, status: 404, code: 'not_found' };
  log.info({ ...facts, ...who, ms: 12.5, address: '2001:db8:1111:2222:3333:4444:5555:6666' });
  log.info({ url: 'http://127.0.0.1:3000', storage: 'json' }, 'Listening.');
  await close();
  const [request = '', other = '', end] = stripVTControlCharacters(chunks.join('')).split('\n');
  expect(request).toMatch(
    /^\[[\d:.]+\] INFO: DELETE \/api\/x+… 404 not_found 12\.5 ms 2001:.* user 12345678 cashier 1234567 AbCdEfGh\.1z$/,
  );
  expect(request.length).toBeLessThanOrEqual(160);
  expect(other).toContain('Listening. {"url":"http://127.0.0.1:3000","storage":"json"}');
  expect(end).toBe('');
});

test.skipIf(!existsSync('/dev/full'))(
  'a full disk causes the loss of log lines but no errors',
  async () => {
    const { log, end } = await openLogOf('/dev/full');
    for (let line = 0; line < 1000; line++)
      log.info({ line }, 'This line is longer than the buffer.');
    await end();
    expect(() => log.info('The stream still accepts lines.')).not.toThrow();
  },
);

test('an error is written to the log file before the call returns, after all earlier lines', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'msgsite-log-')), 'log');
  const { log, end } = await openLogOf(path);
  log.info({ line: 1 }, 'First.');
  expect(readFileSync(path, 'utf8')).toBe('');
  log.error({ line: 2 }, 'Second.');
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).line)).toEqual([1, 2]);
  log.info({ line: 3 }, 'Third.');
  expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(2);
  await end();
});

const built = new URL('../../dist/src/base/open-log.js', import.meta.url);

/** Starts a process that runs statements with a log on its standard error. */
function startLogging(statements: string) {
  const script = `
    const { openLog } = await import(${JSON.stringify(String(built))});
    const { log, close } = await openLog({ destination: process.stderr, pretty: false, level: 'info' });
    ${statements}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

test('a logged error reaches a pipe even if the process is killed immediately', async () => {
  const child = startLogging(`log.error('Killed.'); process.kill(process.pid, 'SIGKILL');`);
  expect(JSON.parse(await text(child.stderr)).msg).toBe('Killed.');
});

test('a stalled log reader does not block the process, and excess lines are dropped and counted', async () => {
  const child = startLogging(`
    for (let line = 0; line < 5000; line += 1) {
      log.error({ line, filler: 'x'.repeat(1000) }, 'Failed.');
      if (line % 100 === 0) await new Promise(setImmediate);
    }
    process.stdout.write('done');
    process.stdin.resume();
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    log.error('Last.');
    await close();`);
  const [said] = await once(child.stdout, 'data');
  expect(String(said)).toBe('done');
  const lines = (await text(child.stderr))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const numbers = lines.flatMap(({ line }) => (line === undefined ? [] : [line]));
  expect(numbers).toEqual(numbers.map((_, index) => index));
  expect(numbers.length).toBeGreaterThan(1_000);
  expect(numbers.length).toBeLessThan(1_500);
  const [report] = lines.filter(({ dropped }) => dropped !== undefined);
  expect(numbers.length + report.dropped).toBe(5_000);
  expect(lines.at(-1).msg).toBe('Last.');
});
