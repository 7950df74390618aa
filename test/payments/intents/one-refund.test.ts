import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { AuditStore } from '../../../src/audit/store.js';
import { openJsonAuditStore } from '../../../src/audit/store-json/open.js';
import type { PendingAct } from '../../../src/base/audit.js';
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

async function openStorage(world: World, label: string) {
  const mortal = createMortal();
  const { files } = mortal;
  const clock = mortal.clock(world.clock);
  const folder = join(world.data, 'audit');
  const onDamaged = (error: Error) => {
    throw error;
  };
  return {
    mortal,
    stores: await openJsonPaymentStores({
      folder: join(world.data, 'payments'),
      clock,
      files,
      onDamaged,
    }),
    audit: openJsonAuditStore({ folder, clock, files, label }),
  };
}

async function open(world: World, label: string) {
  const { mortal, ...storage } = await openStorage(world, label);
  const money = await openMoneyOn(world, storage, mortal);
  return {
    ...money,
    async kill() {
      await mortal.die();
      await killOwner(join(world.data, 'audit'), label);
    },
  };
}

describeRefunds('JSON files', open);

it('a refund stops waiting for another process when payments are closed', async () => {
  const world = await createWorld();
  const [first, second] = [await open(world, 'first'), await open(world, 'second')];
  world.bank.deeds.push({ lateBy: 5_000 });
  const ask = async (money: MoneyUnderTest) =>
    money.gateway
      .as(await money.cashier())
      .refund({ qrOperationId: 1, returnAmount: 5 }, under('k'));
  ask(first).catch(() => {});
  await expect.poll(() => world.bank.asked).toHaveLength(1);
  const waiting = expect(ask(second)).rejects.toMatchObject({ code: 'in_doubt' });
  await world.clock.settle();
  await second.close();
  await waiting;
  await first.kill();
});

it.each([
  ['a refund', { kind: 'refund', after: 'pending' }],
  ['a QR payment', { kind: 'qr', after: 'begin' }],
] as const)(
  'does not request %s from the provider after being suspended for 20 s',
  async (_, stop) => {
    const world = await createWorld();
    const storage = await openStorage(world, 'first');
    let isStopping = true;
    const stopOnce = <Result>(result: Result): Result => {
      if (isStopping) world.clock.jump(20_000);
      isStopping = false;
      return result;
    };
    const { audit } = storage;
    const standing = {
      ...audit,
      begin: (act: PendingAct) =>
        audit.begin(act).then(stop.after === 'begin' ? stopOnce : undefined),
      pending: () => audit.pending().then(stop.after === 'pending' ? stopOnce : undefined),
    } as AuditStore;
    const money = await openMoneyOn(world, { ...storage, audit: standing }, storage.mortal);
    const cashier = await money.cashier();
    const ask = () =>
      stop.kind === 'qr'
        ? money.gateway.as(cashier).createQr({ amount: 5 }, under('k'))
        : money.gateway.as(cashier).refund({ qrOperationId: 1, returnAmount: 5 }, under('k'));
    await expect(ask()).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(world.bank.asked).toEqual([]);
    await ask();
    expect(world.bank.book).toHaveLength(1);
    await money.close();
  },
);
