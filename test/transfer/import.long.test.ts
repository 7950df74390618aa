import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { openJsonOrderStore } from '../../src/orders/store-json/open.js';
import { openJsonPaymentStore } from '../../src/payments/store-json/payment-store.js';
import { startMsgsite } from '../helpers/msgsite-process.js';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { startTestServer } from '../helpers/test-server.js';
import { hashOf, idOf } from '../orders/order-samples.js';
import {
  chat,
  documentOf,
  type ExportedRecord,
  everything,
  header,
  linesOf,
  member,
  message,
  pair,
  ranFor,
  user,
  within,
} from './document.js';

/** A clock at the time of the export, because exports omit expired records. */
const clock = { ...systemClock, now: () => Date.parse(header.at) };

async function prepare(content: string | Uint8Array) {
  const folder = await makeTempFolder();
  const file = join(folder, 'in.jsonl');
  await writeFile(file, content);
  const data = join(folder, 'data');
  const load = () => runCli(['data', 'import', file, '--data', data], { clock });
  return { folder, file, data, load };
}

const body = (text: string) => text.slice(text.indexOf('\n'));

describe('data import', () => {
  it('imports every kind and state of an export, byte for byte', async () => {
    const { data, folder, load } = await prepare(documentOf());
    const { exitCode, stderr, stdout } = await load();
    expect([exitCode, stdout.split('\n').length > 10], stderr).toEqual([0, true]);
    expect(stderr).toContain('MSGSITE_ENCRYPTION_SECRET');
    // The index finds ended payments by ID without scanning the days.
    const index = await readdir(join(data, 'payments', 'ended', 'by-id'));
    expect(index.sort()).toEqual(['7-qr-4.jsonl', '7-qr-5.jsonl']);
    const plain = await runCli(['data', 'export', '--data', data], { clock });
    expect(body(plain.stdout)).toBe(body(documentOf()));
    const out = join(folder, 'out.jsonl.gz');
    const packed = await runCli(['data', 'export', '--data', data, '-o', out, '--json'], { clock });
    expect(JSON.parse(packed.stdout)).toMatchObject({ file: out, records: everything.length });
    expect(gunzipSync(await readFile(out)).toString()).toBe(plain.stdout);
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['data', 'in.jsonl', 'out.jsonl.gz']);

    const again = join(folder, 'again');
    const stdin = plain.stdout;
    const imported = await runCli(['data', 'import', '-', '--data', again], { stdin, clock });
    expect(imported.exitCode, imported.stderr).toBe(0);
    const unpacked = await runCli(['data', 'import', out, '--data', join(folder, 'third')], {
      clock,
    });
    expect(unpacked.exitCode, unpacked.stderr).toBe(0);
  });

  it('omits expired records', async () => {
    const { data, load } = await prepare(documentOf());
    await load();
    const { stdout } = await runCli(['data', 'export', '--data', data]);
    expect(stdout).not.toContain('"kind":"revoked-token"');
    expect(stdout.match(/"kind":"payment-answer","record":{"name":"\w+"/g)).toEqual([
      '"kind":"payment-answer","record":{"name":"ac"',
    ]);
  });

  it('keeps keys that have expired only by wall-clock time', async () => {
    const { data, load } = await prepare(documentOf());
    await load();
    const jumped = { ...clock, now: () => clock.now() + 400 * 86_400_000 };
    const opened = (time: number) =>
      openJsonOrderStore({
        folder: join(data, 'orders'),
        clock: { ...jumped, ranFor: () => time },
        onDamaged() {},
      });
    const keyOf = async (time: number) => {
      const store = await opened(time);
      const found = await store.findByKey(hashOf('jumped'));
      await store.close();
      return found?.id;
    };
    expect(await keyOf(ranFor + 86_400_000 - 1)).toBe(idOf('d'));
    expect(await keyOf(ranFor + 86_400_000)).toBeUndefined();
  });

  const [, endedPayment] = everything.find(
    ([kind, record]) => kind === 'payment' && 'endedAt' in record,
  ) as ExportedRecord;
  const [, fact, settings] = everything as readonly [
    ExportedRecord,
    ExportedRecord,
    ExportedRecord,
  ];
  const people: ExportedRecord[] = [user(1), user(2)];
  const whole = linesOf();
  /** Returns the number of the first line with a record of this kind. */
  const lineOf = (kind: string) =>
    whole.findIndex((text) => text.startsWith(`{"kind":"${kind}"`)) + 1;
  const edit = (line: number, change: (text: string) => string) =>
    whole.map((text, index) => (index === line - 1 ? change(text) : text));
  const joined = (lines: readonly string[]) => `${lines.join('\n')}\n`;

  it.each<[name: string, content: string | Uint8Array, message: RegExp]>([
    ['an empty file', '', /Line 1 is not the first line of an export/],
    ['a file of a different kind', '{"products":[]}\n', /Line 1 is not the first line/],
    ['text', 'hello\n', /Line 1 is not valid JSON/],
    ['a newer export', joined(edit(1, (t) => t.replace('"format":1', '"format":2'))), /format 2/],
    [
      'an export without a time',
      joined(edit(1, (t) => t.replace(header.at, 'soon'))),
      /Line 1 lacks/,
    ],
    ['a truncated line', joined(whole).slice(0, -700), /Line \d+ does not end with a line break/],
    [
      'a missing end',
      joined(whole.slice(0, -1)),
      RegExp(`Line ${whole.length - 1} is the last one`),
    ],
    ['an extra line', joined([...whole, '{}']), RegExp(`Line ${whole.length + 1} follows the end`)],
    [
      'a missing line',
      joined(whole.filter((_, index) => index !== lineOf('member') - 1)),
      RegExp(`Line ${whole.length - 1} does not match the records before it .*member`),
    ],
    [
      'a flipped bit',
      joined(edit(lineOf('announcement'), (t) => t.replace('"A"', '"C"'))),
      RegExp(`Line ${whole.length} does not match`),
    ],
    [
      'a changed end',
      joined(edit(whole.length, (t) => t.replace(/"records":\d+/, '"records":3'))),
      RegExp(`Line ${whole.length}`),
    ],
    [
      'an end without counts',
      joined([...whole.slice(0, -1), '{"kind":"end"}']),
      RegExp(`Line ${whole.length} lacks`),
    ],
    ['broken JSON', joined(edit(7, (t) => t.slice(0, -3))), /Line 7 is not valid JSON/],
    ['a list', joined(edit(7, () => '[1]')), /Line 7 is not a JSON object/],
    [
      'a line without a record',
      joined(edit(7, () => '{"kind":"user"}')),
      /Line 7 must have exactly the members kind and record/,
    ],
    [
      'an unknown kind',
      joined(edit(lineOf('user'), (t) => t.replace('"user"', '"robot"'))),
      RegExp(`Line ${lineOf('user')} has an unknown kind: robot`),
    ],
    [
      'a kind out of order',
      documentOf([chat(1), user(1)].toReversed().concat([user(2)] as never)),
      /Line 4 contains a user record out of order/,
    ],
    ['records out of order', documentOf([user(2), user(1)]), /Line 3 .*user is out of order/],
    ['a duplicate record', documentOf([user(1), user(1)]), /Line 3 .*user is duplicated/],
    ['duplicate settings', documentOf([settings, settings]), /Line 3 .*duplicated/],
    ['a duplicate fact', documentOf([fact, fact]), /Line 3 .*duplicated/],
    [
      'a fact of a different version',
      documentOf([['state', { name: 'other', record: {} }]]),
      /Line 2 .*state other: is not a fact that this version recognizes/,
    ],
    [
      'an invalid fact',
      documentOf([['state', { name: 'instance', record: { id: 'short' } }]]),
      /Line 2 .*state instance: \/id must match/,
    ],
    [
      'a duplicate member',
      documentOf([...people, chat(1), member(1, 1), member(1, 1)]),
      /Line 6 .*duplicated/,
    ],
    [
      'one e-mail address for two users',
      documentOf([user(1), user(2, 'U1@X.kz')]),
      /line 3: Another user has the same e-mail/,
    ],
    [
      'a second private chat of the same people',
      documentOf([...people, pair(1, 1, 2), pair(2, 2, 1)]),
      /line 5: These two/,
    ],
    [
      'a chat of an unknown user',
      documentOf([user(1), chat(1, 9)]),
      /Line 3 .*references unknown user 9/,
    ],
    [
      'a message of an unknown chat',
      documentOf([user(1), message(4, 1)]),
      /Line 3 .*references unknown chat 4/,
    ],
    [
      'a highest ID below an existing ID',
      documentOf([user(1), chat(1), message(1, 7), ['message-ids', { lastMessageId: 6 }]]),
      /Line 5 .*must not be below 7/,
    ],
    [
      'a read mark beyond the last message',
      documentOf([
        ...[user(1), chat(1), member(1, 1, { startId: 0, readId: 9 })],
        ['message-ids', { lastMessageId: 8 }],
      ]),
      /must not be below 9, the highest read mark/,
    ],
    [
      'a wrong type',
      documentOf([['user', { ...user(1)[1], id: '1' }]]),
      /Line 2 .*\/id must be integer/,
    ],
    [
      'an unknown property',
      documentOf([['user', { ...user(1)[1], isAdmin: true }]]),
      /Line 2 .*additional properties/,
    ],
    [
      'a path as an ID',
      documentOf([['sandbox-operation', { id: '../../x', record: {} }]]),
      /Line 2 .*\/id must match/,
    ],
    [
      'an unpaired surrogate',
      documentOf([['user', { ...user(1)[1], bio: '\ud800' }]]),
      /Line 2 .*surrogate/,
    ],
    [
      'an ended payment without an end time',
      documentOf([['payment', { ...endedPayment, endedAt: undefined }]]),
      /endedAt/,
    ],
    [
      'invalid UTF-8',
      // A byte in a different encoding within a JSON string.
      Buffer.from(joined(edit(lineOf('user'), (t) => `${t}\u0001`))).map((byte) =>
        byte === 1 ? 0xe9 : byte,
      ),
      RegExp(`Line ${lineOf('user')} is not valid UTF-8`),
    ],
    [
      'a line that is too long',
      Buffer.alloc(17 * 1024 * 1024, 0x61),
      /Line 1 is longer than 16777216 bytes/,
    ],
    [
      'a truncated compressed file',
      gzipSync(joined(whole)).subarray(0, 900),
      /truncated or damaged/,
    ],
  ])('rejects %s and imports nothing', async (_, content, message) => {
    const { data, load } = await prepare(content);
    const { exitCode, stderr } = await load();
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(message)]);
    expect(stderr).not.toContain('    at ');
    // A file that is not an export creates nothing, not even an empty folder.
    if (/Line 1 |format 2/.test(stderr)) {
      expect(existsSync(data)).toBe(false);
      return;
    }
    const mark = JSON.parse(await readFile(join(data, 'transfer.json'), 'utf8'));
    expect(mark.state).toBe('importing');
  });

  it('creates nothing if standard input is not an export', async () => {
    const cwd = await makeTempFolder();
    for (const stdin of ['', 'age: no identity matched\n']) {
      const { exitCode, stderr } = await runCli(['data', 'import', '-'], { cwd, stdin });
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('Line 1 ')]);
    }
    expect(await readdir(cwd)).toEqual([]);
  });

  it('leaves data that cannot be used after a failure, until it is repeated with a valid file', async () => {
    const { data, file, load } = await prepare(joined(whole.slice(0, -3)));
    expect((await load()).exitCode).toBe(2);
    const env = { MSGSITE_DATABASE: '' };
    await expect(startTestServer({ data, env })).rejects.toThrow(/is not finished/);
    for (const words of [['check'], ['export'], ['move', '--to', join(data, '..', 'other')]]) {
      const { exitCode, stderr, stdout } = await runCli(['data', ...words, '--data', data]);
      expect([exitCode, stdout, stderr]).toEqual([
        1,
        '',
        expect.stringContaining('is not finished'),
      ]);
    }
    await writeFile(file, documentOf());
    const good = await load();
    expect(good.exitCode, good.stderr).toBe(0);
    const server = await startTestServer({ data, env });
    await server.close();
  });

  it('rejects a folder with data and reports what it contains', async () => {
    const { data, load } = await prepare(documentOf());
    await load();
    const { exitCode, stderr } = await load();
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(/not empty: it contains shop, product, /),
    ]);
    expect(stderr).toContain('delivery');
    const check = await runCli(['data', 'export', '--data', data], { clock });
    expect(body(check.stdout)).toBe(body(documentOf()));
  });

  it('fills the empty folder of a stopped server, but not of a running one', async () => {
    const { data, load } = await prepare(documentOf());
    const server = await startTestServer({ data, env: { MSGSITE_DATABASE: '' } });
    const [busy, exported] = [await load(), await runCli(['data', 'export', '--data', data])];
    expect([busy.exitCode, busy.stderr]).toEqual([1, expect.stringContaining('msgsite serve')]);
    expect([exported.exitCode, exported.stdout]).toEqual([1, '']);
    await server.close();
    const { exitCode, stderr } = await load();
    expect(exitCode, stderr).toBe(0);
  });

  it('creates nothing if the file does not exist', async () => {
    const cwd = await makeTempFolder();
    const missing = await runCli(['data', 'import', 'nowhere.jsonl'], { cwd });
    expect(await readdir(cwd)).toEqual([]);
    expect([missing.exitCode, missing.stderr]).toEqual([
      2,
      expect.stringContaining('it does not exist'),
    ]);
  });
});

describe('data export', () => {
  it('leaves no file behind after a failure', async () => {
    const { data, folder, load } = await prepare(documentOf());
    await load();
    const users = join(data, 'messaging', 'users.snapshot.jsonl');
    await writeFile(users, (await readFile(users, 'utf8')).replace('"id":30', '"id":"x"'));
    const out = join(folder, 'out');
    await mkdir(out);
    const file = join(out, 'a.jsonl');
    const { exitCode, stderr } = await runCli(['data', 'export', '--data', data, '-o', file]);
    const damage = `${users}, line 4: This line is damaged`;
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(damage)]);
    expect(await readdir(out)).toEqual([]);
  });

  it('reports missing data and a missing --output', async () => {
    const cwd = await makeTempFolder();
    const nothing = await runCli(['data', 'export'], { cwd });
    expect([nothing.exitCode, nothing.stderr]).toEqual([2, expect.stringContaining('no data in')]);
    const json = await runCli(['data', 'export', '--json'], { cwd });
    expect([json.exitCode, json.stderr]).toEqual([2, expect.stringContaining('--output')]);
  });
});

describe('data move', () => {
  it.each([
    [[], /--to \(or MSGSITE_MOVE_TO\)/],
    [['--to', 'https://x.kz'], /postgres:\/\/…, file:\/\/\/… or/],
    [['--to', 'data'], /cannot be moved to itself/],
    [['--to', 'other'], /no data in/],
  ])('is rejected with the arguments %j', async (words, message) => {
    const cwd = await makeTempFolder();
    const { exitCode, stderr } = await runCli(['data', 'move', ...words], { cwd });
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  it('moves data from one folder to another', async () => {
    const { data, folder, load } = await prepare(documentOf());
    await load();
    const to = join(folder, 'other');
    const env = { MSGSITE_MOVE_TO: `file://${to}` };
    const moved = await runCli(['data', 'move', '--data', data], { env, clock });
    expect(moved.exitCode, moved.stderr).toBe(0);
    const { stdout } = await runCli(['data', 'export', '--data', to], { clock });
    expect(body(stdout)).toBe(body(documentOf()));
    const again = await runCli(['data', 'move', '--data', data, '--to', join(folder, 'third')]);
    expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining(`moved to ${to}`)]);
  });
});

describe('a folder during an import or move', () => {
  it('cannot be used after a kill until the import is repeated', async () => {
    const messages = Array.from({ length: 8_000 }, (_, index) => message(1, index + 1));
    const text = documentOf(within([user(1), chat(1), member(1, 1), ...messages], 8_000));
    const { data, file, load } = await prepare(text);
    const log = join(data, 'messaging/messages/chats/01/1.jsonl');
    const importing = startMsgsite(['data', 'import', file, '--data', data]);
    await vi.waitFor(() => stat(log), { timeout: 30_000, interval: 2 });
    await importing.end('SIGKILL');
    const env = { MSGSITE_DATABASE: '' };
    await expect(startTestServer({ data, env })).rejects.toThrow(/is not finished/);
    const again = await load();
    expect(again.exitCode, again.stderr).toBe(0);
    const { stdout } = await runCli(['data', 'export', '--data', data], { clock });
    expect(body(stdout)).toBe(body(text));
  });

  it('cannot be moved while a command uses its payments', async () => {
    const { data, load, folder } = await prepare(documentOf());
    await load();
    const store = await openJsonPaymentStore({
      folder: join(data, 'payments'),
      clock,
      label: 'pay',
      onDamaged() {},
    });
    const lease = await store.claimOne('7-qr-10', 'pay');
    const move = () =>
      runCli(['data', 'move', '--data', data, '--to', join(folder, 'x')], { clock });
    const busy = await move();
    expect([busy.exitCode, busy.stderr]).toEqual([1, expect.stringContaining('in use by pay')]);
    await lease?.release();
    await store.close();
    expect((await move()).exitCode).toBe(0);
  });
});
