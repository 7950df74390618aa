import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { providerDay } from '../../../src/payments/zoned-time.js';
import { createPayCli, type PayCli } from './pay-cli.js';
import { openSandboxBank, type SandboxBank } from './sandbox-bank.js';

let bank: SandboxBank;
/** Two gateways of one organization. Neither has the other's payments. */
let cli: PayCli;
let other: PayCli;
const today = providerDay(Date.now(), 'Asia/Almaty');

beforeAll(async () => {
  bank = await openSandboxBank();
  cli = await createPayCli({ MSGSITE_PROVIDER: bank.url });
  other = await createPayCli({ MSGSITE_PROVIDER: bank.url });
  await cli.signIn();
  await other.signIn();
});
afterAll(async () => {
  await cli.remove();
  await other.remove();
  await bank.close();
});

const reconcile = (more = '') => cli.json(`reconcile --day ${today}${more}`);
const kinds = ['missingHere', 'missingThere', 'otherAmount', 'otherStatus', 'flipped', 'inDoubt'];

describe('pay reconcile', () => {
  it('reports no differences if both sides agree', async () => {
    const paid = await cli.json('qr --amount 1500');
    await cli.json('invoice --phone 87015554433 --amount 1501');
    expect((await cli.run(`refund ${paid.document.paymentId} --amount 0,10 --yes`)).exitCode).toBe(
      0,
    );
    const { exitCode, document } = await reconcile();
    expect(exitCode).toBe(0);
    expect(document).toEqual({
      day: today,
      ...Object.fromEntries(kinds.map((kind) => [kind, []])),
    });
    const { stdout } = await cli.run(`reconcile --day ${today}`);
    expect(stdout).toBe(`✓ ${today}: no difference\n`);
  });

  it('reports a payment that exists only at the bank, and pay adopt stores it', async () => {
    const { document: made } = await other.json('qr --amount 2500 --no-wait');
    const { exitCode, document } = await reconcile();
    expect(exitCode).toBe(1);
    expect(document.missingHere).toEqual([
      expect.objectContaining({ paymentId: made.paymentId, type: 'qr', amount: 2500 }),
    ]);
    const { stdout } = await cli.run(`reconcile --day ${today}`);
    expect(stdout).toContain(`1 difference\n\nMissing here\n  ${made.paymentId}  2 500 ₸\n`);
    expect(stdout).toContain(`→ msgsite pay adopt ${made.paymentId} --type qr\n`);

    const adopted = await cli.json(`adopt ${made.paymentId} --yes`);
    expect(adopted).toMatchObject({
      exitCode: 0,
      document: { isNew: true, payment: { paymentId: made.paymentId, type: 'qr', amount: 2500 } },
    });
    const waited = await cli.json(`wait ${made.paymentId}`);
    expect(waited).toMatchObject({ exitCode: 0, document: { outcome: 'success' } });
    expect((await reconcile()).exitCode).toBe(0);
    const known = await cli.json(`adopt ${made.paymentId}`);
    expect(known).toMatchObject({ exitCode: 0, document: { isNew: false } });
  });

  it('reports a changed outcome, which pay payments then shows', async () => {
    const { document: made } = await cli.json('qr --amount 3500');
    await bank.force(made.paymentId, 'Rejected');
    const { exitCode, document } = await reconcile();
    expect(exitCode).toBe(1);
    const name = { paymentId: made.paymentId, status: 'Processed' };
    expect(document).toMatchObject({
      otherStatus: [{ ...name, providerStatus: 'Rejected', providerOutcome: 'failed' }],
      flipped: [{ ...name, flippedTo: 'Rejected' }],
    });
    const { document: listed } = await cli.json('payments');
    const row = listed.payments.find(({ paymentId }: typeof made) => paymentId === made.paymentId);
    expect(row).toMatchObject({ outcome: 'success', flippedTo: 'Rejected' });
    const { stdout } = await cli.run('payments');
    expect(stdout).toMatch(/FLIPPED TO/);
    await bank.force(made.paymentId, 'Processed');
    // A payment whose outcome changed remains listed, because its webhook reported only the first outcome.
    expect((await reconcile()).document).toMatchObject({ otherStatus: [], flipped: [name] });
  });

  it('reports a request in doubt with its possible operations', async () => {
    await bank.disturb({ faults: ['lost@qr/create x2'] });
    const unclear = await cli.json('qr --amount 777');
    expect(unclear).toMatchObject({ exitCode: 7, document: { outcome: 'unknown' } });
    const { document } = await reconcile();
    expect(document.inDoubt).toEqual([
      {
        intent: expect.stringMatching(/^[0-9a-f]{24}$/),
        kind: 'qr',
        amount: 777,
        key: unclear.document.key,
        createdAt: expect.any(String),
        candidates: [],
      },
    ]);
    const [{ intent }] = document.inDoubt;
    const [missing] = document.missingHere;
    expect(missing).toMatchObject({ amount: 777 });
    const taken = await cli.json(`adopt ${missing.paymentId} --intent ${intent} --yes`);
    expect(taken).toMatchObject({ exitCode: 0, document: { isNew: true } });
    const { document: after } = await cli.json('payments --state in_doubt');
    expect(after.payments).toEqual([]);
    const again = await cli.json(`adopt --none ${intent} --yes`);
    expect(again).toMatchObject({ exitCode: 1, document: { code: 'conflict' } });
  });

  it('reports a payment that does not exist at the bank', async () => {
    const { document: made } = await cli.json('qr --amount 4500');
    const empty = await openSandboxBank();
    const elsewhere = { env: { MSGSITE_PROVIDER: empty.url } };
    await cli.run('login --phone 87011234567 --otp 123456', elsewhere);
    const { exitCode, document } = await cli.json(`reconcile --day ${today}`, elsewhere);
    await empty.close();
    expect(exitCode).toBe(1);
    const ids = document.missingThere.map(({ paymentId }: typeof made) => paymentId);
    expect(ids).toContain(made.paymentId);
    await cli.signIn();
  });

  it.each([
    ['reconcile --day 21.11.2026', '--day 21.11.2026 is not a date'],
    ['reconcile --day 0100-01-01', '--day 0100-01-01 is before 2000-01-01'],
    ['reconcile --day 2999-01-01', 'is in the future'],
    ['report --day 2026-02-30', 'is not a date'],
    ['report --csv --json', 'cannot be combined'],
    ['adopt', 'Specify an operation'],
    ['adopt x --yes', 'is not a valid payment ID'],
    ['adopt 5 --intent 12 --yes', 'is not a valid intent ID for --intent'],
    ['adopt 5 --none 0123456789abcdef01234567 --yes', '--none cannot be combined with an ID'],
  ])('%s is a usage error', async (words, message) => {
    const { exitCode, stderr } = await cli.run(words);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });

  it('requires a session', async () => {
    const nobody = await createPayCli();
    expect((await nobody.run('reconcile')).exitCode).toBe(4);
    expect((await nobody.run('adopt 5 --yes')).exitCode).toBe(4);
    await nobody.remove();
  });

  it('rejects an unknown operation or intent in pay adopt', async () => {
    const unknown = await cli.json('adopt 5 --yes');
    expect(unknown).toMatchObject({ exitCode: 1, document: { code: 'not_found' } });
    const none = await cli.json('adopt --none 0123456789abcdef01234567 --yes');
    expect(none).toMatchObject({ exitCode: 1, document: { code: 'not_found' } });
  });
});
