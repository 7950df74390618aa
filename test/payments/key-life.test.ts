import { describe, expect, it } from 'vitest';
import type { Intent } from '#validators/payment-records';
import { isKeyTaken } from '../../src/payments/intents/intent.js';
import { createRunningClock } from '../helpers/running-clock.js';
import { intent } from './money-samples.js';
import { collect, openPaymentsUnderTest } from './payments-under-test.js';

const hour = 3_600_000;
const day = 24 * hour;

async function begin() {
  const clock = createRunningClock();
  const payments = await openPaymentsUnderTest({ clock, sandboxFaults: ['not-idempotent'] });
  const cashier = await payments.cashier();
  const order = { amount: 1500, phoneNumber: '77017654321' };
  const invoice = async (key = 'the same') => {
    const repeat = { key, isNew: false };
    const { Data } = await payments.gateway.as(cashier).createInvoice(order, repeat);
    return (Data as { Id: number }).Id; // The sandbox's answer.
  };
  return { ...payments, clock, cashier, invoice };
}

describe('an Idempotency-Key', () => {
  it.each([
    ['ahead by 25 hours', 25 * hour],
    ['ahead by two years', 730 * day],
    ['back by 25 hours', -25 * hour],
  ])('prevents a second invoice after the wall clock jumps %s', async (_, step) => {
    const { clock, invoice, listPayments, close } = await begin();
    const first = await invoice();
    clock.stepWallClock(step);
    expect(await invoice()).toBe(first);
    await clock.advance(day - 1);
    expect(await invoice()).toBe(first);
    expect(await collect(listPayments('open'))).toHaveLength(1);
    await close();
  });

  it('expires once 24 hours have passed by both clocks', async () => {
    const { clock, invoice, close } = await begin();
    const first = await invoice();
    await clock.advance(day);
    expect(await invoice()).not.toBe(first);
    await close();
  });

  it('prevents a second refund after the wall clock jumps', async () => {
    const { clock, cashier, gateway, refunds, qr, close } = await begin();
    const id = await qr(cashier, 1500);
    await clock.advance(10_000);
    const refund = (key: string) =>
      gateway
        .as(cashier)
        .refund({ qrOperationId: BigInt(id), returnAmount: 100 }, { key, isNew: false });
    const first = await refund('k');
    clock.stepWallClock(25 * hour);
    expect(await refund('k')).toEqual(first);
    expect(await collect(refunds.list())).toMatchObject([{ ranAt: 5 * day + 10_000 }]);
    await close();
  });
});

describe('the key of a request', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  const closed: Partial<Intent> = { state: 'adopted', closedAt: now, closedRanAt: 5 * day };

  it.each([
    ['is taken immediately after the request was adopted', closed, 0, 0, true],
    ['is free after a day by both clocks', closed, day, day, false],
    ['is taken after a jump of the wall clock', closed, 400 * day, hour, true],
    [
      'stays taken after a day of running time while the wall clock is stopped',
      closed,
      0,
      2 * day,
      true,
    ],
    [
      'is free after a jump if the record has no running time',
      { ...closed, closedRanAt: undefined },
      2 * day,
      0,
      false,
    ],
    ['is free if nothing was made', { ...closed, state: 'not_made' as const }, 0, 0, false],
    [
      'is not taken while the request is in doubt',
      { ...closed, state: 'in_doubt' as const },
      0,
      0,
      false,
    ],
  ])('%s', (_name, changes, wall, ran, is) => {
    const clock = { now: () => now + wall, ranFor: () => 5 * day + ran };
    expect(isKeyTaken(intent('1', changes as Partial<Intent>), clock)).toBe(is);
  });
});
