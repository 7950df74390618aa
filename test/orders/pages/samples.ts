import { html } from '../../../src/base/html.js';
import type { Drawing } from '../../../src/orders/pages/draw-order.js';
import type { ShownOrder } from '../../../src/orders/pages/shown-order.js';

/** 14:30 in Almaty. */
export const now = Date.parse('2026-11-22T09:30:00Z');

export const order: ShownOrder = {
  id: 'q83vEjRWeJCrze8SNFZ4kA',
  number: 412,
  items: [
    {
      ...{ productId: 3, variantId: null, name: 'Apricot jam', price: 1850 },
      ...{ quantity: 2, amount: 3700, oversold: false },
    },
  ],
  productId: 3,
  name: 'Apricot jam',
  quantity: 2,
  fulfillment: { method: 'pickup', requestedFor: null, status: 'new' },
  changedAt: '2026-11-22T09:29:12.000Z',
  deliveryPrice: 0,
  amount: 3700,
  status: 'pending',
  qrToken: 'https://bank.example/qr/7',
  qrImage: 'data:image/svg+xml,%3Csvg/%3E',
  expiresAt: '2026-11-22T09:34:12.000Z',
};

export const drawing: Drawing = {
  language: 'en',
  zone: 'Asia/Almaty',
  now,
  contact: html`<a href="tel:+77010001122">+7 701 000 11 22</a>`,
};
