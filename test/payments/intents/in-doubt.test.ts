import { describe, expect, it } from 'vitest';
import { providerDay } from '../../../src/payments/zoned-time.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';
import { collect } from '../payments-under-test.js';
import type { Operation } from './money-bank.js';
import {
  bill,
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
import { openMoney, under, zone } from './money-under-test.js';

describe('a request in doubt', () => {
  it('is looked up by its key if the bank supports that', async () => {
    const opened = await open({ lookup: true }, 'breaks after');
    const { world, money, cashier, gateway } = opened;
    await heard(gateway.as(cashier).createQr(qr, under('k')));
    await money.round();
    expect(await doubts(opened)).toEqual([]);
    expect(await findFaultsOnceWatched(opened)).toEqual([]);
    expect(world.events.size).toBe(1);
    await money.close();
  });

  it.each([
    [undefined, 15 * minutes],
    [150, 2.5 * minutes],
  ])(
    'is closed as never made when lookups have found nothing for the horizon (%s s)',
    async (lookupHorizon, horizon) => {
      const opened = await open({ lookup: true, lookupHorizon }, 'breaks before');
      const { money, cashier, gateway, clock, bank } = opened;
      await heard(gateway.as(cashier).createInvoice(bill, under('k')));
      await money.round();
      clock.jump(horizon - 1_000);
      await money.round();
      expect(await doubts(opened)).toHaveLength(1);
      clock.jump(2 * minutes);
      await money.round();
      expect(await doubts(opened)).toEqual([]);
      // The key can be used for a new request.
      bank.deeds.push('breaks before');
      expect(await heard(gateway.as(cashier).createInvoice(bill, under('k')))).toEqual(unknown);
      await money.round();
      expect(await doubts(opened)).toHaveLength(1);
      await money.close();
    },
  );

  it('is adopted if the bank executes it late from a queue', async () => {
    const opened = await open({ lookup: true }, { queuedFor: 150_000 });
    const { money, cashier, gateway, clock } = opened;
    await heard(gateway.as(cashier).createInvoice(bill, under('k')));
    for (let round = 0; round < 6; round += 1) {
      await money.round();
      await clock.advance(30_000);
    }
    clock.jump(2 * minutes);
    await money.round();
    expect(await doubts(opened)).toEqual([]);
    expect(await money.payments()).toMatchObject([{ type: 'invoice', id: '1001', state: 'open' }]);
    await money.close();
  });

  it.each([true, false])(
    'is adopted by the reconciliation and logged as an error if it is proven after it was closed (lookup: %s)',
    async (lookup) => {
      const opened = await open({ lookup, hasKeysInHistory: true }, { queuedFor: 32 * minutes });
      const { world, money, cashier, gateway, clock } = opened;
      await heard(gateway.as(cashier).createQr(qr, under('k')));
      await money.round();
      clock.jump(lookup ? 16 * minutes : 31 * minutes);
      await money.round();
      const closed = lookup ? 'not_made' : 'abandoned';
      expect(await collect(money.intents.list(closed))).toMatchObject([{ key: 'k' }]);
      await clock.advance(33 * minutes);
      const day = providerDay(clock.now(), zone);
      await money.reconcile(cashier, day, new AbortController().signal);
      expect(await collect(money.intents.list('adopted'))).toMatchObject([{ key: 'k' }]);
      expect(await money.payments()).toMatchObject([{ id: '1001', state: 'open' }]);
      const errors = world.logged.filter(({ level }) => level === 'error').map(({ msg }) => msg);
      expect(errors.join()).toContain('closed as never made');
      expect((await money.lines()).map(({ kind, outcome }) => `${kind} ${outcome}`)).toEqual([
        'qr unknown',
        'settled failed',
        'settled success',
      ]);
      await money.close();
    },
  );

  it.each([0, 14 * minutes, -14 * minutes])(
    'is adopted if the history of a bank whose clock is %d ms ahead contains its key',
    async (skew) => {
      const opened = await open({ hasKeysInHistory: true }, 'breaks after');
      const { money, cashier, gateway, bank } = opened;
      bank.skew = skew;
      await heard(gateway.as(cashier).createInvoice(bill));
      await rounds(opened, 1);
      expect(await doubts(opened)).toEqual([]);
      expect(await money.payments()).toMatchObject([
        { id: '1001', type: 'invoice', state: 'open' },
      ]);
      await money.close();
    },
  );

  it('has a similar operation as a candidate, with both times, and is not settled', async () => {
    const opened = await open({}, 'breaks after');
    const { money, cashier, gateway } = opened;
    await heard(gateway.as(cashier).createInvoice(bill));
    await rounds(opened, 30);
    const [doubt] = await doubts(opened);
    expect(doubt?.candidates).toEqual([
      { id: '1001', amount: 7, madeAt: doubt?.createdAt, status: 'RemotePaymentCreated' },
    ]);
    expect(await money.payments()).toEqual([]);
    await money.close();
  });

  it('is not settled by an operation of another gateway with the same type, profile and amount', async () => {
    const here = await open();
    const { world, money, cashier, gateway, bank } = here;
    const there = await openMoney({ ...world, data: await makeTempFolder() });
    await there.gateway.as(await there.cashier(1, 2)).createQr(qr);
    for (const made of bank.book) made.status = 'Processed';
    bank.deeds.push('breaks before');
    await heard(gateway.as(cashier).createQr({ ...qr, reference: 'order' }, under('k')));
    await money.watcher.start();
    await rounds(here, 30);
    await world.clock.advance(60_000);
    expect(await money.payments()).toEqual([]);
    expect([...world.events.keys()]).toEqual([]);
    await there.close();
    await money.close();
  });

  it('for a refund is adopted by its key in the list of returns, or has the return as a candidate', async () => {
    for (const hasKeysInHistory of [true, false]) {
      const opened = await open({ hasKeysInHistory });
      const { money, cashier, gateway, bank } = opened;
      const order = { qrOperationId: Number(await paidQr(opened)), returnAmount: 20 };
      bank.deeds.push('breaks after');
      await heard(gateway.as(cashier).refund(order, under('k')));
      await rounds(opened, 3);
      const [doubt] = await doubts(opened);
      const refunds = await collect(money.refunds.list());
      if (hasKeysInHistory) expect(refunds).toMatchObject([{ id: '1001', outcome: 'success' }]);
      else expect(doubt?.candidates).toMatchObject([{ id: '1001', amount: 20, status: null }]);
      expect(refunds).toHaveLength(hasKeysInHistory ? 1 : 0);
      await money.close();
    }
  });

  it('for a refund is settled by a person who specifies the return', async () => {
    const opened = await open();
    const { money, cashier, gateway, bank } = opened;
    const id = await paidQr(opened);
    const order = { qrOperationId: Number(id), returnAmount: 20 };
    bank.deeds.push('breaks after');
    await heard(gateway.as(cashier).refund(order, under('k')));
    const foreign = { kind: 'refund', organizationId: 1, profileId: 1, amount: 20 } as const;
    bank.makeForeign({ ...foreign, paymentId: id });
    for (const [index, number] of [5001, 5002].entries()) {
      bank.book.splice(index + 1, 1, { ...(bank.book[index + 1] as Operation), id: `${number}` });
    }
    const [doubt] = await doubts(opened);
    const adopt = (wanted: string) =>
      money.adoption.adopt(cashier, { id: wanted, intentId: doubt?.id });
    for (const other of [id, '7']) {
      await expect(adopt(other)).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(await money.adoption.adopt(cashier, { id })).toMatchObject({ settled: [] });
    expect(await adopt('5001')).toMatchObject({ isNew: false, settled: [{ state: 'adopted' }] });
    expect(await collect(money.refunds.list())).toMatchObject([{ id: '5001', outcome: 'success' }]);
    await money.close();
  });

  it('stays in doubt if the bank lists two operations with its key', async () => {
    const opened = await open({ hasKeysInHistory: true }, 'breaks after');
    const { money, cashier, gateway, bank } = opened;
    await heard(gateway.as(cashier).createQr(qr, under('k')));
    bank.book.push({ ...(bank.book[0] as Operation), id: '1002' });
    await rounds(opened, 3);
    expect(await money.payments()).toEqual([]);
    expect(await doubts(opened)).toMatchObject([{ candidates: [{ id: '1002' }, { id: '1001' }] }]);
    await money.close();
  });

  describe('for a QR code that no client received', () => {
    it.each([
      ['the wall clock does not change', 0],
      ['the wall clock is set ahead by 2 years', 2 * 365 * 24 * 60 * minutes],
      ['the wall clock is set back by a day', -24 * 60 * minutes],
    ])('is closed as abandoned after 30 minutes if %s', async (_, step) => {
      const opened = await open({}, 'breaks before');
      const { money, cashier, gateway, clock, bank } = opened;
      await heard(gateway.as(cashier).createQr(qr, under('k')));
      clock.stepWallClock(step);
      await money.round();
      clock.jump(29 * minutes);
      await money.round();
      expect(await doubts(opened)).toHaveLength(1);
      clock.jump(4 * minutes);
      await money.round();
      expect(await doubts(opened)).toEqual([]);
      expect(await collect(money.intents.list('abandoned'))).toMatchObject([{ key: 'k' }]);
      // The key is free again.
      expect(await heard(gateway.as(cashier).createQr(qr, under('k')))).toMatchObject({
        QrOperationId: '1001',
      });
      expect(bank.book).toHaveLength(1);
      await money.close();
    });

    it('is closed as abandoned even while the bank is unavailable', async () => {
      const opened = await open({ lookup: true }, 'breaks before');
      const { money, cashier, gateway, clock, bank } = opened;
      await heard(gateway.as(cashier).createQr(qr, under('k')));
      bank.isAway = true;
      await money.round();
      clock.jump(31 * minutes);
      await money.round();
      expect(await collect(money.intents.list('abandoned'))).toMatchObject([{ key: 'k' }]);
      await money.close();
    });

    it('is closed automatically, while an invoice or a refund requires a person’s decision', async () => {
      const opened = await open();
      const { money, cashier, gateway, bank } = opened;
      const order = { qrOperationId: Number(await paidQr(opened)), returnAmount: 20 };
      bank.deeds.push('breaks before', 'breaks before');
      await heard(gateway.as(cashier).refund(order));
      await heard(gateway.as(cashier).createInvoice(bill));
      await rounds(opened, 40);
      expect(await doubts(opened)).toHaveLength(2);
      await money.close();
    });
  });

  it('is not similar to an operation that was made 16 minutes earlier', async () => {
    const opened = await open({}, 'breaks after');
    opened.bank.skew = -16 * minutes;
    await heard(opened.gateway.as(opened.cashier).createQr(qr));
    await rounds(opened, 3);
    expect(await doubts(opened)).toMatchObject([{ amount: 500 }]);
    expect((await doubts(opened))[0]?.candidates).toBeUndefined();
    expect(await opened.money.payments()).toEqual([]);
    await opened.money.close();
  });

  it('is settled by a person who chooses among several candidates', async () => {
    const opened = await open({}, 'breaks after', 'breaks before', 'breaks after');
    const { money, cashier, gateway, clock, bank } = opened;
    for (const key of ['a', 'b', 'c']) {
      await heard(gateway.as(cashier).createQr(qr, under(key)));
      clock.jump(5);
    }
    await rounds(opened, 3);
    const [first, second, third] = (await doubts(opened)).sort((a, b) => (a.key < b.key ? -1 : 1));
    expect(first?.candidates).toMatchObject([{ id: '1002' }, { id: '1001' }]);
    const adopting = money.adoption.adopt(cashier, { id: '1001' });
    await expect(adopting).rejects.toMatchObject({ code: 'conflict' });
    await money.adoption.adopt(cashier, { id: '1001', intentId: first?.id });
    await money.adoption.closeIntent(second?.id ?? '', 'operator');
    await money.adoption.adopt(cashier, { id: '1002' });
    expect(await doubts(opened)).toEqual([]);
    expect(await money.intents.find(third?.id ?? '')).toMatchObject({ operationId: '1002' });
    expect(await findFaultsOnceWatched(opened)).toEqual([]);
    expect(bank.book).toHaveLength(2);
    await money.close();
  });

  it('is not settled by the operation of a similar request in progress', async () => {
    const opened = await open({}, 'breaks before', { lateBy: 9_000 });
    const { world, money, cashier, gateway, clock } = opened;
    await heard(gateway.as(cashier).createQr(qr, under('a')));
    const asking = heard(gateway.as(cashier).createQr(qr, under('b')));
    await clock.settle();
    for (let round = 0; round < 5; round += 1) {
      await money.round();
      await clock.advance(2_000);
    }
    expect(await asking).toMatchObject({ QrOperationId: '1001' });
    expect(await doubts(opened)).toMatchObject([{ key: 'a' }]);
    expect(await faultsOf(world, money)).toEqual([]);
    await money.close();
  });

  it('ignores an answer about an operation that is not the proven one', async () => {
    const opened = await open({ hasKeysInHistory: true }, 'breaks after');
    const { money, cashier, gateway, bank } = opened;
    await heard(gateway.as(cashier).createQr(qr));
    bank.said.set('1001', { StatusCode: 0, Data: { QrOperationId: 77, Amount: 500, Status: 'X' } });
    await rounds(opened, 3);
    expect(await money.payments()).toEqual([]);
    bank.said.set('1001', { StatusCode: 0, Data: { Amount: 500, Status: 'QrTokenCreated' } });
    await rounds(opened, 1);
    expect(await money.payments()).toMatchObject([{ id: '1001', state: 'open' }]);
    await money.close();
  });

  it('keeps the session of a cashier who has logged out', async () => {
    const opened = await open({ hasKeysInHistory: true }, 'breaks after');
    const { money, cashier, gateway, bank } = opened;
    await heard(gateway.as(cashier).createQr(qr));
    await money.sessions.logOut(cashier);
    expect(bank.ended).toEqual([]);
    await rounds(opened, 3);
    expect(await money.payments()).toMatchObject([{ id: '1001' }]);
    for (const made of bank.book) made.status = 'Processed';
    await money.watcher.start();
    await opened.clock.advance(4_000);
    await money.sessions.eraseEnded();
    expect(bank.ended).toEqual(['1-1']);
    await money.close();
  });

  it('is settled by a person who specifies a payment that is already stored', async () => {
    const opened = await open({ idempotent: true }, 'breaks after');
    const { money, cashier, gateway, clock } = opened;
    await heard(gateway.as(cashier).createQr(qr, under('k')));
    // This makes the payment older than its intent.
    clock.stepWallClock(-3_600_000);
    const { stores } = money;
    const [doubt] = await doubts(opened);
    if (!doubt) throw new Error('Nothing is in doubt.');
    const { adopt } = money.adoption;
    await adopt(cashier, { id: '1001', intentId: doubt.id });
    await stores.intents.add(doubt);
    expect(await adopt(cashier, { id: '1001', type: 'qr' })).toMatchObject({
      isNew: false,
      settled: [{ state: 'adopted', operationId: '1001' }],
    });
    await money.close();
  });
});
