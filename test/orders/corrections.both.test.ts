import { afterAll, beforeAll, expect, it } from 'vitest';
import { providerDay } from '../../src/payments/zoned-time.js';
import { createPayCli, type PayCli } from '../commands/pay/pay-cli.js';
import { openSandboxBank, type SandboxBank } from '../commands/pay/sandbox-bank.js';
import type { Headers } from '../payments/gateway-client.js';
import { openShop, type Shop } from './shop-under-test.js';

let bank: SandboxBank;
let cli: PayCli;
let shop: Shop;
let cashier: Headers;

beforeAll(async () => {
  bank = await openSandboxBank();
  cli = await createPayCli({ MSGSITE_PROVIDER: bank.url });
  shop = await openShop({ data: cli.env.MSGSITE_DATA ?? '', env: cli.env });
  cashier = await shop.signIn();
});
afterAll(async () => {
  await shop.close();
  await cli.remove();
  await bank.close();
});

const time = expect.stringMatching(/Z$/);
const today = () => providerDay(Date.now(), 'Asia/Almaty');

/** Creates an ended order of two pieces out of five whose outcome the bank has changed since. */
async function changed(price: number, status: string) {
  const productId = await shop.product(price);
  await shop.setLeft(productId, 5);
  const { id } = (await shop.order(productId, { quantity: 2 })).body.order;
  const ended = await shop.ended(id);
  const { paymentId } = await shop.adminOrder(id);
  await bank.force(paymentId, status);
  return { id, paymentId, productId, ended };
}

it.each([
  [752, 'expired', 'Processed', 'paid', 5],
  [751, 'failed', 'Processed', 'paid', 5],
  [750, 'paid', 'Rejected', 'failed', 3],
])(
  'a status read marks an order of %d tenge that was %s and whose payment is %s later as %s, and keeps its status',
  async (price, status, now, corrected, left) => {
    const { id, paymentId, productId, ended } = await changed(price, now);
    expect(ended.status).toBe(status);
    expect(ended).not.toHaveProperty('corrected');
    await shop.till?.get(`/api/qr/status?qrOperationId=${paymentId}`, cashier);
    const { order } = (await shop.find(id)).body;
    expect(order).toEqual({
      ...ended,
      changedAt: order.changedAt,
      corrected: { status: corrected, at: time },
    });
    expect(await shop.adminOrder(id)).toMatchObject({ status, corrected: order.corrected });
    expect(await shop.leftOf(productId)).toBe(left);
    // A second read finds the same correction.
    await shop.till?.get(`/api/qr/status?qrOperationId=${paymentId}`, cashier);
    expect((await shop.find(id)).body.order).toEqual(order);
  },
);

it('a reconciliation over HTTP marks an order whose payment has changed', async () => {
  const { id } = await changed(752, 'Processed');
  await shop.till?.get(`/api/reconciliation?day=${today()}`, cashier);
  expect((await shop.find(id)).body.order.corrected).toEqual({ status: 'paid', at: time });
});

it('`pay reconcile` beside the server marks an order whose payment has changed', async () => {
  await cli.signIn();
  const { id, paymentId } = await changed(752, 'Processed');
  const { document } = await cli.json(`reconcile --day ${today()}`);
  expect(document.flipped).toContainEqual(expect.objectContaining({ paymentId }));
  expect((await shop.find(id)).body.order.corrected).toEqual({ status: 'paid', at: time });
});
