import { describe, expect, it } from 'vitest';
import { repeatKeyOf } from '../../../src/payments/idempotency.js';
import { createWorld, openMoney } from './money-under-test.js';

/** Opens a process that has already made payments, so that all folders and files exist. */
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
    /** Returns the number of syncs during `work`. */
    async waitsOf(work: () => Promise<unknown>): Promise<number> {
      const before = money.mortal.syncs;
      await work();
      return money.mortal.syncs - before;
    },
  };
}

describe('a payment syncs', () => {
  it.each([
    ['four times without a client’s key, twice for its record and twice for the audit log', '', 4],
    ['six times with a client’s key, including twice for its answer', 'key', 6],
  ])('%s', async (_, key, most) => {
    const { money, make, waitsOf } = await openSteady();
    const waits = await waitsOf(() => make(key));
    expect(waits).toBeLessThanOrEqual(most);
    // Fewer syncs would mean that they are not counted.
    expect(waits).toBeGreaterThanOrEqual(most - 1);
    await money.close();
  });

  it('the audit log hardly more often if there are a hundred concurrent payments', async () => {
    const { money, make, waitsOf } = await openSteady();
    const waits = await waitsOf(() => Promise.all(Array.from({ length: 100 }, () => make(''))));
    // Each payment has its own file. Folder changes, intents and audit log lines share syncs.
    expect(waits).toBeGreaterThanOrEqual(100);
    expect(waits).toBeLessThan(150);
    await money.close();
  });
});
