import { describe, expect, it } from 'vitest';
import type { SandboxOperation } from '../../../src/payments/providers/sandbox/operation.js';
import {
  readFails,
  scenarioOf,
  statusAt,
} from '../../../src/payments/providers/sandbox/operation.js';

const start = 1_000_000;

function operation(kind: 'qr' | 'invoice', amount: number, more: Partial<SandboxOperation> = {}) {
  return {
    id: 1,
    kind,
    amount,
    organizationId: 1,
    profileId: 1,
    createdAt: start,
    expiresAt: start + 180_000,
    speed: 1,
    orderNumber: '1',
    token: 't',
    failedReads: 0,
    refunds: [],
    ...more,
  } satisfies SandboxOperation;
}

const q = 'QrTokenCreated';
const r = 'RemotePaymentCreated';

describe('the status of an operation', () => {
  it.each([
    // The amount, then the statuses 0 s, 2 s, 3.999 s, 4 s, 179.999 s and 180 s after creation.
    ['qr', 1500, [q, 'QrTokenScanned', 'QrTokenScanned', 'Processed', 'Processed', 'Processed']],
    ['qr', 1501, [q, q, q, 'CancelledByUser', 'CancelledByUser', 'CancelledByUser']],
    ['qr', 2.5, [q, q, q, 'Rejected', 'Rejected', 'Rejected']],
    ['qr', 103, [q, q, q, 'Error', 'Error', 'Error']],
    ['qr', 4, [q, q, q, 'Expired', 'Expired', 'Expired']],
    ['qr', 5, [q, q, q, 'QrTokenDiscarded', 'QrTokenDiscarded', 'QrTokenDiscarded']],
    ['qr', 6, [q, q, q, q, q, 'Expired']],
    ['qr', 8, ['ManualReview', 'ManualReview', 'ManualReview', 'Processed', 'Processed']],
    ['invoice', 1500, [r, r, r, 'Processed', 'Processed', 'Processed']],
    ['invoice', 1, [r, r, r, 'RemotePaymentCanceled', 'RemotePaymentCanceled']],
    ['invoice', 2, [r, r, r, 'RemotePaymentRejected', 'RemotePaymentRejected']],
    ['invoice', 3.99, [r, r, r, 'RemotePaymentRejected', 'RemotePaymentRejected']],
    ['invoice', 4, [r, r, r, 'Expired', 'Expired']],
    ['invoice', 5, [r, r, r, 'Expired', 'Expired']],
    ['invoice', 6, [r, r, r, r, r, 'Expired']],
    ['invoice', 8, ['ManualReview', 'ManualReview', 'ManualReview', 'Processed', 'Processed']],
  ] as const)('of a %s over %d follows its amount', (kind, amount, expected) => {
    const times = [0, 2000, 3999, 4000, 179_999, 180_000].slice(0, expected.length);
    const seen = times.map((after) => statusAt(operation(kind, amount), start + after));
    expect(seen).toEqual(expected);
  });

  it('changes ten times faster at speed 10', () => {
    const fast = operation('qr', 100, { speed: 10 });
    expect(statusAt(fast, start + 200)).toBe('QrTokenScanned');
    expect(statusAt(fast, start + 400)).toBe('Processed');
  });

  it('is the forced status from the given time', () => {
    const forced = operation('qr', 100, { forced: { status: 'Frozen', at: start + 1000 } });
    expect(statusAt(forced, start + 999)).toBe(q);
    expect(statusAt(forced, start + 1e9)).toBe('Frozen');
  });
});

it('the first three status reads fail for an amount that ends in 07', () => {
  const fails = [0, 1, 2, 3].map((failedReads) => readFails(operation('qr', 107, { failedReads })));
  expect(fails).toEqual([true, true, true, false]);
  expect(readFails(operation('qr', 106))).toBe(false);
});

it('an amount that ends in 10 is rejected, and an amount that ends in 09 ends the session', () => {
  expect(scenarioOf(310.99).refused).toBe(true);
  expect(scenarioOf(9).evicts).toBe(true);
  expect(scenarioOf(11)).not.toMatchObject({ refused: true });
});
