import { describe, expect, it } from 'vitest';
import { createRecovered } from '../../../src/payments/intents/recovered.js';
import { followReferences } from '../../../src/payments/payment-follower.js';
import type { ProviderAnswer } from '../../../src/payments/providers/provider.js';
import { pageRefunds } from '../../../src/payments/record-pages.js';
import { providerDay } from '../../../src/payments/zoned-time.js';
import { collect } from '../payments-under-test.js';
import type { Deed, Operation } from './money-bank.js';
import {
  bill,
  doubts,
  faultsOf,
  heard,
  minutes,
  type Opened,
  open,
  paidQr,
  qr,
  rounds,
  unknown,
} from './money-requests.js';
import { under, zone } from './money-under-test.js';

const refundsOf = ({ money }: Opened) => collect(money.refunds.list());
const errorsOf = ({ world }: Opened) =>
  world.logged.filter(({ level }) => level === 'error').map(({ msg }) => String(msg));

/** Requests a refund of 20. The bank answers 45 s after the client has received an error. */
async function refundLate(opened: Opened) {
  const { gateway, cashier, clock, bank } = opened;
  const qrOperationId = Number(await paidQr(opened));
  bank.deeds.push({ lateBy: 55_000 });
  const refund = () =>
    heard(gateway.as(cashier).refund({ qrOperationId, returnAmount: 20 }, under('k')));
  const asking = refund();
  await clock.advance(10_000);
  expect(await asking).toEqual(unknown);
  const [doubt] = await doubts(opened);
  return { refund, id: doubt?.id ?? '', qrOperationId };
}

describe('while the bank can still answer', () => {
  it('a person can neither close nor adopt a request', async () => {
    const opened = await open();
    const { money, cashier, clock } = opened;
    const { id } = await refundLate(opened);
    const refusal = { code: 'conflict', message: expect.stringContaining('may still answer') };
    await expect(money.adoption.closeIntent(id, 'operator')).rejects.toMatchObject(refusal);
    const adopting = money.adoption.adopt(cashier, { id: '1001', intentId: id });
    await expect(adopting).rejects.toMatchObject(refusal);
    await clock.advance(46_000);
    expect(await doubts(opened)).toEqual([]);
    expect(await refundsOf(opened)).toMatchObject([{ outcome: 'success', amount: 20 }]);
    await money.close();
  });

  it('a payment is not adopted, even if only one request is similar to it', async () => {
    const opened = await open({}, { lateBy: 200_000 });
    const { money, cashier, gateway, clock, bank } = opened;
    const asking = heard(gateway.as(cashier).createQr(qr, under('k')));
    await clock.advance(10_000);
    await asking;
    const { id } = bank.makeForeign({ ...qr, kind: 'qr', organizationId: 1, profileId: 2 });
    await expect(money.adoption.adopt(cashier, { id })).rejects.toMatchObject({ code: 'conflict' });
    await clock.advance(61_000);
    expect(await money.adoption.adopt(cashier, { id })).toMatchObject({ isNew: true });
    await money.close();
  });

  it('lookups that find nothing do not close the request', async () => {
    const opened = await open({ lookup: true, lookupHorizon: 0 }, { queuedFor: 30_000 });
    const { money, cashier, gateway, clock, bank } = opened;
    bank.deeds.unshift({ refusesLateBy: 55_000 });
    const asking = heard(gateway.as(cashier).createInvoice(bill, under('k')));
    await clock.advance(10_000);
    await asking;
    await money.round();
    expect(await doubts(opened)).toHaveLength(1);
    await clock.advance(61_000);
    await money.round();
    expect(await doubts(opened)).toEqual([]);
    await money.close();
  });
});

describe('a late answer that follows a person’s decision', () => {
  it('adopts a refund that was closed as never made', async () => {
    const opened = await open();
    const { id } = await refundLate(opened);
    opened.clock.stepWallClock(2 * minutes);
    await opened.money.adoption.closeIntent(id, 'operator');
    await opened.clock.advance(46_000);
    expect(await refundsOf(opened)).toMatchObject([{ outcome: 'success', amount: 20 }]);
    expect(await faultsOf(opened.world, opened.money)).toEqual([]);
    expect(errorsOf(opened).join()).toContain('closed as never made');
    await opened.money.close();
  });

  it('is stored in addition to a refund that was made later with the same key', async () => {
    const opened = await open();
    const { refund, id, qrOperationId } = await refundLate(opened);
    const { money, gateway, cashier, clock, bank } = opened;
    clock.stepWallClock(2 * minutes);
    await money.adoption.closeIntent(id, 'operator');
    clock.jump(5);
    expect(await refund()).toMatchObject({ ReturnAmount: 20 });
    // The late answer belongs to the first refund.
    bank.book.splice(2, 1, { ...(bank.book[2] as Operation), key: 'second' });
    await clock.advance(46_000);
    expect((await refundsOf(opened)).map((each) => [each.id, each.amount]).sort()).toEqual([
      ['1001', 20],
      ['1002', 20],
    ]);
    expect(errorsOf(opened).join()).toContain('Both refunds are stored and counted');
    const rest = { qrOperationId, returnAmount: 461 };
    expect(await heard(gateway.as(cashier).refund(rest, under('rest')))).toMatchObject({
      code: 'refused',
    });
    await money.close();
  });

  it('is logged as an error if another operation was adopted', async () => {
    const opened = await open({}, { lateBy: 55_000 });
    const { money, cashier, gateway, clock, bank } = opened;
    const asking = heard(gateway.as(cashier).createQr(qr, under('k')));
    await clock.advance(10_000);
    await asking;
    const { id } = bank.makeForeign({ ...qr, kind: 'qr', organizationId: 1, profileId: 2 });
    clock.stepWallClock(2 * minutes);
    await money.adoption.adopt(cashier, { id });
    await clock.advance(46_000);
    expect((await money.payments()).map((each) => each.id).sort()).toEqual(['1001', '1002']);
    expect(errorsOf(opened).join()).toContain('settled with a different operation');
    await money.close();
  });
});

describe('the answer to a refund', () => {
  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['a different amount', { Id: '7', ReturnAmount: 19 }],
    ['a negative amount', { Id: '7', ReturnAmount: -20 }],
    ['an unreadable amount', { Id: '7', ReturnAmount: '2e1' }],
    ['another currency', { Id: '7', ReturnAmount: 20, Currency: 'KGS' }],
    ['another payment', { Id: '7', ReturnAmount: 20, QrOperationId: 9 }],
  ])('with %s leaves the refund in doubt with the requested amount', async (_, says) => {
    const opened = await open();
    const { money, gateway, cashier, bank } = opened;
    const qrOperationId = Number(await paidQr(opened));
    bank.deeds.push({ says });
    const refund = (returnAmount: number, key: string) =>
      heard(gateway.as(cashier).refund({ qrOperationId, returnAmount }, under(key)));
    expect(await refund(20, 'k')).toEqual(unknown);
    expect(await doubts(opened)).toMatchObject([{ kind: 'refund', amount: 20 }]);
    expect(await refundsOf(opened)).toEqual([]);
    expect(await refund(481, 'l')).toMatchObject({ code: 'refused' });
    await money.close();
  });

  it('can contain the other ID of the payment', async () => {
    const opened = await open({ hasTwoIds: true });
    const { money, gateway, cashier, bank } = opened;
    await gateway.as(cashier).createInvoice(bill);
    bank.deeds.push({ says: { Id: '9', ReturnAmount: 7, QrOperationId: '71001' } });
    const refund = { qrOperationId: 1001, returnAmount: 7 };
    expect(await heard(gateway.as(cashier).refund(refund, under('k')))).toMatchObject({ Id: '9' });
    expect(await refundsOf(opened)).toMatchObject([{ id: '9', outcome: 'success' }]);
    await money.close();
  });

  it('that refuses an earlier attempt is not listed as failed while a later attempt is in doubt', async () => {
    const opened = await open({}, 'answers', 'refuses', 'breaks after');
    const { money, gateway, cashier, clock } = opened;
    const order = { qrOperationId: Number(await paidQr(opened)), returnAmount: 20 };
    const refund = () => heard(gateway.as(cashier).refund(order, under('k')));
    const listed = async () => {
      return (await pageRefunds(money, { limit: 9 })).rows.map(({ outcome }) => outcome);
    };
    expect(await refund()).toMatchObject({ code: 'refused' });
    expect(await listed()).toEqual(['failed']);
    clock.jump(5);
    expect(await refund()).toEqual(unknown);
    expect(await listed()).toEqual([null]);
    await money.close();
  });

  it('with the ID of a different refund leaves the refund in doubt', async () => {
    const opened = await open();
    const { money, gateway, cashier, bank } = opened;
    const qrOperationId = Number(await paidQr(opened));
    const order = { qrOperationId, returnAmount: 20 };
    await gateway.as(cashier).refund(order, under('a'));
    bank.deeds.push('repeats an id');
    expect(await heard(gateway.as(cashier).refund(order, under('k')))).toEqual(unknown);
    expect(await refundsOf(opened)).toMatchObject([{ id: '1001' }]);
    expect(await doubts(opened)).toMatchObject([{ key: 'k' }]);
    expect(errorsOf(opened).join()).toContain('the ID of a stored refund');
    await money.close();
  });

  it('with the ID of an older refund with the same key is stored as that refund', async () => {
    const opened = await open({ idempotent: true });
    const { money, gateway, cashier, clock } = opened;
    const order = { qrOperationId: Number(await paidQr(opened)), returnAmount: 20 };
    await gateway.as(cashier).refund(order, under('k'));
    clock.jump(25 * 60 * minutes);
    expect(await heard(gateway.as(cashier).refund(order, under('k')))).toMatchObject({
      Id: '1001',
    });
    expect(await refundsOf(opened)).toMatchObject([{ id: '1001' }]);
    expect(await doubts(opened)).toEqual([]);
    await money.close();
  });
});

describe('a refund of an unpaid payment', () => {
  it('is rejected until the bank reports the payment as paid', async () => {
    const opened = await open();
    const { money, gateway, cashier, bank, clock } = opened;
    const id = await paidQr(opened);
    const [made] = bank.book;
    if (made) made.status = 'Expired';
    await money.watcher.start();
    await clock.advance(4_000);
    expect(await money.payments()).toMatchObject([{ outcome: 'expired' }]);
    const order = { qrOperationId: Number(id), returnAmount: 20 };
    await expect(gateway.as(cashier).refund(order, under('k'))).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('was not paid (expired)'),
    });
    expect(bank.asked.map(({ name }) => name)).toEqual(['createQr']);
    if (made) made.status = 'Processed';
    await gateway.as(cashier).qrStatus(id);
    expect(await heard(gateway.as(cashier).refund(order, under('k')))).toMatchObject({
      ReturnAmount: 20,
    });
    await money.close();
  });
});

it('an unpaid invoice does not increase the refundable amount of a QR payment with the same ID', async () => {
  const opened = await open();
  const { money, gateway, cashier, bank, clock } = opened;
  await gateway.as(cashier).createInvoice(bill);
  const [invoice] = bank.book;
  if (invoice) invoice.status = 'RemotePaymentRejected';
  const id = await paidQr(opened, 5);
  expect(id).toBe(invoice?.id);
  await money.watcher.start();
  await clock.advance(4_000);
  const order = { qrOperationId: Number(id), returnAmount: 5.01 };
  await expect(gateway.as(cashier).refund(order)).rejects.toMatchObject({ code: 'refused' });
  await gateway.as(cashier).refund({ ...order, returnAmount: 5 });
  await money.close();
});

describe('a person who adopts an operation', () => {
  const adopting = async (deed: Deed = 'breaks after') => {
    const opened = await open({}, deed);
    await heard(
      opened.gateway.as(opened.cashier).createQr({ ...qr, reference: 'order' }, under('k')),
    );
    const [doubt] = await doubts(opened);
    const adopt = (id: string, more: { type?: 'qr' | 'invoice'; intentId?: string } = {}) =>
      opened.money.adoption.adopt(opened.cashier, { id, ...more });
    return { ...opened, adopt, intentId: doubt?.id ?? '' };
  };
  const conflict = (text: string) => ({
    code: 'conflict',
    message: expect.stringContaining(text),
  });

  it('cannot choose an operation with a different amount or type', async () => {
    const { money, bank, adopt, intentId } = await adopting('breaks before');
    const like = { organizationId: 1, profileId: 2 } as const;
    const small = bank.makeForeign({ ...like, kind: 'qr', amount: 499 });
    const invoice = bank.makeForeign({ ...like, kind: 'invoice', ...bill, clientPhone: '7701' });
    bank.book.splice(1, 1, { ...(bank.book[1] as Operation), id: '2001' });
    await expect(adopt(small.id, { intentId })).rejects.toMatchObject(conflict('it is for 499'));
    expect(invoice.kind).toBe('invoice');
    await expect(adopt('2001', { intentId })).rejects.toMatchObject(conflict('it is an invoice'));
    expect(await money.payments()).toEqual([]);
    await money.close();
  });

  it('cannot choose an operation that is stored for another request', async () => {
    const { money, gateway, cashier, adopt, intentId } = await adopting('breaks before');
    const made = await heard(gateway.as(cashier).createQr(qr, under('other')));
    const { QrOperationId } = made as { QrOperationId: string };
    await expect(adopt(QrOperationId, { intentId })).rejects.toMatchObject(
      conflict('is already stored and does not belong to intent'),
    );
    await money.close();
  });

  it('can write the ID of a stored payment with leading zeros', async () => {
    const { money, adopt } = await adopting();
    await adopt('001001');
    expect(await money.payments()).toMatchObject([{ id: '1001' }]);
    expect(await adopt('01001')).toMatchObject({ isNew: false, payment: { id: '1001' } });
    await money.close();
  });

  it.each<[string, ProviderAnswer | undefined, string]>([
    ['the bank reports its type', undefined, 'The bank reports operation 1001 as a QR payment'],
    [
      'the bank does not report its type',
      { StatusCode: 0, Data: { Amount: 500, Status: 'Processed' } },
      'is already stored as a QR payment',
    ],
  ])('cannot store a payment again as an invoice if %s', async (_, said, words) => {
    const { money, bank, adopt } = await adopting();
    await adopt('1001');
    const { Data } = await bank.qrStatus(
      { session: { tokenSN: '1-1', secret: '' }, qrOperationId: '1001' },
      { signal: new AbortController().signal },
    );
    bank.said.set('1001', said ?? { StatusCode: 0, Data });
    await expect(adopt('1001', { type: 'invoice' })).rejects.toMatchObject(conflict(words));
    expect(await money.payments()).toHaveLength(1);
    await money.close();
  });

  it('can settle a refund with a return of a different amount, which is then stored', async () => {
    const opened = await open();
    const { money, gateway, cashier, bank } = opened;
    const id = await paidQr(opened);
    bank.deeds.push({ makes: 19 });
    const order = { qrOperationId: Number(id), returnAmount: 20 };
    expect(await heard(gateway.as(cashier).refund(order, under('k')))).toEqual(unknown);
    const [doubt] = await doubts(opened);
    await rounds(opened, 2);
    expect(await doubts(opened)).toHaveLength(1);
    bank.book.splice(1, 1, { ...(bank.book[1] as Operation), id: '5001' });
    const adopt = (wanted: string) =>
      money.adoption.adopt(cashier, { id: wanted, intentId: doubt?.id });
    await expect(adopt(id)).rejects.toMatchObject({
      code: 'not_found',
      hint: expect.stringMatching(/--intent [0-9a-f]{24}: 5001 \(19/),
    });
    await adopt('5001');
    expect(await refundsOf(opened)).toMatchObject([{ id: '5001', amount: 19 }]);
    expect(await doubts(opened)).toEqual([]);
    await money.close();
  });
});

it('a late refusal does not close a request while the bank can still answer its repeat', async () => {
  const opened = await open({ idempotent: true }, { refusesLateBy: 65_000 });
  const { money, gateway, cashier, clock, bank } = opened;
  const ask = () => heard(gateway.as(cashier).createInvoice(bill, under('k')));
  const first = ask();
  await clock.advance(26_000);
  expect(await first).toEqual(unknown);
  bank.deeds.push({ makesLateBy: 45_000 });
  const second = ask();
  await clock.advance(10_000);
  expect(await second).toEqual(unknown);
  await clock.advance(30_000);
  expect(await doubts(opened)).toHaveLength(1);
  await clock.advance(6_000);
  expect(await doubts(opened)).toEqual([]);
  expect((await money.lines()).map(({ kind, outcome }) => `${kind} ${outcome}`)).toEqual([
    'invoice unknown',
    'invoice unknown',
    'settled success',
  ]);
  expect(await faultsOf(opened.world, money)).toEqual([]);
  await money.close();
});

it('an attempt that died while waiting for another attempt is not in doubt after that one is adopted', async () => {
  const opened = await open({ hasKeysInHistory: true });
  const { money, gateway, cashier, clock, bank } = opened;
  const order = { qrOperationId: Number(await paidQr(opened)), returnAmount: 20 };
  bank.deeds.push('breaks after');
  await heard(gateway.as(cashier).refund(order, under('k')));
  const [doubt] = await doubts(opened);
  if (!doubt) throw new Error('Nothing is in doubt.');
  const repeat = { ...doubt, createdAt: doubt.createdAt + 5 };
  clock.jump(10);
  await rounds(opened, 1);
  expect(await doubts(opened)).toEqual([]);
  clock.jump(25 * 60 * minutes);
  const follower = followReferences(undefined);
  const recovered = createRecovered({ stores: money.stores, clock, follower });
  expect(await recovered({ id: doubt.id, record: repeat })).toMatchObject({ outcome: 'success' });
  expect(await doubts(opened)).toEqual([]);
  // The key has expired, so a later request with it may have made a different operation.
  const later = { ...doubt, createdAt: clock.now() };
  expect(await recovered({ id: doubt.id, record: later })).toMatchObject({ outcome: 'unknown' });
  expect(await doubts(opened)).toHaveLength(1);
  await money.close();
});

it('closing a request does not hide a refund that is stored as made', async () => {
  const opened = await open();
  const { money, gateway, cashier } = opened;
  const order = { qrOperationId: Number(await paidQr(opened)), returnAmount: 20 };
  await gateway.as(cashier).refund(order, under('k'));
  const [made] = await refundsOf(opened);
  const { intentId: id = '', createdAt = 0 } = made ?? {};
  const other = { kind: 'refund', key: 'k', body: '', state: 'in_doubt', amount: 20 } as const;
  const facts = {
    organizationId: 1,
    profileId: 1,
    sessionId: 's',
    cashier: '7',
    paymentId: '1001',
  };
  await money.stores.intents.add({ ...other, ...facts, id, createdAt: createdAt + 5 });
  await money.adoption.closeIntent(id, 'operator');
  expect(await refundsOf(opened)).toEqual([made]);
  await money.close();
});

it('a comparison that checks a closed request detects that the session has ended', async () => {
  const opened = await open({ lookup: true }, 'breaks before');
  const { world, money, gateway, cashier, clock, bank } = opened;
  await heard(gateway.as(cashier).createInvoice(bill, under('k')));
  await money.round();
  clock.jump(16 * minutes);
  await money.round();
  expect(await collect(money.intents.list('not_made'))).toHaveLength(1);
  bank.ended.push(cashier.credentials.tokenSN);
  const day = providerDay(clock.now(), zone);
  const comparing = money.reconcile(cashier, day, new AbortController().signal);
  await expect(comparing).rejects.toMatchObject({ code: 'session_ended' });
  expect(world.counted.sessionsEnded).toBe(1);
  await money.close();
});

it('a repeat without an answer does not reopen a request that was adopted in the meantime', async () => {
  const opened = await open({ idempotent: true, hasKeysInHistory: true });
  const { money, gateway, cashier, clock, bank } = opened;
  const order = { qrOperationId: Number(await paidQr(opened)), returnAmount: 20 };
  const refund = () => heard(gateway.as(cashier).refund(order, under('k')));
  bank.deeds.push('breaks before', { lateBy: 100_000 });
  expect(await refund()).toEqual(unknown);
  clock.jump(5);
  const repeat = refund();
  await clock.settle();
  await money.round();
  expect(await doubts(opened)).toEqual([]);
  await clock.advance(10_000);
  expect(await repeat).toEqual(unknown);
  expect(await doubts(opened)).toEqual([]);
  await clock.advance(61_000);
  expect(await refundsOf(opened)).toMatchObject([{ id: '1001', outcome: 'success' }]);
  expect(await faultsOf(opened.world, money)).toEqual([]);
  await money.close();
});
