import { expect, it, onTestFinished } from 'vitest';
import { openSandboxBank } from '../../commands/pay/sandbox-bank.js';
import { openShop } from '../shop-under-test.js';

it('a paid order makes room even if another process sees the payment', async () => {
  const bank = await openSandboxBank(1);
  onTestFinished(bank.close);
  const env = { MSGSITE_PROVIDER: bank.url };
  // Both use the same folder, which is removed with this one.
  const there = await openShop({ env });
  onTestFinished(there.close);
  const here = await openShop({ env, data: there.server.data });
  await here.signIn();
  const productId = await here.product(1506);
  const address = { 'X-Forwarded-For': '203.0.113.9' };
  const ids: string[] = [];
  for (let n = 0; n < 10; n += 1) {
    const { status, body } = await here.order(productId, {}, address);
    expect(status).toBe(201);
    ids.push(body.order.id);
  }
  expect((await there.order(productId, {}, address)).status).toBe(429);
  await here.close();
  for (const id of ids.slice(1)) {
    await bank.force((await there.adminOrder(id)).paymentId, 'Processed');
    expect((await there.ended(id)).status).toBe('paid');
  }
  for (let n = 0; n < 9; n += 1) {
    await expect.poll(async () => (await there.order(productId, {}, address)).status).toBe(201);
  }
  expect((await there.order(productId, {}, address)).status).toBe(429);
});
