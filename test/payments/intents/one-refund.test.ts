import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openJsonAuditStore } from '../../../src/audit/store-json/open.js';
import { openJsonPaymentStores } from '../../../src/payments/store-json/open.js';
import { killOwner } from '../../audit/dead-owner.js';
import {
  createWorld,
  type MoneyUnderTest,
  openMoneyOn,
  under,
  type World,
} from './money-under-test.js';
import { createMortal } from './mortal.js';
import { describeRefunds } from './refund-contract.js';

async function open(world: World, label: string) {
  const mortal = createMortal();
  const { files } = mortal;
  const clock = mortal.clock(world.clock);
  const folder = join(world.data, 'audit');
  const onDamaged = (error: Error) => {
    throw error;
  };
  const storage = {
    stores: await openJsonPaymentStores({
      folder: join(world.data, 'payments'),
      clock,
      files,
      onDamaged,
    }),
    audit: openJsonAuditStore({ folder, clock, files, label }),
  };
  const money = await openMoneyOn(world, storage, mortal);
  return {
    ...money,
    async kill() {
      await mortal.die();
      await killOwner(folder, label);
    },
  };
}

describeRefunds('JSON files', open);

it('ends the waiting for another process when the payments are closed', async () => {
  const world = await createWorld();
  const [first, second] = [await open(world, 'first'), await open(world, 'second')];
  world.bank.deeds.push({ lateBy: 5_000 });
  const ask = async (money: MoneyUnderTest) =>
    money.gateway.refund(await money.cashier(), { qrOperationId: 1, returnAmount: 5 }, under('k'));
  ask(first).catch(() => {});
  await expect.poll(() => world.bank.asked).toHaveLength(1);
  const waiting = expect(ask(second)).rejects.toMatchObject({ code: 'in_doubt' });
  await world.clock.settle();
  await second.close();
  await waiting;
  await first.kill();
});
