import { expect, it } from 'vitest';
import { createRateLimiter } from '../../src/base/rate-limit.js';
import { createWaits } from '../../src/base/waits.js';
import { defaultCheckout } from '../../src/orders/checkout.js';
import { createFollower } from '../../src/orders/follower.js';
import { createOrders } from '../../src/orders/orders.js';
import { openJsonOrderStore } from '../../src/orders/store-json/open.js';
import { createManualClock, type ManualClock } from '../helpers/manual-clock.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

const address = '198.51.100.7';

interface ShopOptions {
  readonly folder?: string;
  readonly clock?: ManualClock;
  /** Returns the error with which requesting a payment fails, if any. */
  readonly failure?: () => Error | undefined;
}

/** Opens a selling process; the test decides which orders are paid. */
async function openShop({ folder, clock = createManualClock(), failure }: ShopOptions = {}) {
  const data = folder ?? (await makeTempFolder());
  const store = await openJsonOrderStore({ folder: data, clock, onDamaged: () => {} });
  const rateLimiter = createRateLimiter(clock);
  const follower = createFollower({ store: async () => store, clock, rateLimiter });
  const orders = createOrders({
    store,
    readCheckout: async () => defaultCheckout,
    nextNumber: async () => 1,
    findProduct: async () => ({ name: 'Lamp', price: 250 }),
    till: {
      isOpen: () => true,
      cashiers: async () => [
        {
          organizationId: 7,
          profileId: 7,
          organizationName: 'Lamps',
          phone: '77011234567',
          async createQr() {
            const error = failure?.();
            if (error) throw error;
            return 'made';
          },
        },
      ],
    },
    rateLimiter,
    waits: createWaits(),
    clock,
  });
  const lamp = { productId: 1, variantId: null, quantity: 1 };
  const order = async () => (await orders.create({ items: [lamp] }, '', address)).id;
  const ended = (reference: string, outcome: 'success' | 'failed' | 'expired') =>
    follower.seen({
      ...{ id: '1001', type: 'qr', state: 'ended', outcome, organizationId: 7, amount: 250 },
      ...{ qrToken: null, expiresAt: null, reference },
    });
  /** Returns how many more orders the address can make. */
  async function placesLeft(): Promise<number> {
    for (let count = 0; ; count += 1) {
      try {
        await order();
      } catch {
        return count;
      }
    }
  }
  return { folder: data, clock, store, order, ended, placesLeft };
}

it('a paid order makes room for one order, however often the payment is reported', async () => {
  const { order, ended, placesLeft } = await openShop();
  const ids = await Promise.all(Array.from({ length: 10 }, order));
  for (const id of ids.slice(1, 4)) await ended(id, 'success');
  for (const id of ids.slice(1, 4)) await ended(id, 'success');
  expect(await placesLeft()).toBe(3);
});

it('an order that failed, expired or was paid after an hour makes no room', async () => {
  const { clock, order, ended, placesLeft } = await openShop();
  const [failed = '', expired = '', late = ''] = await Promise.all([order(), order(), order()]);
  await ended(failed, 'failed');
  await ended(expired, 'expired');
  await clock.advance(3_600_000);
  for (let count = 0; count < 6; count += 1) await order();
  await ended(late, 'success');
  expect(await placesLeft()).toBe(4);
});

it('a paid order makes no room after a restart, which has reset the limit', async () => {
  const before = await openShop();
  const ids = await Promise.all(Array.from({ length: 10 }, before.order));
  await before.store.close();
  const after = await openShop(before);
  for (let count = 0; count < 6; count += 1) await after.order();
  for (const id of ids) await after.ended(id, 'success');
  expect(await after.placesLeft()).toBe(4);
});

it('a stored order contains no address, and nothing about the limit once it has ended', async () => {
  const { store, order, ended } = await openShop();
  const id = await order();
  expect(JSON.stringify(await store.find(id))).not.toContain('198.51');
  expect(await store.find(id)).toHaveProperty('countedAs');
  await ended(id, 'expired');
  expect(await store.find(id)).not.toHaveProperty('countedAs');
});

it('an order whose payment could not be requested counts once, even if it is paid later', async () => {
  let isAway = true;
  const failure = () => (isAway ? new Error('The storage is away.') : undefined);
  const { store, order, ended, placesLeft } = await openShop({ failure });
  await expect(order()).rejects.toThrow('away');
  isAway = false;
  const { orders } = await store.page({ limit: 9 });
  for (let count = 0; count < 6; count += 1) await order();
  await ended(orders[0]?.id ?? '', 'success');
  expect(await placesLeft()).toBe(4);
});
