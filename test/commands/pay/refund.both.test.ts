import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPayCli, type PayCli } from './pay-cli.js';
import { openSandboxBank, type SandboxBank } from './sandbox-bank.js';

let bank: SandboxBank;
let cli: PayCli;

beforeAll(async () => {
  bank = await openSandboxBank();
  cli = await createPayCli({ MSGSITE_PROVIDER: bank.url });
  await cli.signIn();
});
afterAll(async () => {
  await cli.remove();
  await bank.close();
});

const paid = async (): Promise<string> => (await cli.json('qr --amount 1500')).document.paymentId;
const returnedOf = async (id: string) => {
  const { document } = await cli.json('history --limit 0');
  const rows = document.operations as readonly { id: string; returned: number }[];
  return rows.find((row) => row.id === id)?.returned;
};
const loseAnswer = () => bank.disturb({ faults: ['lost@refunds/create x2'] });

describe('pay refund', () => {
  it('reports a refund in doubt, and returns the money only once if it is repeated', async () => {
    const id = await paid();
    await loseAnswer();
    const unclear = await cli.run(`refund ${id} --amount 500 --yes`);
    expect(unclear.exitCode).toBe(7);
    expect(unclear.stderr).toContain(
      `It is not known whether 500 ₸ of payment ${id} were returned`,
    );
    expect(unclear.stderr).toContain('It is safe to repeat this command');
    expect(unclear.stderr).toMatch(/msgsite pay payments.* --state in_doubt/);

    const { document: doubt } = await cli.json('payments --state in_doubt');
    expect(doubt.payments).toEqual([
      {
        intent: expect.stringMatching(/^[0-9a-f]{24}$/),
        kind: 'refund',
        amount: 500,
        key: expect.any(String),
        createdAt: expect.any(String),
        candidates: [],
      },
    ]);
    const { document: rows } = await cli.json('payments --kind refund');
    expect(rows.payments).toEqual([
      {
        id: doubt.payments[0].intent,
        paymentId: id,
        type: 'refund',
        amount: 500,
        outcome: null,
        cashier: '77011234567',
        createdAt: doubt.payments[0].createdAt,
      },
    ]);

    const again = await cli.run(`refund ${id} --amount 500 --yes`);
    expect(again.exitCode).toBe(0);
    expect(again.stderr).toContain('has been in doubt since');
    expect(again.stdout).toContain('✓ Returned  500 ₸');
    expect(await returnedOf(id)).toBe(500);
    expect((await cli.json('payments --state in_doubt')).document.payments).toEqual([]);
    const { document: after } = await cli.json('payments --kind refund --state ended');
    expect(after.payments).toMatchObject([{ paymentId: id, amount: 500, outcome: 'success' }]);
  });

  it('repeats a refund that has been confirmed only if --new is given', async () => {
    const id = await paid();
    await loseAnswer();
    expect((await cli.run(`refund ${id} --amount 300 --yes`)).exitCode).toBe(7);
    expect((await cli.run(`refund ${id} --amount 300 --yes`)).exitCode).toBe(0);
    const third = await cli.run(`refund ${id} --amount 300 --yes`);
    expect(third.exitCode).toBe(0);
    expect(third.stderr).toContain(
      'was in doubt and has now been confirmed. Nothing is returned again',
    );
    expect(await returnedOf(id)).toBe(300);
    expect((await cli.run(`refund ${id} --amount 300 --yes --new`)).exitCode).toBe(0);
    expect(await returnedOf(id)).toBe(600);
  });

  it('makes a second refund with --new while the first one is in doubt', async () => {
    const id = await paid();
    await loseAnswer();
    expect((await cli.run(`refund ${id} --amount 200 --yes`)).exitCode).toBe(7);
    const fresh = await cli.run(`refund ${id} --amount 200 --yes --new`);
    expect(fresh.exitCode).toBe(0);
    expect(fresh.stderr).not.toContain('in doubt');
    expect(await returnedOf(id)).toBe(400);
  });

  it('with --new advises repeating it without --new, which returns the money only once', async () => {
    const id = await paid();
    await loseAnswer();
    const unclear = await cli.run(`refund ${id} --amount 90 --yes --new`);
    await bank.disturb({});
    expect(unclear.exitCode).toBe(7);
    expect(unclear.stderr).toContain('Repeat this command without --new');
    expect(unclear.stderr).not.toContain('It is safe to repeat this command');
    expect((await cli.run(`refund ${id} --amount 90 --yes`)).exitCode).toBe(0);
    expect(await returnedOf(id)).toBe(90);
  });

  it('treats a different amount as a different refund', async () => {
    const id = await paid();
    await loseAnswer();
    expect((await cli.run(`refund ${id} --amount 100 --yes`)).exitCode).toBe(7);
    expect((await cli.run(`refund ${id} --amount 101 --yes`)).exitCode).toBe(0);
    expect(await returnedOf(id)).toBe(201);
  });

  it('can be repeated after pay adopt has closed it as never made', async () => {
    const id = await paid();
    await bank.disturb({ faults: ['lost-before@refunds/create x2'] });
    const { document } = await cli.json(`refund ${id} --amount 50 --yes`);
    await bank.disturb({});
    expect(document).toMatchObject({ outcome: 'unknown', key: expect.any(String) });
    const { document: doubt } = await cli.json('payments --kind refund --state in_doubt');
    const { intent } = doubt.payments.find(({ key }: { key: string }) => key === document.key);
    const closed = await cli.json(`adopt --none ${intent} --yes`);
    expect(closed).toMatchObject({ exitCode: 0, document: { intent: { state: 'not_made' } } });
    expect((await cli.run(`refund ${id} --amount 50 --yes`)).exitCode).toBe(0);
    expect(await returnedOf(id)).toBe(50);
  });

  it('does not retry a refund in doubt at a bank that is not idempotent', async () => {
    const once = await createPayCli({ MSGSITE_SANDBOX_FAULTS: 'not-idempotent' });
    await once.signIn();
    const { document } = await once.json('qr --amount 1500');
    const refund = `refund ${document.paymentId} --amount 500 --yes`;
    const lost = { env: { MSGSITE_SANDBOX_FAULTS: 'not-idempotent,lost@refunds' } };
    expect((await once.run(refund, lost)).exitCode).toBe(7);
    const again = await once.json(refund);
    expect(again).toMatchObject({ exitCode: 7, document: { code: 'in_doubt' } });
    const { document: history } = await once.json('history');
    expect(history.operations).toMatchObject([{ returned: 500 }]);
    const { document: doubt } = await once.json('payments --kind refund --state in_doubt');
    const [{ intent }] = doubt.payments;
    // The error lists the operations that may be this refund.
    const { stderr } = await once.run(`adopt ${document.paymentId} --intent ${intent}`);
    const [, returned] = /--intent [0-9a-f]{24}: (\d+) \(500\s₸\)/.exec(stderr) ?? [];
    const { stdout } = await once.run(`adopt ${returned} --intent ${intent}`);
    expect(stdout).toMatch(new RegExp(`Returned 500\\s₸\nSettled  ${intent}`));
    expect((await once.json('payments --state in_doubt')).document.payments).toEqual([]);
    await once.remove();
  });

  it('prints the key of a refund in doubt with --json', async () => {
    const id = await paid();
    await loseAnswer();
    const unclear = await cli.json(`refund ${id} --amount 10 --yes`);
    expect(unclear).toMatchObject({
      exitCode: 7,
      document: { code: 'provider_error', outcome: 'unknown', key: expect.any(String) },
    });
  });
});

describe('a payment in doubt', () => {
  it('with a QR code reports that the code was not shown, so a new one is safe', async () => {
    await bank.disturb({ faults: ['lost@qr/create x2'] });
    const { exitCode, stderr } = await cli.run('qr --amount 900');
    expect(exitCode).toBe(7);
    expect(stderr).toContain('Its code was not shown');
    expect(stderr).not.toContain('Idempotency-Key');
  });

  it('with an invoice warns against sending another invoice', async () => {
    await bank.disturb({ faults: ['lost@invoices/create x2'] });
    const { exitCode, stderr } = await cli.run('invoice --phone 87015554433 --amount 900');
    expect(exitCode).toBe(7);
    expect(stderr).toContain('Do not send another one until this is clear');
    expect(stderr).not.toMatch(/try again/i);
  });
});

describe('pay payments', () => {
  it('shows the newest payments with --limit and reports that there are more', async () => {
    const all = (await cli.json('payments')).document;
    expect(all.more).toBe(false);
    const { document } = await cli.json('payments --limit 2');
    expect(document).toEqual({ payments: all.payments.slice(0, 2), more: true });
    const { stdout, stderr } = await cli.run('payments --limit 1');
    expect(stdout.trim().split('\n')).toHaveLength(2);
    expect(stderr).toContain('Only the newest one is shown; --limit 0 shows all.');
  });

  it.each([
    ['payments --kind refund --state open', 'A refund cannot be open'],
    ['payments --kind other', 'kind'],
    ['payments --limit x', '--limit must be'],
  ])('%s is a usage error', async (words, message) => {
    const { exitCode, stderr } = await cli.run(words);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe('pay report', () => {
  it('prints the totals of a day as JSON, CSV and a table', async () => {
    const shop = await createPayCli();
    await shop.signIn();
    const { document: made } = await shop.json('qr --amount 1500,10');
    await shop.json('qr --amount 1501');
    await shop.json('invoice --phone 87015554433 --amount 700,20');
    await shop.run(`refund ${made.paymentId} --amount 0,30 --yes`);
    const { document } = await shop.json('report');
    expect(document).toMatchObject({
      qr: { count: 1, sum: 1500.1 },
      invoice: { count: 1, sum: 700.2 },
      refund: { count: 1, sum: 0.3 },
      gross: { count: 2, sum: 2200.3 },
      net: 2200,
      cashiers: [{ cashier: '+7 (701) ***-**-67', net: 2200 }],
    });
    const csv = (await shop.run('report --csv')).stdout.trim().split('\r\n');
    expect(csv[0]).toBe('day,organization,cashier,kind,count,sum');
    expect(csv.slice(1).map((line) => line.split(',').slice(3).join())).toEqual([
      'qr,1,1500.1',
      'invoice,1,700.2',
      'refund,1,-0.3',
    ]);
    const { stdout, stderr } = await shop.run('report');
    expect(stdout).toMatch(/^Net +2 200 ₸$/m);
    expect(stdout).not.toContain('77011234567');
    expect(stderr).toContain('The day has not ended yet.');
    expect((await shop.json('report --day 2026-01-01')).document).toMatchObject({ net: 0 });
    await shop.remove();
  });
});

describe('pay wait for a refunded payment', () => {
  it('prints the refunded amount and still reports success to scripts', async () => {
    const id = await paid();
    await cli.run(`refund ${id} --amount 500 --yes`);
    const part = await cli.run(`wait ${id}`);
    expect(part).toMatchObject({ exitCode: 0 });
    expect(part.stdout).toContain('✓ PAID  1 500 ₸, 500 ₸ returned');
    await cli.run(`refund ${id} --amount 1000 --yes`);
    const all = await cli.run(`wait ${id}`);
    expect(all).toMatchObject({ exitCode: 0 });
    expect(all.stdout).toContain('← RETURNED  1 500 ₸ of 1 500 ₸');
    expect(all.stdout).not.toContain('PAID');
    const { document } = await cli.json(`wait ${id}`);
    expect(document).toMatchObject({ outcome: 'success', amount: 1500, returned: 1500 });
    const { document: other } = await cli.json(`wait ${await paid()}`);
    expect(other).not.toHaveProperty('returned');
  });
});
