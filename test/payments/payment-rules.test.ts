import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../src/payments/watching/payment-rules.js';

describe('outcomeOf', () => {
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
    expect(outcomeOf(type, status)).toBe(outcome);
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
  ] as const)('never guesses: %s "%s" is pending', (type, status) => {
    expect(outcomeOf(type, status)).toBe('pending');
  });

  it('takes further failed statuses for QR payments only', () => {
    expect(outcomeOf('qr', 'Frozen', ['Frozen'])).toBe('failed');
    expect(outcomeOf('invoice', 'Frozen', ['Frozen'])).toBe('pending');
  });

  it('never lets a further failed status turn a paid payment into a failed one', () => {
    expect(outcomeOf('qr', 'Processed', ['Processed'])).toBe('success');
  });
});
