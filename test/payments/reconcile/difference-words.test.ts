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
    'the provider reports Processed; here, it is still open (Wait)',
  ],
  [
    { state: 'ended', status: 'Expired' },
    'the provider reports Processed; here, it has ended as Expired',
  ],
  [
    { state: 'unknown', status: 'Processed' },
    'the provider reports Processed; here, its outcome is unknown (the last status was Processed)',
  ],
])('another status of %j names both sides and the state here', (ours, says) => {
  const other: OtherStatus = {
    ...{ ...name, state: 'open', status: 'Wait', outcome: null },
    ...{ providerStatus: 'Processed', providerOutcome: 'success', ...ours },
  };
  expect(saysOf({ otherStatus: [other] })).toBe(says);
});

it('another amount is written as every amount is', () => {
  const other = { ...name, providerAmount: 1500.5 };
  expect(saysOf({ otherAmount: [other] })).toBe('the provider has 1 500,50 ₸ instead of 15 000 ₸');
});

it('a status that has come back is called so', () => {
  const flipped = {
    ...name,
    status: 'Processed',
    outcome: 'success',
    flippedTo: 'Processed',
  } as const;
  expect(saysOf({ flipped: [flipped] })).toBe(
    'ended as Processed, had another status at the provider since, and is Processed again',
  );
});
