import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createManualClock } from '../../helpers/manual-clock.js';
import { createPayCli, type PayCli } from './pay-cli.js';

const day = 86_400_000;
let cli: PayCli;
let paid: string;
/** A clock at 2026-11-21 07:00 in Almaty. */
const clock = createManualClock();
const today = { clock };

beforeAll(async () => {
  cli = await createPayCli();
  const login = 'login --phone 87011234567 --otp 123456';
  await cli.run(login, { clock: createManualClock(clock.now() - 3 * day) });
  const past = { clock: createManualClock(clock.now() - 3 * day) };
  await cli.run('qr --amount 300 --no-wait', past);
  await cli.run('qr --amount 400 --no-wait', { clock: createManualClock(clock.now() - day) });
  const { document } = await cli.json('qr --amount 1500,50 --no-wait', {
    clock: createManualClock(clock.now() - 60_000),
  });
  paid = document.paymentId;
});
afterAll(() => cli.remove());

interface Operation {
  readonly amount: number;
}

const amounts = ({ document }: { document: { operations: readonly Operation[] } }) =>
  document.operations.map(({ amount }) => amount);

describe('pay history', () => {
  it('lists operations newest first, with times in the provider’s time zone', async () => {
    expect(amounts(await cli.json('history', today))).toEqual([1500.5, 400, 300]);
    const { stdout } = await cli.run('history', today);
    expect(stdout.split('\n')[0]).toMatch(/DATE +ID +TYPE +AMOUNT +STATUS/);
    expect(stdout).toContain('2026-11-21 06:59:00');
    expect(stdout).toContain('1 500,50 ₸');
  });

  it('includes the first and the last day of the period', async () => {
    const from = (words: string) => cli.json(`history ${words}`, today).then(amounts);
    expect(await from('--from 2026-11-20')).toEqual([1500.5, 400]);
    expect(await from('--to 2026-11-20')).toEqual([400, 300]);
    expect(await from('--from 2026-11-18 --to 2026-11-18')).toEqual([300]);
    expect(await from('--from 2026-11-19 --to 2026-11-19')).toEqual([]);
  });

  it('prints at most --limit operations and reports whether there are more', async () => {
    const { document } = await cli.json('history --limit 2', today);
    expect(document).toMatchObject({ more: true });
    expect(document.operations).toHaveLength(2);
    expect((await cli.json('history --limit 3', today)).document.more).toBe(false);
  });

  it('prints CSV for spreadsheets with --csv', async () => {
    const { stdout } = await cli.run('history --csv --from 2026-11-21', today);
    const [head, row, end] = stdout.split('\r\n');
    expect(head).toBe('date,id,type,amount,returned,status,description,client,phone,order');
    expect(row).toMatch(new RegExp(`^2026-11-21 06:59:00,${paid},Qr,1500.5,,Processed,Paid,`));
    expect(end).toBe('');
  });

  it('prints JSON with the columns of the CSV as names', async () => {
    const { document } = await cli.json('history --from 2026-11-21', today);
    expect(document.operations).toEqual([
      {
        date: '2026-11-21 06:59:00',
        id: paid,
        type: 'Qr',
        amount: 1500.5,
        returned: null,
        status: 'Processed',
        description: 'Paid',
        client: expect.any(String),
        phone: '',
        order: expect.stringMatching(/^\d+$/),
      },
    ]);
  });

  it.each([
    ['history --from 21.11.2026', '--from 21.11.2026 is not a date'],
    ['history --from 0100-01-01', '--from 0100-01-01 is before 2000-01-01'],
    ['history --to 2026-02-30', '--to 2026-02-30 is not a date'],
    ['history --from 2026-11-02 --to 2026-11-01', 'is later than'],
    ['history --limit x', '--limit must be'],
    ['history --csv --json', 'cannot be combined'],
  ])('%s is a usage error', async (words, message) => {
    const { exitCode, stderr } = await cli.run(words, today);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe('pay refund', () => {
  it('refunds a part of a payment and then at most the remaining amount', async () => {
    const part = await cli.json(`refund ${paid} --amount 500,50 --yes`, today);
    expect(part).toMatchObject({ exitCode: 0, document: { Data: { ReturnAmount: 500.5 } } });
    const tooMuch = await cli.run(`refund ${paid} --amount 1000,01 --yes`, today);
    expect(tooMuch.exitCode).toBe(1);
    expect(tooMuch.stderr.replaceAll('\u00a0', ' ')).toContain(
      `1 000,01 ₸ cannot be refunded: 1 000 ₸ of payment ${paid} is left. Of its 1 500,50 ₸, 500,50 ₸ has been returned.`,
    );
    const rest = await cli.run(`refund ${paid} --amount 1000 --yes`, today);
    expect(rest.exitCode).toBe(0);
    expect(rest.stdout).toContain('✓ Returned  1 000 ₸');
  });

  it('requires --yes without a terminal', async () => {
    const { exitCode, stderr } = await cli.run(`refund ${paid} --amount 1`, today);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--yes is missing');
  });

  it('rejects an unknown operation', async () => {
    expect((await cli.run('refund 5 --amount 1 --yes', today)).exitCode).toBe(1);
  });
});

describe('pay payments', () => {
  it('lists the stored payments by state', async () => {
    const { document } = await cli.json('payments --state open', today);
    expect(document.payments).toHaveLength(3);
    expect(document.payments[0]).toMatchObject({ paymentId: paid, state: 'open' });
    expect((await cli.run('payments --state ended', today)).stdout).toBe('No payments.\n');
    expect((await cli.run('payments --state other', today)).exitCode).toBe(2);
  });
});

it('pay payments warns about a damaged payment file and lists the other payments', async () => {
  const folder = join(cli.folder, 'data', 'payments', 'open');
  await writeFile(join(folder, 'qr-1.jsonl'), '{"half');
  const { exitCode, stdout, stderr } = await cli.run('payments', today);
  expect(exitCode).toBe(0);
  expect(stdout).toContain(paid);
  expect(stderr).toMatch(/Warning: A payment cannot be read. .*qr-1\.jsonl/);
});
