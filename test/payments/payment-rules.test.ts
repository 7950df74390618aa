import { describe, expect, it } from 'vitest';
import { isOtherAmount, meaningOf } from '../../src/payments/watching/payment-rules.js';

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

  it('takes further failed statuses for QR payments only', () => {
    expect(meaningOf('qr', 'Frozen', { qrFailed: ['Frozen'] })).toBe('failed');
    expect(meaningOf('invoice', 'Frozen', { qrFailed: ['Frozen'] })).toBeUndefined();
  });

  it('never lets a further failed status turn a paid payment into a failed one', () => {
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
  ] as const)('takes what a map says of a %s in %s: %s', (type, status, meaning) => {
    const map = {
      qr: { Paid: 'success', ManualReview: 'pending' },
      invoice: { Returned: 'expired' },
    } as const;
    expect(meaningOf(type, status, { map })).toBe(meaning);
  });
});

describe('isOtherAmount', () => {
  it.each([
    [1500, 1500, false],
    [1500, null, false],
    [1500.1, 1500.1, false],
    [0.29, 0.29, false],
    [1.005, 1.01, true],
    [1500, 1500.004, false],
    [1500, 1400, true],
    [1500, 1500.01, true],
    [1500, 150_000, true],
    [1500, 0, true],
    [1500, -1500, true],
    [1500, Number.NaN, true],
  ])('%d tenge ordered, %d answered: %s', (ordered, answered, isOther) => {
    expect(isOtherAmount(ordered, answered)).toBe(isOther);
  });
});
