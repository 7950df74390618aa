import { mkdir, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { systemFiles } from '../../src/base/files/file-layer.js';
import { cursorOf, type Payment, paymentKey } from '../../src/payments/payment.js';
import { openJsonPaymentStore } from '../../src/payments/store-json/payment-store.js';
import { dataFormat } from '../../src/storage/json/data-folder/data-folder.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

const start = Date.parse('2026-03-01T12:00:00Z');
const dayMs = 86_400_000;

/** Returns ten payments per day of organization 17, one second apart, and one of organization 170. */
function paymentsOf(days: number): Payment[] {
  const made = Array.from({ length: days * 11 }, (_, n) => {
    const createdAt = start + Math.floor(n / 11) * dayMs + (n % 11) * 60_000;
    return {
      id: String(n + 1),
      type: 'qr',
      state: 'ended',
      outcome: 'success',
      organizationId: n % 11 === 10 ? 170 : 17,
      sessionId: 'a',
      amount: 1,
      status: 'Processed',
      statusDesc: '',
      qrToken: null,
      receiptUrl: null,
      orderNumber: null,
      expiresAt: null,
      createdAt,
      endedAt: createdAt + 1_000,
    } as const;
  });
  return made.reverse();
}

async function filled(days: number) {
  const data = await makeTempFolder();
  const folder = join(data, 'payments');
  const damage: string[] = [];
  const open = () =>
    openJsonPaymentStore({
      folder,
      clock: createManualClock(start + days * dayMs),
      onDamaged: ({ message }) => damage.push(message),
    });
  const store = await open();
  const all = paymentsOf(days);
  for (const each of all) await store.add(each);
  const settle = async () => {
    // Sets old modification times.
    const path = join(folder, 'ended');
    for (const day of await readdir(path)) await utimes(join(path, day), 1, 1_000);
  };
  await settle();
  const own = all.filter(({ organizationId }) => organizationId === 17);
  return { data, folder, store, open, own, damage, settle };
}

/** Returns the payment files that `work` opens, by day and key. */
async function readBy<T>(work: () => Promise<T>) {
  const { open } = systemFiles;
  const read: string[] = [];
  const opening = vi.spyOn(systemFiles, 'open').mockImplementation((path, flags, mode) => {
    const [, name] = /ended\/(2.*)\.jsonl$/.exec(path) ?? [];
    if (name !== undefined) read.push(name);
    return open(path, flags, mode);
  });
  const value = await work();
  opening.mockRestore();
  return { value, read, days: [...new Set(read.map((name) => name.slice(0, 10)))].sort() };
}

it('a page reads only the relevant days and no files of other organizations', async () => {
  const { store, own } = await filled(30);
  const first = await readBy(() => store.page({ organizationId: 17, limit: 12 }));
  expect(first.value).toEqual({ payments: own.slice(0, 12), hasMore: true });
  // The page is in the last two days. One more day is read in case a clock was set back.
  expect(first.days).toEqual(['2026-03-28', '2026-03-29', '2026-03-30']);
  expect(first.read.filter((name) => !name.includes('/17-qr-'))).toEqual([]);
});

it('paging through past days reads each payment file at most three times', async () => {
  const { store, own } = await filled(12);
  const read = new Map<string, number>();
  const found: Payment[] = [];
  for (let hasMore = true; hasMore; ) {
    const last = found.at(-1);
    const after = last && cursorOf(last);
    const page = await readBy(() => store.page({ organizationId: 17, after, limit: 7 }));
    found.push(...page.value.payments);
    hasMore = page.value.hasMore;
    for (const name of page.read) read.set(name, (read.get(name) ?? 0) + 1);
  }
  expect(found).toEqual(own);
  // A file is read once for its day, and at most twice for pages.
  expect(Math.max(...read.values())).toBeLessThanOrEqual(3);
});

it('a changed day is read again', async () => {
  const { store, open, own, settle } = await filled(3);
  const page = () => store.page({ organizationId: 17, limit: 100 });
  expect((await page()).payments).toEqual(own);
  const other = await open();
  const late = {
    ...(own.at(-1) as Payment),
    id: '900',
    createdAt: (own.at(-1) as Payment).createdAt - 1,
  };
  await other.add(late);
  expect((await page()).payments).toEqual([...own, late]);
  await settle();
  const gone = await other.removeEndedBefore('2026-03-02', async (keys) =>
    keys.filter((key) => key === paymentKey(late)),
  );
  expect(gone).toBe(1);
  expect((await page()).payments).toEqual(own);
  await other.close();
});

it('a page skips and reports a damaged payment', async () => {
  const { folder, store, own, damage } = await filled(2);
  const [bad] = own as [Payment];
  for (const subfolder of ['2026-03-02', 'by-id']) {
    const path = join(folder, 'ended', subfolder, `${paymentKey(bad)}.jsonl`);
    await rm(path);
    await writeFile(path, '{"id"');
  }
  const page = await store.page({ organizationId: 17, limit: 5 });
  expect(page).toEqual({ payments: own.slice(1, 6), hasMore: true });
  expect(damage).toHaveLength(1);
  expect(damage[0]).toContain(`${paymentKey(bad)}.jsonl`);
});

it('data check finds and repairs an organization’s missing index entry', async () => {
  const { data, folder, store } = await filled(1);
  await store.close();
  await writeFile(join(data, 'format.json'), `${JSON.stringify({ format: dataFormat })}\n`);
  const file = join(folder, 'organizations', '170');
  expect((await readdir(join(folder, 'organizations'))).sort()).toEqual(['17', '170']);
  await rm(file);
  const check = async (...more: string[]) => {
    const { exitCode, stdout } = await runCli(['data', 'check', '--data', data, '--json', ...more]);
    return { exitCode, ...JSON.parse(stdout) };
  };
  const { exitCode, findings } = await check();
  expect(exitCode).toBe(1);
  expect(findings).toMatchObject([{ severity: 'error', file }]);
  const repaired = await check('--repair');
  expect(repaired).toMatchObject({ exitCode: 0, ok: true, repairs: [{ file }] });
  expect((await readdir(join(folder, 'organizations'))).sort()).toEqual(['17', '170']);
});

it('a foreign file among ended payments is kept and does not prevent the removal of payments', async () => {
  const { folder, store } = await filled(2);
  const day = join(folder, 'ended', '2026-03-01');
  await writeFile(join(day, 'qr-1.json'), '');
  const readKeys: string[] = [];
  const choose = async (keys: readonly string[]) => {
    readKeys.push(...keys);
    return keys;
  };
  expect(await store.removeEndedBefore('2026-03-02', choose)).toBe(11);
  expect(readKeys.every((key) => /^170?-qr-\d+$/.test(key))).toBe(true);
  expect(await readdir(day)).toEqual(['qr-1.json']);
});

it('a stored payment is found by its ID after the folder is reopened', async () => {
  const { open, folder, store } = await filled(1);
  await store.close();
  const next = await open();
  expect(await next.find({ id: '11' })).toMatchObject([{ organizationId: 170 }]);
  // This folder does not belong to an organization.
  await mkdir(join(folder, 'organizations', 'x'));
  await rename(join(folder, 'organizations', 'x'), join(folder, 'organizations', '1e3'));
  expect(await next.find({ id: '10' })).toMatchObject([{ organizationId: 17 }]);
  await next.close();
});
