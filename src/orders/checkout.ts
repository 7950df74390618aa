import type { StoredCheckout } from '#validators/state-records';
import type { StateStore } from '../base/state.js';
import { amountOf, sumOf } from './amount.js';
import type { OrderItem } from './order.js';

/** How a shop takes orders. Amounts are tenge. */
export type Checkout = StoredCheckout;

export type Method = Checkout['methods'][number];

/** The settings of a shop that has not chosen any. */
export const defaultCheckout: Checkout = {
  contact: 'off',
  methods: ['pickup'],
  deliveryPrice: 0,
  freeDeliveryFrom: null,
  leadMinutes: 0,
  note: '',
};

export type CheckoutSettings = ReturnType<typeof createCheckout>;

/** Reads and changes the settings, which every process reads from the store for each order. */
export function createCheckout(state: StateStore) {
  return {
    read: async (): Promise<Checkout> => (await state.find('checkout')) ?? defaultCheckout,
    /** Changes settings and returns all of them. `assertIs` gets the current ones, and throws to prevent the change. */
    async change(
      changes: Partial<Checkout>,
      assertIs: (current: Checkout) => void,
    ): Promise<Checkout> {
      const stored = await state.change('checkout', (before = defaultCheckout) => {
        assertIs(before);
        return { ...before, ...changes };
      });
      return stored ?? defaultCheckout;
    },
  };
}

/** Returns the price of handing over these items, in tenge, to the tiyn. */
export function deliveryPriceOf(
  { deliveryPrice, freeDeliveryFrom }: Checkout,
  method: Method,
  items: readonly Pick<OrderItem, 'amount'>[],
): number {
  if (method !== 'delivery') return 0;
  const goods = sumOf(items.map(({ amount }) => amount)) ?? 0;
  return freeDeliveryFrom !== null && goods >= freeDeliveryFrom
    ? 0
    : (amountOf(deliveryPrice, 1) ?? 0);
}
