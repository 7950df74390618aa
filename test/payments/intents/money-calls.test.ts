import { describe, expect, it } from 'vitest';
import type { AppError } from '../../../src/base/errors.js';
import { collect } from '../payments-under-test.js';
import { findFaults } from './check-books.js';
import type { Deed, Operation } from './money-bank.js';
import {
  createGate,
  doubts,
  faultsOf,
  findFaultsOnceWatched,
  heard,
  minutes,
  open,
  paidQr,
  qr,
  rounds,
  unknown,
} from './money-requests.js';
import { createWorld, openMoney, under } from './money-under-test.js';

describe('an unclear answer', () => {
  it.each<[string, Deed]>([
    ['a broken connection', 'breaks after'],
    ['no ID', 'answers without an id'],
    ['an ID with a fraction', { says: { QrOperationId: 12.5 } }],
    ['a UUID', { says: { QrOperationId: '6f1c2d9e-7c1b-4d54-9c6e-7b8f3f0f2a11' } }],
    ['a rounded ID', { says: { QrOperationId: 2 ** 60 } }],
    ['no answer for 10 s', { lateBy: 200_000 }],
  ])('(%s) puts the request in doubt, and the client is notified', async (_, deed) => {
    const opened = await open({}, deed);
    const { money, cashier, gateway, clock, world } = opened;
    const asking = heard(gateway.as(cashier).createQr(qr, under('k')));
    await clock.advance(10_000);
    expect(await asking).toEqual(unknown);
    expect(await doubts(opened)).toMatchObject([{ kind: 'qr', amount: 500, key: 'k' }]);
    expect(await money.lines()).toMatchObject([{ kind: 'qr', outcome: 'unknown', amount: 500 }]);
    expect(world.logged.some(({ level, intent }) => level === 'error' && intent)).toBe(true);
    await money.close();
  });

  it.each<[string, unknown]>([
    ['above 2^53', 9_007_199_254_740_993n],
    ['in text', '9007199254740993'],
  ])('is not assumed for an ID %s', async (_, id) => {
    const opened = await open({}, { says: { QrOperationId: id, Amount: 500 } });
    await opened.gateway.as(opened.cashier).createQr(qr);
    expect(await opened.money.payments()).toMatchObject([
      { id: '9007199254740993', state: 'open' },
    ]);
    await opened.money.close();
  });
});

describe('a call that is in progress when the service closes', () => {
  it.each([
    ['before it reaches the provider', 0],
    ['while the provider works on it', 1_000],
  ])('(%s) is stored before the storage is closed', async (_, waited) => {
    const opened = await open({}, { lateBy: 200_000 });
    const { world, money, cashier, gateway, clock } = opened;
    const asking = heard(gateway.as(cashier).createQr(qr, under('k')));
    if (waited > 0) await clock.advance(waited);
    await money.close();
    const { code, outcome } = (await asking) as { code: string; outcome?: string };
    expect(code).toBe('provider_error');
    if (waited > 0) expect(outcome).toBe('unknown');
    const again = await openMoney(world);
    const inDoubt = await doubts({ money: again });
    expect(inDoubt.map(({ key }) => key)).toEqual(outcome === undefined ? [] : ['k']);
    expect(await again.lines()).toMatchObject([{ kind: 'qr', outcome: outcome ?? 'failed' }]);
    expect(JSON.stringify(world.logged)).not.toMatch(/closed\.|not be stored/);
    await again.close();
  });

  it('(a cancellation of an invoice) is stored', async () => {
    const opened = await open();
    const { world, money, cashier, gateway, clock, bank } = opened;
    await gateway.as(cashier).createInvoice({ ...qr, phoneNumber: '77015554433' });
    const [{ id = '' } = {}] = bank.book;
    Object.assign(bank, { cancelInvoice: () => new Promise(() => {}) });
    const cancelling = gateway
      .as(cashier)
      .cancelInvoice(id)
      .catch((error: AppError) => error.code);
    await clock.settle();
    await money.close();
    expect(await cancelling).toBe('provider_error');
    const again = await openMoney(world);
    const ends = (await again.lines()).map(({ kind, outcome }) => ({ kind, outcome }));
    expect(ends).toContainEqual({ kind: 'cancel', outcome: 'unknown' });
    await again.close();
  });
});

describe('a late answer', () => {
  it('within 60 s settles the request, and the payment is watched', async () => {
    const opened = await open({}, { lateBy: 45_000 });
    const { world, money, cashier, gateway, clock, bank } = opened;
    await money.watcher.start();
    const asking = heard(gateway.as(cashier).createQr(qr, under('k')));
    await clock.advance(10_000);
    expect(await asking).toEqual(unknown);
    await clock.advance(36_000);
    expect(await doubts(opened)).toEqual([]);
    for (const made of bank.book) made.status = 'Processed';
    await clock.advance(4_000);
    expect([...world.events.keys()]).toEqual(['1-qr-1001-payment.success']);
    expect(await money.lines()).toMatchObject([
      { kind: 'qr', outcome: 'unknown' },
      { kind: 'settled', outcome: 'success', who: 'gateway', ids: { payment: '1001' } },
    ]);
    expect(await findFaults(world, money)).toEqual([]);
    await money.close();
  });

  it('that refuses closes the request and frees its key', async () => {
    const opened = await open({}, { refusesLateBy: 45_000 });
    const { money, cashier, gateway, clock } = opened;
    const asking = heard(gateway.as(cashier).createQr(qr, under('k')));
    await clock.advance(46_000);
    expect(await asking).toEqual(unknown);
    expect(await doubts(opened)).toEqual([]);
    expect(await heard(gateway.as(cashier).createQr(qr, under('k')))).toMatchObject({
      Amount: 500,
    });
    await money.close();
  });

  it('that refuses a repeat does not close an earlier request in doubt', async () => {
    const opened = await open({ idempotent: true }, 'breaks before', { refusesLateBy: 45_000 });
    const { money, cashier, gateway, clock } = opened;
    await heard(gateway.as(cashier).createQr(qr, under('k')));
    clock.jump(5);
    const asking = heard(gateway.as(cashier).createQr(qr, under('k')));
    await clock.advance(46_000);
    expect(await asking).toEqual(unknown);
    expect(await doubts(opened)).toMatchObject([{ key: 'k' }]);
    await money.close();
  });
});

describe('a repeat', () => {
  it('of a request in doubt fails with in_doubt, and a different request with its key with conflict', async () => {
    const opened = await open({}, 'breaks after');
    const { money, cashier, gateway, bank } = opened;
    expect(await heard(gateway.as(cashier).createQr(qr, under('k')))).toEqual(unknown);
    const repeat = await heard(gateway.as(cashier).createQr(qr, under('k')));
    expect(repeat).toMatchObject({ code: 'in_doubt', outcome: 'unknown', key: 'k' });
    for (const other of [{ amount: 501 }, { ...qr, profileId: 9 }]) {
      const conflict = await heard(gateway.as(cashier).createQr(other, under('k')));
      expect(conflict).toMatchObject({ code: 'conflict', key: 'k' });
    }
    expect(bank.asked).toHaveLength(1);
    await money.close();
  });

  it('is sent to an idempotent bank and settles the request', async () => {
    const opened = await open({ idempotent: true }, 'breaks after');
    const { world, money, cashier, gateway, bank } = opened;
    expect(await heard(gateway.as(cashier).createQr(qr, under('k')))).toEqual(unknown);
    world.clock.jump(5);
    expect(await heard(gateway.as(cashier).createQr(qr, under('k')))).toMatchObject({
      Amount: 500,
    });
    expect(bank.book).toHaveLength(1);
    expect(await findFaultsOnceWatched(opened)).toEqual([]);
    expect(await doubts(opened)).toEqual([]);
    await money.close();
  });

  it('is not sent to an idempotent bank after a day, because the bank may have forgotten the key', async () => {
    const opened = await open({ idempotent: true }, 'breaks after');
    const { money, cashier, gateway, clock, bank } = opened;
    await heard(gateway.as(cashier).createQr(qr, under('k')));
    clock.jump(24 * 60 * minutes);
    const repeat = await heard(gateway.as(cashier).createQr(qr, under('k')));
    expect(repeat).toMatchObject({ code: 'in_doubt' });
    expect(bank.asked).toHaveLength(1);
    await money.close();
  });

  it('works with a generated key', async () => {
    const opened = await open({}, 'breaks after');
    const { money, cashier, gateway } = opened;
    const { key = '' } = (await heard(gateway.as(cashier).createQr(qr))) as { key?: string };
    expect(key).not.toBe('');
    expect(await heard(gateway.as(cashier).createQr(qr, under(key)))).toMatchObject({
      code: 'in_doubt',
    });
    await money.close();
  });

  it('of an adopted request returns the current status', async () => {
    const opened = await open({}, 'breaks after');
    const { money, cashier, gateway, bank } = opened;
    await heard(gateway.as(cashier).createQr(qr, under('k')));
    await money.adoption.adopt(cashier, { id: '1001' });
    for (const made of bank.book) made.status = 'Processed';
    const repeat = await heard(gateway.as(cashier).createQr(qr, under('k')));
    expect(repeat).toMatchObject({ QrOperationId: '1001', Status: 'Processed' });
    expect(bank.asked).toHaveLength(1);
    await money.close();
  });

  it('waits while the request is being adopted, and does not fail with in_doubt', async () => {
    const world = await createWorld();
    const stored = createGate();
    const money = await openMoney(world, undefined, {
      seen: () => stored.pass(),
      notMade: async () => {},
      corrected: async () => {},
    });
    const cashier = await money.cashier();
    world.bank.deeds.push({ lateBy: 45_000 });
    const order = { ...qr, reference: 'order 7' };
    const asking = heard(money.gateway.as(cashier).createQr(order, under('k')));
    await world.clock.advance(10_000);
    expect(await asking).toEqual(unknown);
    await world.clock.advance(36_000);
    expect(await money.payments()).toMatchObject([{ id: '1001', state: 'open' }]);
    const again = heard(money.gateway.as(cashier).createQr(order, under('k')));
    stored.open();
    expect(await again).toMatchObject({ QrOperationId: '1001', Amount: 500 });
    await money.close();
  });

  it('of a refund a day later with the same key is a new refund', async () => {
    const opened = await open();
    const { money, cashier, gateway, clock } = opened;
    const order = { qrOperationId: Number(await paidQr(opened)), returnAmount: 20 };
    await gateway.as(cashier).refund(order, under('k'));
    clock.jump(25 * 60 * minutes);
    await gateway.as(cashier).refund(order, under('k'));
    const refunds = await collect(money.refunds.list());
    expect(refunds.map(({ id }) => id).sort()).toEqual(['1001', '1002']);
    await money.close();
  });

  it('of a refund a day later with the same key is recovered if its process dies', async () => {
    const opened = await open();
    const { world, money, cashier, gateway, clock, bank } = opened;
    await gateway.as(cashier).createQr(qr, under('k'));
    clock.jump(25 * 60 * minutes);
    bank.deeds.push({ lateBy: 1_000 });
    void gateway.as(cashier).createQr(qr, under('k'));
    await clock.settle();
    expect(bank.book).toHaveLength(2);
    await money.kill();
    const next = await openMoney(world);
    await next.resolver.recover();
    expect(await doubts({ money: next })).toMatchObject([{ key: 'k', amount: 500 }]);
    await next.close();
  });
});

describe('a full disk', () => {
  it('before the call causes an error, and nothing is sent', async () => {
    const opened = await open();
    const { money, cashier, gateway, bank } = opened;
    money.mortal.fault = 'ENOSPC';
    expect(await heard(gateway.as(cashier).createQr(qr, under('k')))).toEqual({
      code: 'storage_unavailable',
      key: 'k',
    });
    expect(bank.asked).toEqual([]);
    money.mortal.fault = undefined;
    await money.close();
  });

  /** Opens a gateway whose disk is full as soon as the bank has answered. */
  async function fullAfterwards(key: string) {
    const opened = await open({}, { lateBy: 1_000 });
    const { money, cashier, gateway, clock } = opened;
    const asking = heard(gateway.as(cashier).createQr(qr, under(key)));
    await clock.settle();
    money.mortal.fault = 'ENOSPC';
    await clock.advance(1_000);
    // The error must not suggest that nothing was done, because the client could then use a new key.
    const unstored = { code: 'storage_unavailable', outcome: 'unknown' };
    const error = (await asking) as { key: string };
    expect(error).toMatchObject(unstored);
    const repeat = heard(gateway.as(cashier).createQr(qr, under(error.key)));
    expect(await repeat).toMatchObject(unstored);
    money.mortal.fault = undefined;
    return { ...opened, made: error.key };
  }

  it.each(['k', ''])(
    'immediately after the answer causes no loss, and a repeat returns the answer (key %j)',
    async (key) => {
      const opened = await fullAfterwards(key);
      const { world, money, cashier, gateway, bank, made } = opened;
      const other = await heard(gateway.as(cashier).createQr({ amount: 9 }, under(made)));
      expect(other).toMatchObject({ code: 'conflict' });
      for (let repeat = 0; repeat < 2; repeat += 1) {
        const answer = await heard(gateway.as(cashier).createQr(qr, under(made)));
        expect(answer).toMatchObject({ QrOperationId: '1001' });
      }
      expect(bank.asked).toHaveLength(1);
      expect(await faultsOf(world, money)).toEqual([]);
      await money.close();
    },
  );

  it.each(['k', ''])(
    'immediately after the answer delays its storage until the next round (key %j)',
    async (key) => {
      const opened = await fullAfterwards(key);
      const { money, cashier, gateway, bank, made } = opened;
      await money.round();
      expect(await money.payments()).toMatchObject([{ id: '1001', state: 'open' }]);
      const answer = await heard(gateway.as(cashier).createQr(qr, under(made)));
      expect(answer).toMatchObject({ QrOperationId: '1001' });
      expect(bank.asked).toHaveLength(1);
      await money.close();
    },
  );

  it('during an operation with a repeated ID puts it in doubt when there is space again', async () => {
    const opened = await open({}, 'answers', { lateBy: 1_000 });
    const { world, money, cashier, gateway, clock, bank } = opened;
    await gateway.as(cashier).createQr(qr, under('first'));
    const asking = heard(gateway.as(cashier).createQr(qr, under('k')));
    await clock.settle();
    const [, second] = bank.book;
    bank.book.splice(1, 1, { ...(second as Operation), id: '1001' });
    money.mortal.fault = 'ENOSPC';
    await clock.advance(1_000);
    expect(await asking).toEqual(unknown);
    expect(await doubts(opened)).toEqual([]);
    money.mortal.fault = undefined;
    await money.round();
    expect(await doubts(opened)).toMatchObject([{ key: 'k' }]);
    world.logged.length = 0;
    await money.round();
    expect(world.logged.filter(({ level }) => level === 'error')).toEqual([]);
    await money.close();
  });
});

describe('two operations with the same ID', () => {
  it('of two organizations are both watched, and both have events', async () => {
    const opened = await open();
    const { world, money, cashier, gateway, clock, bank } = opened;
    await money.watcher.start();
    await gateway.as(cashier).createQr(qr);
    await gateway.as(await money.cashier(2)).createQr(qr);
    for (const made of bank.book) made.status = 'Processed';
    await clock.advance(4_000);
    expect([...world.events.keys()].sort()).toEqual([
      '1-qr-1001-payment.success',
      '2-qr-1001-payment.success',
    ]);
    expect(await findFaults(world, money)).toEqual([]);
    await money.close();
  });

  it('of one organization put the second one in doubt and log an error', async () => {
    const opened = await open({}, 'answers', 'repeats an id');
    const { world, money, cashier, gateway } = opened;
    await gateway.as(cashier).createQr(qr, under('first'));
    expect(await heard(gateway.as(cashier).createQr(qr, under('k')))).toEqual(unknown);
    expect(await doubts(opened)).toMatchObject([{ key: 'k' }]);
    const errors = world.logged.filter(({ level }) => level === 'error').map(({ msg }) => msg);
    expect(errors.join()).toContain('the ID of a stored payment');
    await money.close();
  });
});

it('a payment with a different amount is stored as unknown and sends no event', async () => {
  const opened = await open({}, { makes: 5 });
  const { world, money, cashier, gateway, bank, clock } = opened;
  await money.watcher.start();
  await gateway.as(cashier).createQr(qr, under('k'));
  for (const made of bank.book) made.status = 'Processed';
  await clock.advance(10_000);
  expect(await money.payments()).toMatchObject([{ state: 'unknown', reason: 'other_amount' }]);
  expect(world.events.size).toBe(0);
  await money.close();
});

describe('a refund', () => {
  it.each<[Deed, object[], object[]]>([
    ['answers', [{ outcome: 'success', amount: 20, paymentId: '1001', id: '1001' }], []],
    ['refuses', [{ outcome: 'failed', amount: 20, paymentId: '1001' }], []],
    ['breaks after', [], [{ kind: 'refund', paymentId: '1001', amount: 20 }]],
  ])('is stored if the bank %s', async (deed, records, inDoubt) => {
    const opened = await open();
    const { money, cashier, gateway, bank } = opened;
    const id = await paidQr(opened);
    bank.deeds.push(deed);
    await heard(gateway.as(cashier).refund({ qrOperationId: Number(id), returnAmount: 20 }));
    expect(await collect(money.refunds.list())).toMatchObject(records);
    expect(await doubts(opened)).toMatchObject(inDoubt);
    await money.close();
  });

  it('in doubt is not listed as failed if its repeat is refused', async () => {
    const opened = await open({ idempotent: true });
    const { money, cashier, gateway, bank } = opened;
    const order = { qrOperationId: Number(await paidQr(opened)), returnAmount: 20 };
    bank.deeds.push('breaks before', 'refuses');
    await heard(gateway.as(cashier).refund(order, under('k')));
    const repeat = await heard(gateway.as(cashier).refund(order, under('k')));
    expect(repeat).toMatchObject({ code: 'refused' });
    expect(await collect(money.refunds.list())).toEqual([]);
    expect(await doubts(opened)).toHaveLength(1);
    await money.close();
  });

  it('without an ID is not mistaken for another refund with the same amount', async () => {
    const opened = await open({ hasRefundIds: false });
    const { money, cashier, gateway, bank } = opened;
    const order = { qrOperationId: Number(await paidQr(opened)), returnAmount: 20 };
    await gateway.as(cashier).refund(order, under('first'));
    bank.deeds.push('breaks before');
    await heard(gateway.as(cashier).refund(order, under('k')));
    await rounds(opened, 4);
    expect(await doubts(opened)).toHaveLength(1);
    expect(await collect(money.refunds.list())).toHaveLength(1);
    await money.close();
  });
});
