import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import type { Payment } from '../../../src/payments/payment.js';
import { openJsonPaymentStore } from '../../../src/payments/store-json/payment-store.js';
import { createPayCli, type PayCli } from './pay-cli.js';

const payment = (organizationId: number, type: Payment['type'], amount: number): Payment => ({
  id: '5',
  type,
  state: 'ended',
  outcome: 'success',
  organizationId,
  sessionId: 'a',
  amount,
  status: 'Processed',
  statusDesc: '',
  qrToken: null,
  receiptUrl: null,
  orderNumber: null,
  expiresAt: null,
  createdAt: 1_000,
  endedAt: 2_000,
});

let cli: PayCli;
/** The ID of the last corrected payment. */
let count = 100;
beforeAll(async () => {
  cli = await createPayCli();
  await cli.run('payments');
  await cli.signIn();
  await addPayments(payment(1, 'qr', 1), payment(1, 'invoice', 2), payment(2, 'qr', 3));
});
afterAll(() => cli.remove());

async function addPayments(...payments: Payment[]): Promise<void> {
  const folder = join(cli.folder, 'data', 'payments');
  const store = await openJsonPaymentStore({ folder, clock: systemClock, onDamaged() {} });
  for (const each of payments) await store.add(each);
  await store.close();
}

async function session(kept: object): Promise<string> {
  const file = join(cli.folder, 'other.json');
  await writeFile(file, JSON.stringify({ tokenSN: 't', vtokenSecret: 'v', ...kept }));
  return file;
}

it.each<[string, Partial<Payment>, number, string]>([
  [
    'to paid',
    { outcome: 'expired', status: 'Expired', flippedTo: 'Processed', flippedOutcome: 'success' },
    0,
    '✓ PAID  40 ₸\nCorrected by the bank from Expired to Processed.',
  ],
  [
    'to not paid',
    { flippedTo: 'Rejected', flippedOutcome: 'failed' },
    5,
    '✗ NOT PAID  40 ₸\nCorrected by the bank from Processed to Rejected.',
  ],
  [
    'to a different amount',
    { outcome: 'expired', status: 'Expired', flippedTo: 'Processed', flippedOutcome: 'unknown' },
    7,
    '? UNKNOWN  40 ₸\nCorrected by the bank from Expired to Processed.',
  ],
])('pay wait reports a payment that was corrected %s', async (_, flip, exitCode, text) => {
  count += 1;
  await addPayments({ ...payment(1, 'qr', 40), id: String(count), ...flip });
  const wait = `wait ${count} --session ${await session({})}`;
  const run = await cli.run(wait);
  expect(run.exitCode).toBe(exitCode);
  expect(run.stdout.replaceAll('\u00a0', ' ')).toContain(text);
  const { document } = await cli.json(wait);
  expect(document).toMatchObject({
    flippedTo: flip.flippedTo,
    flippedOutcome: flip.flippedOutcome,
  });
});

it('pay wait requires a type for an ambiguous payment ID', async () => {
  const none = await session({});
  const several = await cli.run(`wait 5 --session ${none}`);
  expect(several).toMatchObject({ exitCode: 1, stdout: '' });
  expect(several.stderr).toMatch(/Several payments have the ID 5: .*qr of organization 2/);
  expect(several.stderr).toContain('--type qr or --type invoice');
  const invoice = await cli.json(`wait 5 --type invoice --session ${none}`);
  expect(invoice).toMatchObject({ exitCode: 0, document: { type: 'invoice', amount: 2 } });
  const qr = await cli.run(`wait 5 --type qr --session ${none}`);
  expect(qr.stderr).toContain('Sign in as a cashier of the right organization');
  expect(await cli.run(`wait 5 --type card --session ${none}`)).toMatchObject({ exitCode: 2 });
});

it('pay wait prefers the payment of the signed-in cashier’s organization', async () => {
  const second = await session({ organizationId: 2 });
  const found = await cli.json(`wait 5 --session ${second}`);
  expect(found).toMatchObject({ exitCode: 0, document: { type: 'qr', amount: 3 } });
  const invoice = await cli.run(`wait 5 --type invoice --session ${second}`);
  expect(invoice.stderr).toContain('Payment 5 is not stored here');
});
