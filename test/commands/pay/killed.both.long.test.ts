import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { silentLog } from '../../../src/base/log.js';
import { openDatabase } from '../../../src/storage/postgres/database.js';
import { startMsgsite } from '../../helpers/msgsite-process.js';
import { runCli } from '../../helpers/run-cli.js';
import { createPayCli, type PayCli } from './pay-cli.js';
import { openSandboxBank, type SandboxBank } from './sandbox-bank.js';

let bank: SandboxBank;
let cli: PayCli;

beforeEach(async () => {
  bank = await openSandboxBank();
  cli = await createPayCli({ MSGSITE_PROVIDER: bank.url });
  await cli.signIn();
});
afterEach(async () => {
  await bank.close();
  await cli.remove();
});

/** Starts `pay …` in a separate process and returns when the bank has received the call, to which it never responds. */
async function hanging(words: string, operation: string) {
  await bank.disturb({ faults: [`hang@${operation} x1`] });
  const child = startMsgsite(['pay', ...words.split(' ')], { env: cli.env, cwd: cli.folder });
  await expect.poll(() => bank.hangsLeft()).toBe(0);
  return child;
}

/** Kills a process. With a database, also ends its lease, which would otherwise expire after 15 seconds. */
async function kill(child: Awaited<ReturnType<typeof hanging>>): Promise<void> {
  await child.end('SIGKILL');
  const url = cli.env.MSGSITE_DATABASE;
  if (url === undefined) return;
  const database = openDatabase({ url, log: silentLog(), clock: systemClock });
  await database.run(
    'end leases',
    (sql) => sql`update msgsite.workers set lease_until = now() - interval '1 second'`,
  );
  await database.close();
}

const invoice = 'invoice --phone 87015554433 --amount 1500 --no-wait';
const audit = async () => {
  const { stdout, exitCode } = await runCli(['audit', '--json'], { env: cli.env });
  expect(exitCode).toBe(0);
  return JSON.parse(stdout).lines as { kind: string; outcome: string }[];
};

describe('after pay invoice was killed', () => {
  const listed = { kind: 'invoice', amount: 1500, key: expect.any(String) };

  it.each<[string, () => Promise<unknown>, unknown]>([
    [
      'pay payments --state in_doubt',
      async () => (await cli.json('payments --state in_doubt')).document.payments,
      [expect.objectContaining(listed)],
    ],
    [
      'pay reconcile',
      async () => (await cli.json(`reconcile --day ${today()}`)).document.inDoubt,
      [expect.objectContaining(listed)],
    ],
    [
      'audit',
      audit,
      expect.arrayContaining([expect.objectContaining({ kind: 'invoice', outcome: 'unknown' })]),
    ],
    [
      'pay report, and then audit',
      async () => {
        expect((await cli.run('report')).exitCode).toBe(0);
        return audit();
      },
      expect.arrayContaining([expect.objectContaining({ kind: 'invoice', outcome: 'unknown' })]),
    ],
  ])('%s reports the invoice as in doubt', async (_, read, expected) => {
    await kill(await hanging(invoice, 'invoices/create'));
    expect(await read()).toEqual(expected);
    // Whichever command found the request has stored it.
    const { document } = await cli.json('payments --state in_doubt');
    expect(document.payments).toMatchObject([{ kind: 'invoice', amount: 1500 }]);
    expect(document.payments[0]).not.toHaveProperty('running');
  });
});

it('pay payments --kind refund lists the refund of a killed command', async () => {
  const { document: made } = await cli.json('qr --amount 1500');
  const words = `refund ${made.paymentId} --amount 77 --yes`;
  await kill(await hanging(words, 'refunds/create'));
  const { document } = await cli.json('payments --kind refund');
  expect(document.payments).toMatchObject([{ amount: 77, outcome: null }]);
  expect(await audit()).toContainEqual(
    expect.objectContaining({ kind: 'refund', outcome: 'unknown', amount: 77 }),
  );
});

it('pay payments lists a request of another process as in progress', async () => {
  const child = await hanging(invoice, 'invoices/create');
  const { document } = await cli.json('payments --state in_doubt');
  expect(document.payments).toEqual([
    {
      intent: expect.stringMatching(/^[0-9a-f]{24}$/),
      kind: 'invoice',
      amount: 1500,
      key: expect.any(String),
      createdAt: expect.any(String),
      candidates: [],
      running: true,
    },
  ]);
  const { stdout } = await cli.run('payments --state in_doubt');
  expect(stdout).toMatch(/STATE/);
  expect(stdout).toMatch(/invoice +1 500 ₸ +in progress/);
  expect((await cli.json('payments --state in_doubt --kind refund')).document.payments).toEqual([]);
  expect((await cli.json('payments --state in_doubt --limit 0')).document.more).toBe(false);
  await kill(child);
});

it.skipIf(inject('postgres'))(
  'audit and pay payments create no files in a folder without data',
  async () => {
    const fresh = await createPayCli();
    await runCli(['audit'], { env: fresh.env });
    await fresh.run('payments --state in_doubt');
    expect(await readdir(fresh.folder)).toEqual([]);
    await fresh.remove();
  },
);

/** Returns the current day in the provider's time zone. */
const today = () =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Almaty' }).format(new Date());
