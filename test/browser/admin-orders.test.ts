import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { AdminOrder } from '#validators/orders';
import { focused, lookAround, sitAtDesk } from './admin-desk.js';

const desk = sitAtDesk({}, async () => {});

const pickup = { method: 'pickup', requestedFor: null } as const;

/** Returns an order from `n` seconds before a fixed time. */
function order(n: number, facts: Partial<AdminOrder> = {}): AdminOrder {
  return {
    id: `order${String(n).padStart(17, '0')}`,
    number: n + 1,
    fulfillment: { ...pickup, status: 'completed' },
    changedAt: new Date(Date.UTC(2026, 10, 22, 12) - n * 1000).toISOString(),
    ...pieces(1),
    status: 'paid',
    qrToken: null,
    qrImage: null,
    expiresAt: null,
    createdAt: new Date(Date.UTC(2026, 10, 22, 12) - n * 1000).toISOString(),
    oversold: false,
    paymentId: String(1795230000 + n),
    endedAt: null,
    ...facts,
  };
}

/** Returns the facts of an order that depend on its items. */
function pieces(quantity: number, name = 'Cold brew') {
  const item = { productId: 5, variantId: null, name, price: 1900, quantity };
  const amount = 1900 * quantity;
  const items = [{ ...item, amount, oversold: false }];
  return { items, productId: 5, name, quantity, deliveryPrice: 0, amount };
}

/** Answers as the service does, from a list that the test changes. */
async function openOrders(orders: AdminOrder[]): Promise<Page> {
  const page = await desk.open('#orders', (tab) =>
    tab.route('**/api/admin/orders?*', (route) => {
      const search = new URL(route.request().url()).searchParams;
      const from = orders.findIndex(({ id }) => id === search.get('after')) + 1;
      const to = from + Number(search.get('limit'));
      return route.fulfill({
        json: { ok: true, orders: orders.slice(from, to), hasMore: orders.length > to },
      });
    }),
  );
  await page.locator('main [aria-busy="false"]').first().waitFor();
  return page;
}

/** Simulates that the page becomes visible again, which makes it refresh immediately. */
const lookAgain = (page: Page) =>
  page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
const rows = () => desk.page.locator('.order-row');
const statuses = () => desk.page.locator('.order-row .status').allTextContents();

describe('the orders', () => {
  it('are shown newest first, with oversold orders at the top and how to resolve them', async () => {
    const page = await openOrders([
      order(1, { status: 'pending' }),
      order(2, { status: 'unknown', paymentId: null }),
      order(3, { oversold: true, ...pieces(3), fulfillment: { ...pickup, status: 'new' } }),
      order(4, { status: 'failed' }),
      order(5, { status: 'expired' }),
    ]);
    await expect
      .poll(statuses)
      .toEqual(['Paid', 'Waiting for payment', 'Not known yet', 'Failed', 'Expired']);
    const first = await rows().first().innerText();
    expect(first).toContain('Oversold: paid, but there was not enough left');
    expect(first).toContain('Order 4');
    expect(first).toContain('× 3');
    await page.locator('.refund summary').first().click();
    await page.getByText('msgsite pay refund 1795230003 --amount 5700').waitFor();
    await lookAround(page, 320, 'light');
    await page.getByLabel('Status').selectOption('oversold');
    await expect.poll(statuses).toEqual(['Paid']);
    expect(desk.problems).toEqual([]);
  });

  it('show outcomes that the bank has corrected, and how to refund late payments', async () => {
    const at = new Date(Date.UTC(2026, 10, 22, 12)).toISOString();
    const page = await openOrders([
      order(1, { status: 'expired', corrected: { status: 'paid', at } }),
      order(2, { status: 'paid', corrected: { status: 'failed', at } }),
      order(3, { status: 'expired', corrected: { status: 'unknown', at } }),
      order(4, { status: 'expired' }),
    ]);
    await expect.poll(statuses).toEqual(['Expired', 'Paid', 'Expired', 'Expired']);
    const notes = await page.locator('.corrected-note').allTextContents();
    expect(notes).toEqual(
      ['Paid', 'Failed', 'Not known yet'].map((now) => expect.stringContaining(`reports “${now}”`)),
    );
    await rows().first().locator('.refund summary').click();
    await page.getByText('msgsite pay refund 1795230001 --amount 1900').waitFor();
    expect(await rows().nth(3).locator('.refund summary').count()).toBe(0);
    await lookAround(page, 320, 'dark');
    expect(desk.problems).toEqual([]);
  });

  it('are updated automatically and announced to screen readers, and unchanged rows are kept', async () => {
    const orders = [order(1, { status: 'pending' }), order(2)];
    const page = await openOrders(orders);
    await rows().nth(1).locator('.refund summary').click();
    await rows().nth(1).getByRole('link').focus();
    orders[0] = order(1);
    await lookAgain(page);
    await page.getByText('Cold brew: paid.').waitFor({ state: 'attached' });
    await expect.poll(statuses).toEqual(['Paid', 'Paid']);
    expect(await page.locator('.order-row details[open]').count()).toBe(1);
    orders.unshift(order(0, { status: 'pending', ...pieces(2, 'Stoneware piala') }));
    await lookAgain(page);
    await page.getByText('A new order: Stoneware piala, 2 pieces.').waitFor({ state: 'attached' });
    await expect.poll(() => rows().count()).toBe(3);
    expect(await focused(page)).toBe('Cold brew');
    expect(await page.locator('.order-row details[open]').count()).toBe(1);
  });

  it('show what to do first and whom to call, and move on with one press per step', async () => {
    const delivery = { method: 'delivery', address: 'Abay 12', requestedFor: null } as const;
    const contact = { name: 'Aigerim', phone: '+77011234567' };
    const orders = [
      order(1, { fulfillment: { ...delivery, status: 'completed' } }),
      order(2, { fulfillment: { ...delivery, status: 'new' } }),
      order(3, { fulfillment: { ...delivery, status: 'new' }, contact, note: 'Ring twice' }),
    ];
    const page = await openOrders(orders);
    const moves: string[] = [];
    await page.route('**/api/admin/orders/*/fulfillment', (route) => {
      const { status } = route.request().postDataJSON();
      const id = route.request().url().split('/').at(-2);
      const at = orders.findIndex((each) => each.id === id);
      const moved = { ...(orders[at] as AdminOrder), fulfillment: { ...delivery, status } };
      orders[at] = moved;
      moves.push(`${moved.number} ${status}`);
      return route.fulfill({ json: { ok: true, order: moved } });
    });
    const steps = () => page.locator('.order-row .step').allTextContents();
    await expect.poll(steps).toEqual(['New', 'New', 'Completed']);
    // The earliest order comes first.
    const first = await rows().first().innerText();
    expect(first).toContain('Delivery · Abay 12 · as soon as possible');
    expect(first).toContain('Ring twice');
    expect(await rows().first().locator('a[href="tel:+77011234567"]').count()).toBe(1);
    const whatsapp = rows().first().locator('a[href^="https://wa.me/77011234567?text="]');
    expect(await whatsapp.count()).toBe(1);
    await page.getByRole('button', { name: 'Prepare: order 4' }).press('Enter');
    await page.getByText('Order 4: Preparing.').waitFor({ state: 'attached' });
    const nameOfFocused = 'document.activeElement.getAttribute("aria-label")';
    await expect.poll(() => page.evaluate(nameOfFocused)).toBe('Ready: order 4');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(nameOfFocused)).toBe('Hand over: order 4');
    await page.keyboard.press('Enter');
    await expect.poll(() => moves).toEqual(['4 preparing', '4 ready', '4 completed']);
    await expect.poll(steps).toEqual(['New', 'Completed', 'Completed']);
    await lookAround(page, 320, 'light');
    expect(desk.problems).toEqual([]);
  });

  it('are loaded in pages on request, and can be filtered by status', async () => {
    const page = await openOrders(
      Array.from({ length: 53 }, (_, index) =>
        order(index, index === 52 ? { status: 'failed' } : {}),
      ),
    );
    await expect.poll(() => rows().count()).toBe(50);
    await page.getByLabel('Status').selectOption('failed');
    await page.getByText('No matching orders').waitFor();
    await page.getByRole('button', { name: 'Show more' }).press('Enter');
    await expect.poll(statuses).toEqual(['Failed']);
    await page.getByLabel('Status').selectOption('');
    await page.getByText('53 of 53.').waitFor();
    await lookAgain(page);
    await expect.poll(() => rows().count()).toBe(53);
  });

  it('report an empty list, a failed request and outdated data', async () => {
    const orders: AdminOrder[] = [];
    const page = await openOrders(orders);
    await page.getByText('No orders yet').waitFor();
    orders.push(order(1));
    await lookAgain(page);
    await expect.poll(() => rows().count()).toBe(1);
    await page.route('**/api/admin/orders?*', (route) => route.abort());
    await lookAgain(page);
    await page.getByText('The orders are not up to date. The server cannot be reached.').waitFor();
    expect(await rows().count()).toBe(1);
    await page.reload();
    await page.getByText('The orders could not be loaded').waitFor();
    await page.unroute('**/api/admin/orders?*');
    // From here on, the server responds.
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No orders yet').waitFor();
  });
});
