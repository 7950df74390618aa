import { describe, expect, it } from 'vitest';
import { repeatKeyOf } from '../../../src/payments/idempotency.js';
import { createWorld, openMoney } from './money-under-test.js';

/** A process that has made payments before, so that folders, lanes and names are there. */
async function openSteady() {
  const world = await createWorld();
  const money = await openMoney(world);
  const cashier = await money.cashier();
  const make = (key: string) => money.gateway.as(cashier).createQr({ amount: 5 }, repeatKeyOf(key));
  await make('before');
  await make('');
  return {
    money,
    make,
    /** Waits for the disk during some work. */
    async waitsOf(work: () => Promise<unknown>): Promise<number> {
      const before = money.mortal.syncs;
      await work();
      return money.mortal.syncs - before;
    },
  };
}

describe('a payment waits for the disk', () => {
  it.each([
    ['four times without a key of the client: two for it, two for the audit', '', 4],
    ['six times with one: two more for its answer', 'key', 6],
  ])('%s', async (_, key, most) => {
    const { money, make, waitsOf } = await openSteady();
    const waits = await waitsOf(() => make(key));
    expect(waits).toBeLessThanOrEqual(most);
    // Fewer would mean that they are not counted.
    expect(waits).toBeGreaterThanOrEqual(most - 1);
    await money.close();
  });

  it('hardly longer for the audit where a hundred come at once', async () => {
    const { money, make, waitsOf } = await openSteady();
    const waits = await waitsOf(() => Promise.all(Array.from({ length: 100 }, () => make(''))));
    // Each has a file of its own; names in a folder, intents and lines share their waits.
    expect(waits).toBeGreaterThanOrEqual(100);
    expect(waits).toBeLessThan(150);
    await money.close();
  });
});
