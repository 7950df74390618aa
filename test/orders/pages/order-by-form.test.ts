import { expect, test } from 'vitest';
import { AppError } from '../../../src/base/errors.js';
import { type FormOrder, orderByForm } from '../../../src/orders/pages/order-by-form.js';
import type { OrderStatus, ShownOrder } from '../../../src/orders/pages/shown-order.js';
import { order } from './samples.js';

/** Keeps orders by key, like the service. */
function openDesk() {
  const kept = new Map<string, FormOrder & { id: string; status: OrderStatus }>();
  const give = (ordered: FormOrder, key: string) => {
    const known = kept.get(key);
    if (known && (known.productId !== ordered.productId || known.quantity !== ordered.quantity)) {
      throw new AppError('conflict', 'This key was used with another order.');
    }
    const made = known ?? { ...ordered, id: `order ${kept.size + 1}`, status: 'pending' as const };
    kept.set(key, made);
    return made;
  };
  return {
    create: async (ordered: FormOrder, key: string): Promise<ShownOrder> => ({
      ...order,
      ...give(ordered, key),
    }),
    end(status: OrderStatus): void {
      const last = [...kept.entries()].at(-1);
      if (last) kept.set(last[0], { ...last[1], status });
    },
  };
}

const one = { productId: 3, quantity: 1 };

test('a form sent again returns the same order while it is open', async () => {
  const { create, end } = openDesk();
  expect((await orderByForm(one, 'key', create)).id).toBe('order 1');
  expect((await orderByForm(one, 'key', create)).id).toBe('order 1');
  end('unknown');
  expect((await orderByForm(one, 'key', create)).id).toBe('order 1');
});

test('a form creates another order once its order has ended, and returns that one again', async () => {
  const { create, end } = openDesk();
  await orderByForm(one, 'key', create);
  for (const [status, next] of [
    ['paid', 'order 2'],
    ['expired', 'order 3'],
  ] as const) {
    end(status);
    expect((await orderByForm(one, 'key', create)).id).toBe(next);
    expect((await orderByForm(one, 'key', create)).id).toBe(next);
  }
});

test('a form with another quantity creates another order', async () => {
  const { create } = openDesk();
  const two = { ...one, quantity: 2 };
  expect((await orderByForm(one, 'key', create)).id).toBe('order 1');
  expect((await orderByForm(two, 'key', create)).id).toBe('order 2');
  expect((await orderByForm(two, 'key', create)).id).toBe('order 2');
  expect((await orderByForm(one, 'key', create)).id).toBe('order 1');
});

test('a form passes refusals on, and refuses too many ended orders', async () => {
  const refuse = async () => {
    throw new AppError('not_for_sale', 'It is sold out.');
  };
  await expect(orderByForm(one, 'key', refuse)).rejects.toMatchObject({ code: 'not_for_sale' });
  const paid = async () => ({ ...order, status: 'paid' as const });
  await expect(orderByForm(one, 'key', paid)).rejects.toMatchObject({ code: 'conflict' });
});
