import { describe, expect, it, test } from 'vitest';
import { drawOrder, orderHead, orderTitle } from '../../../src/orders/pages/draw-order.js';
import type { OrderStatus, ShownOrder } from '../../../src/orders/pages/shown-order.js';
import { languages } from '../../../src/words/languages.js';
import { drawing, order } from './samples.js';

const draw = (changes: Partial<ShownOrder> = {}, language = drawing.language) =>
  drawOrder({ ...order, ...changes }, { ...drawing, language }).text;

/** Returns the visible text on one line. */
const readable = (page: string) =>
  page
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&nbsp;', ' ')
    .replace(/\s+/g, ' ');

const hostile = "<script>alert(1)</script>\" onload='x' {} &amp; \u202e";

describe('the page of an order that can be paid', () => {
  it('shows amount, product, code and time', () => {
    const text = readable(draw());
    for (const part of ['To pay 3,700 ₸', 'Apricot jam × 2', 'Valid until 14:34', '4:12 left']) {
      expect(text).toContain(part);
    }
    expect(draw()).toContain('<img src="data:image/svg+xml,%3Csvg/%3E" alt="QR code to pay 3');
    expect(readable(draw())).toContain('Order number 412');
  });

  it('shows the day if it is not today', () => {
    expect(readable(draw({ expiresAt: '2026-11-22T19:05:00Z' }))).toMatch(/23 November.* 00:05/);
  });

  it('says that the bank is being checked once the time is up', () => {
    expect(readable(draw({ expiresAt: '2026-11-22T09:29:59Z' }))).toContain(
      'checking with the bank',
    );
  });

  it('shows no time if the code never expires', () => {
    expect(draw({ expiresAt: null })).not.toContain('order-until');
    expect(draw({ expiresAt: 'soon' })).not.toContain('<time');
  });

  test.each([
    ['https://bank.example/a?b=1&c="', 'href="https://bank.example/a?b=1&amp;c=%22"'],
    ['http://bank.example/qr', undefined],
    ['javascript:alert(1)', undefined],
    ['bank://pay/7', undefined],
    ['00020101021226', undefined],
  ])('links %s to the bank’s app only if it is an https link', (qrToken, link) => {
    const page = draw({ qrToken });
    expect(page.includes('order-open')).toBe(link !== undefined);
    if (link) expect(page).toContain(link);
    else expect(page).not.toContain('bank.example');
    expect(page).toContain('<img ');
  });

  it('says that the code is being prepared until it exists', () => {
    const page = draw({ qrImage: null, qrToken: null });
    expect(page).toContain('Preparing the code…');
    expect(page).not.toContain('<img');
  });

  it('shows long amounts in smaller type', () => {
    expect(draw({ amount: 90_000_000_000_000 })).toContain('class="order-amount long"');
    expect(readable(draw({ amount: 1850.5 }))).toContain('1,850.50 ₸');
  });
});

describe('the page of an ended order', () => {
  test.each<[OrderStatus, readonly string[], readonly string[]]>([
    ['paid', ['Thank you!', '+7 701 000 11 22', 'href="/"'], ['Nothing was charged', 'order-code']],
    ['failed', ['Nothing was charged', 'href="/products/3"'], ['Thank you', 'order-code']],
    ['expired', ['Nothing was charged', 'href="/products/3"'], ['Thank you', 'order-code']],
    ['unknown', ['do not pay again', '+7 701 000 11 22'], ['Nothing was charged', '/products/3']],
  ])('with the status %s says only what is certain', (status, said, unsaid) => {
    const page = draw({ status });
    for (const text of said) expect(page).toContain(text);
    for (const text of unsaid) expect(page).not.toContain(text);
    expect(page).toContain('q83vEjRW');
    expect(page).not.toContain(order.qrToken);
  });
});

test.each(languages)(
  'the order page in %s escapes untrusted text and has texts for every status',
  (language) => {
    const statuses = ['pending', 'paid', 'failed', 'expired', 'unknown'] as const;
    const pages = statuses.map((status) =>
      draw({ status, name: hostile, qrToken: hostile }, language),
    );
    for (const page of pages) {
      expect(page).not.toContain('<script>');
      expect(page).not.toContain("' x");
      expect(page).not.toContain('\u202e');
      expect(page).toContain('role="status"');
    }
    expect(new Set(pages.map((page) => /role="status">([^<]+)/.exec(page)?.[1])).size).toBe(5);
  },
);

test.each<[OrderStatus, boolean]>([
  ['pending', true],
  ['unknown', true],
  ['paid', false],
  ['failed', false],
  ['expired', false],
])('the page of an order that is %s reloads without scripts: %s', (status, isOpen) => {
  expect(orderHead({ ...order, status }).text.includes('http-equiv="refresh"')).toBe(isOpen);
});

test('the title of the order page contains the status', () => {
  expect(orderTitle({ ...order, status: 'paid' }, 'ru')).toBe('Оплачено · Номер заказа 412');
});
