import { describe, expect, it } from 'vitest';
import { contradictionOf, meaningOf } from '../../src/payments/watching/payment-rules.js';

describe('meaningOf', () => {
  it.each([
    ['qr', 'Processed', 'success'],
    ['qr', 'CancelledByUser', 'failed'],
    ['qr', 'NotConfirmedByUser', 'failed'],
    ['qr', 'CancelledByExternalSource', 'failed'],
    ['qr', 'ProcessingFailed', 'failed'],
    ['qr', 'Rejected', 'failed'],
    ['qr', 'InsufficientFunds', 'failed'],
    ['qr', 'InsufficientFundsError', 'failed'],
    ['qr', 'Error', 'failed'],
    ['qr', 'IrisSrcBlockCode7', 'failed'],
    ['qr', 'IrisDestBlockCode120', 'failed'],
    ['qr', 'QrTokenDiscarded', 'expired'],
    ['qr', 'Expired', 'expired'],
    ['qr', 'QrTokenCreated', 'pending'],
    ['qr', 'QrTokenScanned', 'pending'],
    ['invoice', 'Processed', 'success'],
    ['invoice', 'RemotePaymentCanceled', 'failed'],
    ['invoice', 'RemotePaymentRejected', 'failed'],
    ['invoice', 'Expired', 'expired'],
    ['invoice', 'RemotePaymentCreated', 'pending'],
  ] as const)('%s %s is %s', (type, status, outcome) => {
    expect(meaningOf(type, status)).toBe(outcome);
  });

  it.each([
    ['qr', 'ManualReview'],
    ['qr', 'processed'],
    ['qr', 'IrisSrcBlockCode'],
    ['qr', 'IrisSrcBlockCode7b'],
    ['qr', 'RemotePaymentCanceled'],
    ['qr', 'toString'],
    ['qr', ''],
    ['invoice', 'CancelledByUser'],
    ['invoice', 'IrisSrcBlockCode7'],
    ['invoice', 'QrTokenDiscarded'],
    ['invoice', 'constructor'],
  ] as const)('never guesses: %s "%s" is in no list', (type, status) => {
    expect(meaningOf(type, status)).toBeUndefined();
  });

  it('applies additional failed statuses to QR payments only', () => {
    expect(meaningOf('qr', 'Frozen', { qrFailed: ['Frozen'] })).toBe('failed');
    expect(meaningOf('invoice', 'Frozen', { qrFailed: ['Frozen'] })).toBeUndefined();
  });

  it('does not let an additional failed status override a paid status', () => {
    expect(meaningOf('qr', 'Processed', { qrFailed: ['Processed'] })).toBe('success');
    const map = { qr: { Processed: 'failed', IrisSrcBlockCode7: 'success' } } as const;
    expect(meaningOf('qr', 'Processed', { map })).toBe('success');
    expect(meaningOf('qr', 'IrisSrcBlockCode7', { map })).toBe('failed');
  });

  it.each([
    ['qr', 'Paid', 'success'],
    ['qr', 'ManualReview', 'pending'],
    ['qr', 'Returned', undefined],
    ['invoice', 'Returned', 'expired'],
    ['invoice', 'Paid', undefined],
    ['invoice', 'toString', undefined],
  ] as const)(
    'applies the status map to a %s payment in the status %s: %s',
    (type, status, meaning) => {
      const map = {
        qr: { Paid: 'success', ManualReview: 'pending' },
        invoice: { Returned: 'expired' },
      } as const;
      expect(meaningOf(type, status, { map })).toBe(meaning);
    },
  );
});

describe('contradictionOf', () => {
  it.each([
    [1500, { amount: 1500 }, undefined],
    [1500, { amount: null }, undefined],
    [1500.1, { amount: 1500.1 }, undefined],
    [0.29, { amount: 0.29 }, undefined],
    [1500, { amount: 1400 }, 'other_amount'],
    [1500, { amount: 1500.01 }, 'other_amount'],
    [1500, { amount: 150_000 }, 'other_amount'],
    [1500, { amount: 0 }, 'other_amount'],
    [1500, { amount: -1500 }, 'other_amount'],
    [1500, { amount: null, amountFault: 'unreadable_amount' }, 'unreadable_amount'],
    [1500, { amount: null, amountFault: 'other_currency' }, 'other_currency'],
  ] as const)('with %d tenge ordered and %j answered returns %s', (ordered, answered, reason) => {
    expect(contradictionOf(ordered, answered)).toBe(reason);
  });
});
