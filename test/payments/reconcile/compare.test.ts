import { describe, expect, it } from 'vitest';
import type { Payment } from '../../../src/payments/payment.js';
import {
  flippedOf,
  type Judge,
  matchUp,
  otherAmountOf,
  otherStatusOf,
  type TheirOperation,
} from '../../../src/payments/reconcile/compare.js';
import { moreReturned } from '../../../src/payments/reconcile/refund-differences.js';
import { meaningOf } from '../../../src/payments/watching/payment-rules.js';
import { ours, theirs } from './sample.js';

const open = { state: 'open', outcome: undefined, endedAt: undefined } as unknown as Payment;
const judge: Judge = (type, status) => meaningOf(type, status) ?? 'pending';

describe('matchUp', () => {
  it('matches by type and ID, regardless of the creation times', () => {
    const pair = { ours: ours(), theirs: theirs({ at: null }) };
    expect(matchUp([pair.ours], [pair.theirs])).toEqual({
      pairs: [pair],
      onlyOurs: [],
      onlyTheirs: [],
    });
  });

  it('distinguishes equal IDs by type', () => {
    const [qr, invoice] = [ours(), ours({ type: 'invoice' })];
    const operation = theirs({ type: 'invoice' });
    expect(matchUp([qr, invoice], [operation])).toEqual({
      pairs: [{ ours: invoice, theirs: operation }],
      onlyOurs: [qr],
      onlyTheirs: [],
    });
  });

  it('matches an operation without a type if its ID is unique', () => {
    const untyped = theirs({ type: null });
    expect(matchUp([ours()], [untyped]).pairs).toHaveLength(1);
    const two = matchUp([ours(), ours({ type: 'invoice' })], [untyped]);
    expect(two).toMatchObject({ pairs: [], onlyTheirs: [untyped] });
  });

  it('matches by either ID on both sides, with first IDs before second IDs', () => {
    const invoice = ours({ type: 'invoice', id: '5', otherId: '9' });
    const named = (id: string, otherId: string | null = null) =>
      theirs({ type: 'invoice', id, otherId });
    for (const each of [named('5'), named('9'), named('9', '5'), named('7', '9')]) {
      expect(matchUp([invoice], [each]).pairs).toEqual([{ ours: invoice, theirs: each }]);
    }
    const other = ours({ type: 'invoice', id: '9' });
    expect(matchUp([invoice, other], [named('9')]).pairs).toEqual([
      { ours: other, theirs: named('9') },
    ]);
    const qr = theirs({ id: '9' });
    expect(matchUp([invoice], [qr])).toMatchObject({ pairs: [], onlyTheirs: [qr] });
  });

  it('counts an operation on overlapping pages once, with the data of the newer page', () => {
    const [first, again] = [theirs({ status: 'Processed' }), theirs({ status: 'QrTokenCreated' })];
    expect(matchUp([], [first, again]).onlyTheirs).toEqual([first]);
    expect(matchUp([ours()], [first, again]).pairs).toEqual([{ ours: ours(), theirs: first }]);
  });

  it('returns the payments and operations that are on one side only', () => {
    const matched = matchUp([ours({ id: '1' })], [theirs({ id: '2' })]);
    expect(matched.onlyOurs.map(({ id }) => id)).toEqual(['1']);
    expect(matched.onlyTheirs.map(({ id }) => id)).toEqual(['2']);
  });
});

describe('otherAmountOf', () => {
  it.each<[Partial<Payment>, Partial<TheirOperation>, number | undefined]>([
    [{}, {}, undefined],
    [{}, { amount: null }, undefined],
    [{ amount: 0.3 }, { amount: 0.1 + 0.2 }, undefined],
    [{}, { amount: 1500.01 }, 1500.01],
    [{}, { amount: 15 }, 15],
  ])('compares the amounts of %o and %o', (mine, other, providerAmount) => {
    const found = otherAmountOf({ ours: ours(mine), theirs: theirs(other) });
    expect(found?.providerAmount).toBe(providerAmount);
  });
});

describe('otherStatusOf', () => {
  it.each<[string, Partial<Payment>, string | null, boolean]>([
    ['the same final status', {}, 'Processed', false],
    ['a missing status of the provider', {}, null, false],
    ['a different final status', {}, 'CancelledByUser', true],
    ['an open status after the end', {}, 'QrTokenScanned', true],
    [
      'a final status of a payment that is open here',
      { ...open, status: 'QrTokenCreated' },
      'Processed',
      true,
    ],
    ['different open statuses', { ...open, status: 'QrTokenCreated' }, 'QrTokenScanned', false],
    [
      'an unlisted status on both sides',
      { ...open, status: 'ManualReview' },
      'ManualReview',
      false,
    ],
    [
      'a payment that is unknown here and ended at the provider',
      { ...open, state: 'unknown', status: '' },
      'Processed',
      true,
    ],
    [
      'a payment that is unknown here and open at the provider',
      { ...open, state: 'unknown', status: '' },
      'QrTokenCreated',
      false,
    ],
  ])('detects whether the status differs for %s', (_name, mine, status, isDifferent) => {
    const found = otherStatusOf({ ours: ours(mine), theirs: theirs({ status }) }, judge);
    expect(found !== undefined).toBe(isDifferent);
    if (isDifferent) expect(found).toMatchObject({ paymentId: '1001', providerStatus: status });
  });

  it('returns the meaning of the provider’s status', () => {
    const of = (status: string) =>
      otherStatusOf({ ours: ours(), theirs: theirs({ status }) }, judge)?.providerOutcome;
    expect([of('Rejected'), of('Expired'), of('ManualReview')]).toEqual([
      'failed',
      'expired',
      null,
    ]);
  });
});

describe('flippedOf', () => {
  it.each<[string, Partial<Payment>, string, string | undefined]>([
    ['the same final status', {}, 'Processed', undefined],
    ['a different final status', {}, 'Expired', 'Expired'],
    ['an open status after the end', {}, 'QrTokenScanned', undefined],
    [
      'a final status of a payment that is open here',
      { ...open, status: 'x' },
      'Processed',
      undefined,
    ],
    ['a flip that was stored before', { flippedTo: 'Expired' }, 'Processed', 'Expired'],
  ])('detects whether the status has flipped for %s', (_name, mine, status, flippedTo) => {
    const found = flippedOf({ ours: ours(mine), theirs: theirs({ status }) }, judge);
    expect(found?.flippedTo).toBe(flippedTo);
  });
});

describe('moreReturned', () => {
  it.each<[number | null, number[], number]>([
    [null, [500], 0],
    [0, [], 0],
    [500, [500], 0],
    [0.3, [0.1, 0.2], 0],
    [700, [500], 200],
    [0, [500.5], -500.5],
  ])('compares %s returned by the provider with the refunds %o here', (returned, amounts, more) => {
    expect(
      moreReturned(
        returned,
        amounts.map((amount) => ({ amount })),
      ),
    ).toBe(more);
  });
});
