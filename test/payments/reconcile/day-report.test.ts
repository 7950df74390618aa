import { expect, it } from 'vitest';
import type { Refund } from '#validators/payment-records';
import type { Payment } from '../../../src/payments/payment.js';
import { createDayReport } from '../../../src/payments/reconcile/day-report.js';
import { noon, ours, refund } from './sample.js';

const hour = 3_600_000;

function reportOf(payments: readonly Payment[], refunds: readonly Refund[] = []) {
  const report = createDayReport('2026-11-21', 'Asia/Almaty');
  for (const payment of payments) report.addPayment(payment);
  for (const each of refunds) report.addRefund(each);
  return report.result();
}

it('a day report counts payments that were paid on the day, regardless of their creation', () => {
  const { outcome, ...unknown } = ours({ id: '6', state: 'unknown' });
  const { qr, invoice, gross } = reportOf([
    ours({ amount: 1500 }),
    ours({ id: '2', type: 'invoice', amount: 700, createdAt: noon - 48 * hour }),
    ours({ id: '3', endedAt: noon + 17 * hour }), // This is after midnight.
    ours({ id: '4', endedAt: noon - 8 * hour }),
    ours({ id: '5', outcome: 'failed' }),
    unknown,
  ]);
  expect({ qr, invoice, gross }).toEqual({
    qr: { count: 1, sum: 1500 },
    invoice: { count: 1, sum: 700 },
    gross: { count: 2, sum: 2200 },
  });
});

it('a day report uses an outcome that the provider corrected later', () => {
  const expired = { status: 'Expired', outcome: 'expired' } as const;
  const { gross, corrected } = reportOf([
    ours({ ...expired, amount: 100, flippedTo: 'Processed', flippedOutcome: 'success' }),
    ours({ id: '2', amount: 10, flippedTo: 'Rejected', flippedOutcome: 'failed' }),
    // This payment was paid with a different amount.
    ours({ ...expired, id: '3', flippedTo: 'Processed', flippedOutcome: 'unknown' }),
    ours({ id: '5', amount: 1000 }),
  ]);
  expect({ gross, corrected }).toEqual({ gross: { count: 2, sum: 1100 }, corrected: 3 });
  expect(reportOf([ours({})])).not.toHaveProperty('corrected');
});

it('a day report adds up amounts exactly in tiyns', () => {
  const payments = Array.from({ length: 30 }, (_, n) => ours({ id: String(n), amount: 0.1 }));
  const report = reportOf(payments, [refund({ amount: 0.2 }), refund({ amount: 0.1 })]);
  expect(report).toMatchObject({ qr: { count: 30, sum: 3 }, refund: { sum: 0.3 }, net: 2.7 });
});

it('a day report subtracts the refunds of the day, regardless of when the payment was made', () => {
  const refunds = [
    refund({ amount: 500, paymentId: '9' }),
    refund({ amount: 1, createdAt: noon + 17 * hour }),
    refund({ amount: 2, outcome: 'failed' }),
  ];
  expect(reportOf([], refunds)).toMatchObject({ refund: { count: 1, sum: 500 }, net: -500 });
});

it('a day report has one line per cashier, with a masked phone number', () => {
  const { cashiers, net } = reportOf(
    [
      ours({ amount: 100 }),
      ours({ id: '2', amount: 40, cashier: '77027654321' }),
      ours({ id: '3', amount: 5, organizationId: 3, cashier: '77011234567' }),
      { ...ours({ id: '4', amount: 7 }), cashier: '' },
    ],
    [refund({ amount: 30, cashier: '77027654321' })],
  );
  const lines = cashiers.map((each) => [each.organizationId, each.cashier, each.net]);
  expect(lines).toEqual([
    [3, '+7 (701) ***-**-67', 5],
    [17, null, 7],
    [17, '+7 (701) ***-**-67', 100],
    [17, '+7 (702) ***-**-21', 10],
  ]);
  expect(net).toBe(122);
});
