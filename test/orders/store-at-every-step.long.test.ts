import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Order } from '../../src/orders/order.js';
import { eraseContacts } from '../../src/orders/retention.js';
import type { OrderStore } from '../../src/orders/store.js';
import { openJsonOrderStore } from '../../src/orders/store-json/open.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { createMortal, killOwners, type Mortal } from '../payments/intents/mortal.js';
import { hashOf, idOf, order, paid, pending } from './order-samples.js';

const clock = createManualClock();
const keyHash = hashOf('key');
const day = 86_400_000;
const onDamaged = (error: Error) => {
  throw error;
};
const open = (folder: string, { files, clock: own }: Pick<Mortal, 'files' | 'clock'>) =>
  openJsonOrderStore({ folder, clock: own(clock), files, onDamaged });

const fresh = (name: string) => order(name, { createdAt: clock.now() });
const pay = (store: OrderStore, name: string) =>
  store.change(idOf(name), (before) => (before.status === 'paid' ? undefined : paid(before)));

/** Prepares the folder that every run copies: two pieces of three are ordered twice. */
async function prepare(): Promise<string> {
  const folder = join(await makeTempFolder(), 'orders');
  const store = await open(folder, createMortal());
  await store.changeLeft(3, () => 3);
  for (const name of ['a', 'b']) await store.add(fresh(name));
  await store.change(idOf('b'), pending);
  const contact = { name: 'Aigerim', phone: '+77011234567' };
  const unpaid = { status: 'failed', endedAt: clock.now() } as const;
  await store.add({ ...fresh('p'), ...unpaid, contact, note: 'Ring twice' });
  await store.close();
  return folder;
}

/** Erases the contact of an order that was not paid. */
function erase(store: OrderStore): Promise<number> {
  const { signal } = new AbortController();
  return eraseContacts({ store, life: day, now: clock.now() + 7 * day, signal });
}

async function everyOrder(store: OrderStore): Promise<readonly Order[]> {
  return (await store.page({ limit: 99 })).orders;
}

/** An operation, and a check that holds once it has been repeated. */
interface Act {
  readonly name: string;
  act(store: OrderStore): Promise<unknown>;
  check(store: OrderStore): Promise<void>;
}

const acts: readonly Act[] = [
  {
    name: 'paying',
    act: (store) => pay(store, 'a'),
    async check(store) {
      expect(await store.leftOf(3)).toBe(1);
      expect(await store.find(idOf('a'))).toMatchObject({
        status: 'paid',
        items: [{ oversold: false }],
      });
      // Pieces taken by one order are not available to the other.
      expect(await pay(store, 'b')).toMatchObject({ status: 'paid', items: [{ oversold: true }] });
      expect(await store.leftOf(3)).toBe(0);
      expect(await everyOrder(store)).toHaveLength(3);
    },
  },
  {
    name: 'erasing a contact',
    act: (store) => erase(store),
    async check(store) {
      expect(await store.find(idOf('p'))).toMatchObject({ number: 1, note: '' });
      expect(await store.find(idOf('p'))).not.toHaveProperty('contact');
      expect(await everyOrder(store)).toHaveLength(3);
    },
  },
  {
    name: 'ordering under a key',
    act: (store) => store.add({ ...fresh('c'), keyHash }),
    async check(store) {
      const known = await store.findByKey(keyHash);
      expect(known).toBeDefined();
      expect(await store.add({ ...fresh('d'), keyHash })).toEqual(known);
      expect(await store.find(known?.id ?? '')).toEqual(known);
    },
  },
  {
    name: 'changing a count',
    act: (store) => store.changeLeft(3, () => 7),
    check: async (store) => expect(await store.leftOf(3)).toBe(7),
  },
  {
    name: 'removing',
    act: (store) => store.remove(idOf('a')),
    check: async (store) =>
      expect((await everyOrder(store)).map(({ id }) => id)).toEqual([idOf('p'), idOf('b')]),
  },
];

it.each(acts)(
  '$name takes effect once if killed at any step on the disk and repeated',
  async ({ act, check }) => {
    const prepared = await prepare();
    let step = 0;
    for (let survived = false; !survived; step += 1) {
      const folder = join(await makeTempFolder(), 'orders');
      await cp(prepared, folder, { recursive: true });
      const mortal = createMortal();
      const store = await open(folder, mortal);
      mortal.dieAt(step, 'after');
      await Promise.race([act(store), mortal.death]);
      survived = !mortal.isDead;
      await mortal.die();
      await killOwners(folder);

      const next = await open(folder, createMortal());
      await act(next);
      await check(next);
      await next.close();
    }
    expect(step).toBeGreaterThan(3);
  },
);
