import { expect, it } from 'vitest';
import type { PaymentFollower } from '../../src/payments/payment-follower.js';
import { createWorld, openMoney, under } from './intents/money-under-test.js';
import { createMortal } from './intents/mortal.js';

/** Creates a follower that records its calls as short texts and can be made to fail. */
function recordingFollower() {
  const calls: string[] = [];
  let failures = 0;
  const note = (words: string) => {
    if (failures > 0) {
      failures -= 1;
      throw new Error('The follower is away.');
    }
    calls.push(words);
  };
  const follower: PaymentFollower = {
    seen: async ({ reference, state, outcome }) =>
      note([reference, state, outcome].filter(Boolean).join(' ')),
    notMade: async ({ reference }) => note(`${reference} not made`),
    corrected: async ({ reference, outcome }, now) =>
      note(`${reference} ${outcome} is ${now ?? 'unknown'}`),
  };
  return {
    calls,
    follower,
    fail(times: number) {
      failures = times;
    },
  };
}

async function open() {
  const world = await createWorld({ lookup: true });
  const recorded = recordingFollower();
  const money = await openMoney(world, createMortal(), recorded.follower);
  const cashier = await money.cashier();
  const qr = (amount: number, reference?: string) =>
    money.gateway
      .as(cashier)
      .createQr({ amount, ...(reference ? { reference } : {}) }, under(`k${reference}`))
      .catch((error) => error.code as string);
  const pollUntil = async (isDone: () => boolean) => {
    await money.watcher.start();
    await world.clock.advanceUntil(isDone, 60_000);
  };
  return { ...world, ...recorded, money, qr, pollUntil };
}

it('the follower is called when a payment with a reference is created and when it ends', async () => {
  const { bank, calls, money, qr, pollUntil } = await open();
  await qr(500, 'a');
  await qr(600);
  for (const each of bank.book) each.status = 'Processed';
  await pollUntil(() => calls.length === 2);
  expect(calls).toEqual(['a open', 'a ended success']);
  await money.close();
});

it('the follower is called before the end of a payment is stored, and again if storing fails', async () => {
  const { bank, calls, money, qr, pollUntil, fail, events } = await open();
  await qr(500, 'a');
  fail(2);
  for (const each of bank.book) each.status = 'Processed';
  await pollUntil(() => calls.length === 2);
  expect(calls).toEqual(['a open', 'a ended success']);
  // All calls are for the same event.
  expect([...events.values()].map(({ length }) => length)).toEqual([3]);
  await money.close();
});

it('the follower is called if the amount of a payment differs from the order', async () => {
  const { bank, calls, money, qr } = await open();
  bank.deeds.push({ makes: 501 });
  await qr(500, 'a');
  expect(calls).toEqual(['a unknown']);
  await money.close();
});

it('the follower is called when a request in doubt is settled', async () => {
  const { bank, clock, calls, money, qr } = await open();
  bank.deeds.push('breaks after', 'breaks before');
  expect([await qr(500, 'a'), await qr(600, 'b')]).toEqual(['provider_error', 'provider_error']);
  expect(calls).toEqual([]);
  for (let round = 0; round < 3; round += 1) {
    await money.round();
    clock.jump(901_000);
  }
  expect([...new Set(calls)].sort()).toEqual(['a open', 'b not made']);
  await money.close();
});

it('the follower is called before a changed outcome is stored, and again if storing fails', async () => {
  const { bank, calls, money, qr, pollUntil, fail, events, clock } = await open();
  await qr(500, 'a');
  await qr(600);
  for (const each of bank.book) each.status = 'Expired';
  await pollUntil(() => calls.length === 2);
  fail(1);
  const answer = { Data: { Status: 'Processed' } };
  for (const payment of await money.payments()) await money.observed(payment, answer);
  const flipped = async () => (await money.payments()).map(({ flippedTo }) => flippedTo).sort();
  expect(await flipped()).toEqual(['Processed', undefined]);
  for (const payment of await money.payments()) await money.observed(payment, answer);
  expect(await flipped()).toEqual(['Processed', 'Processed']);
  expect(calls).toEqual(['a open', 'a ended expired', 'a expired is success']);
  expect([...events.keys()].every((name) => name.endsWith('payment.expired'))).toBe(true);
  await clock.settle();
  await money.close();
});

it('the follower is called without an outcome if an expired payment is paid with a different amount', async () => {
  const { bank, calls, money, qr, pollUntil } = await open();
  await qr(500, 'a');
  for (const each of bank.book) each.status = 'Expired';
  await pollUntil(() => calls.length === 2);
  const [payment] = await money.payments();
  if (payment) await money.observed(payment, { Data: { Status: 'Processed', Amount: 5 } });
  expect(calls.at(-1)).toBe('a expired is unknown');
  await money.close();
});
