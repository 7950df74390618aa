import { expect, it } from 'vitest';
import type { Differences, OtherStatus } from '#validators/gateway';
import { describeDifferences } from '../../../src/payments/reconcile/differences.js';

const none: Differences = {
  ...{ day: '2026-11-21', missingHere: [], missingThere: [], otherAmount: [] },
  ...{ otherStatus: [], flipped: [], inDoubt: [] },
};
const name = { organizationId: 17, type: 'qr', paymentId: '1001', amount: 15_000 } as const;
const plain = (text = '') => text.replaceAll('\u00a0', ' ');
const saysOf = (more: Partial<Differences>) =>
  plain(describeDifferences({ ...none, ...more })[0]?.says);

it.each<[Partial<OtherStatus>, string]>([
  [
    { state: 'open', status: 'Wait' },
    'is Processed at the provider, but is still open here (Wait)',
  ],
  [
    { state: 'ended', status: 'Expired' },
    'is Processed at the provider, but ended here as Expired',
  ],
  [
    { state: 'unknown', status: 'Processed' },
    'is Processed at the provider, but has an unknown outcome here (last status: Processed)',
  ],
])(
  'the description of a different status of %j contains both statuses and the local state',
  (ours, says) => {
    const other: OtherStatus = {
      ...{ ...name, state: 'open', status: 'Wait', outcome: null },
      ...{ providerStatus: 'Processed', providerOutcome: 'success', ...ours },
    };
    expect(saysOf({ otherStatus: [other] })).toBe(says);
  },
);

it('the description of a different amount contains both amounts', () => {
  const other = { ...name, providerAmount: 1500.5 };
  expect(saysOf({ otherAmount: [other] })).toBe(
    'is 1 500,50 ₸ at the provider instead of 15 000 ₸',
  );
});

it('the description of a flip states that the first status has returned', () => {
  const flipped = {
    ...name,
    status: 'Processed',
    outcome: 'success',
    flippedTo: 'Processed',
  } as const;
  expect(saysOf({ flipped: [flipped] })).toBe(
    'ended as Processed, changed to a different status at the provider, and is Processed again',
  );
});
