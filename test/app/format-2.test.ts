import { existsSync } from 'node:fs';
import { link, mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { expect, it, vi } from 'vitest';
import { bringOver } from '../../src/app/bring-over.js';
import { folderRecords } from '../../src/app/data-records.js';
import { formatOf } from '../../src/app/folder-format.js';
import { systemFiles } from '../../src/base/files/file-layer.js';
import type { Logger } from '../../src/base/log.js';
import { type Payment, paymentKey } from '../../src/payments/payment.js';
import { openJsonPaymentStore } from '../../src/payments/store-json/payment-store.js';
import { dataFormat } from '../../src/storage/json/data-folder/data-format.js';
import { encodeLine } from '../../src/storage/json/lines/lines.js';
import { newOwner } from '../../src/storage/json/ownership/ownership.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { startTestServer } from '../helpers/test-server.js';

const day = 86_400_000;
const at = Date.parse('2026-03-05T09:00:00Z');

const payment = (id: string, changes: Partial<Payment> = {}): Payment => ({
  id,
  type: 'qr',
  state: 'open',
  organizationId: 17,
  sessionId: 'a',
  amount: 100.5,
  status: 'QrTokenCreated',
  statusDesc: '"organizationId":9',
  qrToken: null,
  receiptUrl: null,
  orderNumber: null,
  expiresAt: null,
  createdAt: at,
  ...changes,
});
const ended = (id: string, endedAt: number, changes: Partial<Payment> = {}) =>
  payment(id, { state: 'ended', outcome: 'success', endedAt, ...changes });

/** Payments in the order of exports of that format. */
const payments: readonly Payment[] = [
  payment('5', { type: 'invoice', organizationId: 3 }),
  payment('1'),
  payment('2', { organizationId: 4, status: 'Changed' }),
  payment('5', { organizationId: 18 }),
  ended('31', at - 2 * day, { organizationId: 4 }),
  ended('30', at, { type: 'invoice' }),
  ended('32', at),
  ended('33', at, { organizationId: 4 }),
  payment('40', { state: 'unknown', endedAt: at }),
];

const olderKey = ({ type, id }: Payment) => `${type}-${id}`;
const textOf = (record: Payment) => encodeLine(JSON.stringify({ id: olderKey(record), record }));

/** Creates a data folder as the previous version wrote it; a process that died had claimed the payment 18-qr-5. */
async function format2(): Promise<string> {
  const data = join(await makeTempFolder(), 'data');
  const folder = join(data, 'payments');
  const write = async (path: string, text: string) => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  };
  for (const each of payments) {
    const name = `${olderKey(each)}.json`;
    const { state, endedAt = 0 } = each;
    const isClaimed = each.organizationId === 18;
    const ofDay = join(folder, 'ended', new Date(endedAt).toISOString().slice(0, 10));
    const place = state === 'ended' ? ofDay : join(folder, isClaimed ? 'claimed/dead' : state);
    const before = textOf({ ...each, status: 'QrTokenCreated' });
    const changed = encodeLine(JSON.stringify({ record: each }));
    // A record that was changed since, and whose next change was interrupted.
    const text = each.status === 'Changed' ? `${before}${changed}{"record":{"id` : textOf(each);
    await write(join(place, name), text);
    await mkdir(join(folder, 'ended', 'by-id'), { recursive: true });
    if (state === 'ended') await link(join(place, name), join(folder, 'ended', 'by-id', name));
  }
  await write(join(data, 'format.json'), '{"format":2}\n');
  return data;
}

async function recordsIn(data: string): Promise<object[]> {
  const found: object[] = [];
  for (const { kind, read } of folderRecords(data).readers(at)) {
    if (kind === 'payment') for await (const record of read()) found.push(record);
  }
  return found;
}

async function expectBroughtOver(data: string, what = ''): Promise<void> {
  expect(await formatOf(data), what).toBe('ours');
  expect(await recordsIn(data), what).toEqual(payments);
  const store = await openJsonPaymentStore({
    folder: join(data, 'payments'),
    clock: createManualClock(at),
    onDamaged(error) {
      throw error;
    },
  });
  for (const each of payments) {
    const { id, type } = each;
    expect(await store.find({ id, type }), `${what} ${olderKey(each)}`).toEqual([each]);
  }
  await store.close();
  const files = await readdir(join(data, 'payments'), { recursive: true });
  const names = files.filter((file) => file.endsWith('.json') && !file.startsWith('owners'));
  const key = ({ organizationId, type, id }: Payment) => `${organizationId}-${type}-${id}.json`;
  const second = payments.filter(({ state }) => state === 'ended').map(key);
  const own = names.map((name) => name.slice(name.lastIndexOf('/') + 1));
  expect(own.sort(), what).toEqual([...payments.map(key), ...second].sort());
  const inode = async (path: string) => (await stat(join(data, 'payments', path))).ino;
  expect(await inode('ended/by-id/17-qr-32.json')).toBe(
    await inode('ended/2026-03-05/17-qr-32.json'),
  );
}

/** Converts a folder, with a power cut from the `cut`th rename on; returns whether it happened. */
async function bringOverUntil(data: string, cut: number): Promise<boolean> {
  const original = systemFiles.rename;
  let renamed = 0;
  const failing = vi.spyOn(systemFiles, 'rename').mockImplementation((from, to) => {
    renamed += 1;
    return renamed < cut ? original(from, to) : Promise.reject(new Error('The power is off.'));
  });
  const isCut = await bringOver(data, at).then(
    () => false,
    () => true,
  );
  failing.mockRestore();
  return isCut;
}

it('a folder of format 2 is converted completely, even after an interruption at any rename', async () => {
  let cuts = 0;
  for (let isCut = true; isCut; ) {
    cuts += 1;
    const data = await format2();
    isCut = await bringOverUntil(data, cuts);
    expect(await formatOf(data)).toBe(isCut ? 'older' : 'ours');
    await bringOver(data, at);
    await expectBroughtOver(data, `cut ${cuts}`);
  }
  // Every name, and the format.
  expect(cuts).toBe(payments.length + 4 + 1 + 1);
});

it('a folder gets the current format only once all its new names are on disk', async () => {
  const data = await format2();
  const steps: string[] = [];
  const { rename: renameFile, open } = systemFiles;
  const renames = vi.spyOn(systemFiles, 'rename').mockImplementation((from, to) => {
    steps.push(`rename ${relative(data, to)}`);
    return renameFile(from, to);
  });
  const opens = vi.spyOn(systemFiles, 'open').mockImplementation(async (path, flags, mode) => {
    const file = await open(path, flags, mode);
    const sync = file.sync.bind(file);
    file.sync = async () => {
      await sync();
      steps.push(`sync ${relative(data, path)}`);
    };
    return file;
  });
  await bringOver(data, at);
  renames.mockRestore();
  opens.mockRestore();
  const last = steps.indexOf('rename format.json');
  const folders = new Set(
    steps
      .slice(0, last)
      .flatMap((step) => (step.startsWith('rename') ? dirname(step.slice(7)) : [])),
  );
  expect([...folders].sort()).toEqual([
    'payments/claimed/dead',
    'payments/ended/2026-03-03',
    'payments/ended/2026-03-05',
    'payments/ended/by-id',
    'payments/open',
    'payments/unknown',
  ]);
  for (const folder of [...folders, 'payments/organizations']) {
    const lastRename = steps.findLastIndex((step) => step.startsWith(`rename ${folder}/`));
    const synced = steps.lastIndexOf(`sync ${folder}`, last);
    expect(synced, folder).toBeGreaterThan(lastRename);
  }
});

it('names renamed by an interrupted start are made durable by the next one', async () => {
  const data = await format2();
  // Everything except the format.
  await bringOverUntil(data, payments.length + 4 + 1);
  const synced: string[] = [];
  const { open } = systemFiles;
  const opens = vi.spyOn(systemFiles, 'open').mockImplementation((path, flags, mode) => {
    if (flags === 'r') synced.push(relative(data, path));
    return open(path, flags, mode);
  });
  await bringOver(data, at);
  opens.mockRestore();
  expect(synced).toEqual(
    expect.arrayContaining(['payments/open', 'payments/ended/by-id', 'payments/claimed/dead']),
  );
});

it.each([0, 3, 8])(
  'data export reads a folder of format 2, even with %i new names, and data import accepts it',
  async (renamed) => {
    const data = await format2();
    if (renamed > 0) await bringOverUntil(data, renamed + 1);
    const { stdout, exitCode, stderr } = await runCli(['data', 'export', '--data', data]);
    expect(exitCode, stderr).toBe(0);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const exported = lines.filter(({ kind }) => kind === 'payment').map(({ record }) => record);
    expect(exported).toEqual(payments);
    expect(await formatOf(data)).toBe('older');
    const again = join(dirname(data), 'again');
    const loaded = await runCli(['data', 'import', '-', '--data', again], { stdin: stdout });
    expect(loaded.exitCode, loaded.stderr).toBe(0);
    expect(await recordsIn(again)).toEqual(payments);
  },
);

it('serve converts a folder of format 2, and other commands ask for that', async () => {
  const data = await format2();
  const listing = () => runCli(['pay', 'payments', '--data', data, '--json']);
  expect(await listing()).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('Start msgsite serve on it once'),
  });
  const env = { MSGSITE_DATABASE: '' };
  const server = await startTestServer({ data, env, clock: createManualClock(at) });
  await server.close();
  const { stdout } = await listing();
  const ids = JSON.parse(stdout).payments.map((row: Record<string, string>) => row.paymentId);
  expect(ids.sort()).toEqual(payments.map(({ id }) => id).sort());
});

it('the conversion of format 2 waits for commands of the older version, which do not know the new names', async () => {
  const data = await format2();
  const owner = await newOwner('pay', at);
  await mkdir(join(data, 'payments', 'owners'));
  const path = join(data, 'payments', 'owners', `${owner.nonce}.json`);
  await writeFile(path, JSON.stringify(owner));
  const options = { data, env: { MSGSITE_DATABASE: '' }, clock: createManualClock(at) };
  await expect(startTestServer(options)).rejects.toMatchObject({ code: 'data_in_use' });
  expect(await formatOf(data)).toBe('older');
  expect(existsSync(join(data, 'payments', 'open', 'qr-1.json'))).toBe(true);
});

it("the conversion of format 2 continues an older version's interrupted conversion of format 1", async () => {
  const data = await format2();
  // Its new files were all written, and had not been swapped in yet.
  await mkdir(join(data, 'format-2'));
  await rename(join(data, 'payments'), join(data, 'format-2', 'payments'));
  await mkdir(join(data, 'payments', 'open'), { recursive: true });
  await writeFile(join(data, 'payments', 'open', 'qr-1.json'), '{"id":"qr-1","revision":1}');
  expect(await formatOf(data)).toBe('both');
  await bringOver(data, at);
  await expectBroughtOver(data);
});

it('the conversion of format 2 sets a damaged file aside and reports it', async () => {
  const data = await format2();
  const path = join(data, 'payments', 'open', 'qr-1.json');
  await writeFile(path, (await readFile(path, 'utf8')).replace('100.5', '900.5'));
  const told: object[] = [];
  const log = { error: (facts: object) => told.push(facts) } as unknown as Logger;
  await bringOver(data, at, log);
  expect(await recordsIn(data)).toEqual(payments.filter((each) => paymentKey(each) !== '17-qr-1'));
  const kept = join(data, 'damaged', 'payments/open/qr-1.json.1');
  expect(told).toMatchObject([{ file: path, kept }]);
  expect(await readFile(kept, 'utf8')).toContain('900.5');
  expect(existsSync(path)).toBe(false);
});

it.each([
  [2, false],
  [dataFormat, true],
])('a repair restores the lost marker of a folder of format %i', async (format, isOurs) => {
  const data = await format2();
  if (isOurs) await bringOver(data, at);
  await writeFile(join(data, 'format.json'), '!');
  await runCli(['data', 'check', '--repair', '--data', data]);
  expect(JSON.parse(await readFile(join(data, 'format.json'), 'utf8'))).toEqual({ format });
});
