import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Payment } from '../../src/payments/payment.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { openPaymentsUnderTest, type PaymentsUnderTest } from './payments-under-test.js';
import { openScriptedBank, type Script } from './scripted-bank.js';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
/** Disables scans for changes by other processes, which access files every second. Most tests have one process. */
const alone = { scanInterval: 600 * second };
/** Scans every second, which detects logged-out sessions and sessions of other processes. */
const looking = { scanInterval: second };
/** For tests that cover hours and do not depend on the polling interval. */
const seldom = { pollInterval: 30 * second };
const patient = { signal: new AbortController().signal };

async function watched(script: Script, overrides = {}) {
  const bank = await openScriptedBank(script);
  const payments = await openPaymentsUnderTest({ provider: bank.module, ...alone, ...overrides });
  await payments.watcher.start();
  return { bank, ...payments };
}

const problems = ({ logged }: PaymentsUnderTest, level: 'warn' | 'error') =>
  logged.filter((line) => line.level === level);

describe('a status answer', () => {
  it.each([
    ['without an ID', () => ({})],
    ['with its ID', (id: string) => ({ QrOperationId: Number(id) })],
    ['with its ID as text', (id: string) => ({ Id: id })],
    ['with its ID under a different name', (id: string) => ({ OperationId: Number(id) })],
    ['with its ID after leading zeros', (id: string) => ({ QrOperationId: `00${id}` })],
    ['with a second ID of the same operation', (id: string) => ({ QrOperationId: id, Id: 77 })],
  ])('%s is accepted', async (_, names) => {
    const { clock, events, cashier, qr, close } = await watched({
      status: (id) => ({ Status: 'Processed', ...names(id) }),
    });
    await qr(await cashier(), 1500);
    await clock.advance(3 * second);
    expect(events).toMatchObject([{ event: 'payment.success' }]);
    await close();
  });

  it('with contradicting IDs is ignored', async () => {
    const payments = await watched({
      status: (id) => ({ Status: 'Processed', QrOperationId: id, Id: 77, OperationId: 78 }),
    });
    const { clock, bank, events, cashier, qr, close, findPayment } = payments;
    const id = await qr(await cashier(), 1500);
    await clock.advance(minute);
    expect(await findPayment(id)).toMatchObject({ state: 'open' });
    // Only the first alternative ID of an operation is stored.
    bank.script = { status: () => ({ Status: 'QrTokenCreated', QrOperationId: id, Id: 77 }) };
    await clock.advance(minute);
    bank.script = { status: () => ({ Status: 'Processed', QrOperationId: id, Id: 78 }) };
    await clock.advance(minute);
    expect(events).toEqual([]);
    expect(await findPayment(id)).toMatchObject({ state: 'open', otherId: '77' });
    await close();
  });

  it.each(['qr', 'invoice'] as const)(
    'about a different %s does not end the payment and is logged once as a warning',
    async (type) => {
      const script: Script = { status: (id) => ({ Status: 'Processed', Id: Number(id) + 1 }) };
      const payments = await watched(script);
      const { clock, bank, events, cashier, close, findPayment } = payments;
      const id = await payments[type](await cashier(), 1500);
      await clock.advance(minute);
      expect(bank.asked.length).toBeGreaterThan(3);
      // Further answers of this kind cause no second warning.
      bank.script = { status: () => ({ Status: 'QrTokenCreated' }) };
      await clock.advance(minute);
      bank.script = script;
      await clock.advance(minute);
      expect(events).toEqual([]);
      expect(await findPayment(id)).toMatchObject({ state: 'open' });
      expect(problems(payments, 'warn').filter(({ reason }) => reason)).toMatchObject([
        { payment: id, reason: expect.stringContaining(`${id} with operation 1003`) },
      ]);
      bank.script = { status: () => ({ Status: 'Processed', Id: id }) };
      await clock.advance(minute);
      expect(events).toMatchObject([{ event: 'payment.success', paymentId: id }]);
      await close();
    },
  );
});

describe('a success with a different amount', () => {
  it('sets the payment to unknown, logs both amounts and sends no event', async () => {
    const payments = await watched({
      status: (id) => ({ Status: 'Processed', QrOperationId: id, Amount: 1400 }),
    });
    const { clock, watcher, events, cashier, qr, close, findPayment } = payments;
    const id = await qr(await cashier(), 1500);
    await clock.advance(10 * second);
    expect(events).toEqual([]);
    expect(watcher.size).toBe(0);
    expect(await findPayment(id)).toMatchObject({
      state: 'unknown',
      reason: 'other_amount',
      status: 'Processed',
      amount: 1500,
      endedAt: expect.any(Number),
    });
    expect(problems(payments, 'error')).toMatchObject([
      {
        payment: id,
        reason: 'other_amount',
        amount: 1500,
        answered: 1400,
        msg: expect.stringMatching(/1\s500\s₸ as paid, but with 1\s400\s₸\..*Ask the provider/),
      },
    ]);
    await close();
  });

  it('sets the payment to unknown at a till without a server', async () => {
    const bank = await openScriptedBank({
      status: () => ({ Status: 'Processed', Amount: '1400' }),
    });
    const till = await openPaymentsUnderTest({ provider: bank.module });
    const id = await till.invoice(await till.cashier(), 1500);
    const waiting = till.waitForOutcome({ id }, patient);
    await till.clock.advance(10 * second);
    expect(await waiting).toMatchObject({ payment: { state: 'unknown', reason: 'other_amount' } });
    expect(till.events).toEqual([]);
  });

  it.each([
    ['15 ₸', undefined, 'other_amount'],
    ['15,00', undefined, 'other_amount'],
    ['1e1', undefined, 'unreadable_amount'],
    [{ Value: 1500, Currency: 'KZT' }, undefined, 'unreadable_amount'],
    [[1500], undefined, 'unreadable_amount'],
    [true, undefined, 'unreadable_amount'],
    ['', undefined, 'unreadable_amount'],
    [1500, 'KGS', 'other_currency'],
  ])('sets a payment to unknown if it is paid with %j in %j', async (Amount, Currency, reason) => {
    const { clock, events, cashier, qr, close, findPayment } = await watched({
      status: () => ({ Status: 'Processed', Amount, Currency }),
    });
    const id = await qr(await cashier(), 1500);
    await clock.advance(10 * second);
    expect(events).toEqual([]);
    expect(await findPayment(id)).toMatchObject({ state: 'unknown', reason });
    await close();
  });

  it.each([
    ['Processed', 1500.5, 'payment.success'],
    ['Processed', '1 500,50 ₸', 'payment.success'],
    ['Processed', '1500.50', 'payment.success'],
    ['Processed', undefined, 'payment.success'],
    ['Rejected', 1, 'payment.failed'],
    ['Expired', 0, 'payment.expired'],
  ])('is not assumed if the answer is %s with the amount %s', async (Status, Amount, event) => {
    const { clock, events, cashier, qr, close } = await watched({
      status: () => ({ Status, Amount }),
    });
    await qr(await cashier(), 1500.5);
    await clock.advance(3 * second);
    expect(events).toMatchObject([{ event }]);
    await close();
  });
});

describe('a change of the wall clock', () => {
  /** Returns the times of a till's polls, in seconds after its start. */
  async function tillBesides(steps: readonly number[]) {
    const bank = await openScriptedBank();
    const till = await openPaymentsUnderTest({ provider: bank.module });
    const { clock } = till;
    const id = await till.qr(await till.cashier(), 1500);
    const start = clock.monotonic();
    const times: number[] = [];
    const onPoll = () => times.push((clock.monotonic() - start) / second);
    const caller = new AbortController();
    const waiting = till.waitForOutcome({ id }, { signal: caller.signal, onPoll });
    for (const step of steps) {
      await clock.advance(6 * second);
      clock.stepWallClock(step);
    }
    await clock.advance(6 * second);
    caller.abort();
    expect((await waiting).payment.state).toBe('open');
    return times;
  }

  it('backwards does not affect the polls of a till', async () => {
    expect(await tillBesides([-120 * second, -5 * hour])).toEqual([3, 6, 9, 12, 15, 18]);
  });

  it('forwards does not stop the polls of a till, which may have to claim the payment again', async () => {
    const times = await tillBesides([25 * hour]);
    const gaps = times.map((time, index) => time - (times[index - 1] ?? 0));
    expect(times.length).toBeGreaterThanOrEqual(4);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(3);
  });

  it('by 25 h during failures sets no payment to unknown, even across a restart', async () => {
    const clock = createManualClock();
    const first = await watched({ status: () => ({}) }, { clock });
    const id = await first.qr(await first.cashier(), 1500);
    await clock.advance(20 * minute);
    clock.stepWallClock(25 * hour);
    await clock.advance(20 * minute);
    await first.close();
    clock.stepWallClock(50 * hour);
    const { data, bank } = first;
    const next = await openPaymentsUnderTest({
      ...alone,
      clock,
      data,
      provider: bank.module,
    });
    await next.watcher.start();
    await clock.advance(hour);
    expect(await next.findPayment(id)).toMatchObject({ state: 'open' });
    bank.script = { status: () => ({ Status: 'Processed' }) };
    await clock.advance(minute);
    expect(next.events).toMatchObject([{ event: 'payment.success' }]);
    await next.close();
  });

  it('between two processes does not delay polls after a restart', async () => {
    const clock = createManualClock();
    const created = () => ({ ExpireDate: new Date(clock.now() + 3 * minute).toISOString() });
    const first = await watched({ created }, { clock });
    await first.qr(await first.cashier(), 1500);
    await first.close();
    const { data, bank } = first;
    clock.stepWallClock(25 * hour);
    bank.asked.length = 0;
    const next = await openPaymentsUnderTest({ ...alone, clock, data, provider: bank.module });
    await next.watcher.start();
    await clock.advance(3 * minute);
    // The payment is overdue, so the first poll is immediate.
    expect(bank.asked).toHaveLength(61);
    await next.close();
  });
});

describe('an ExpireDate', () => {
  it('that has passed at creation is ignored with a warning', async () => {
    const clock = createManualClock();
    const created = () => ({ ExpireDate: new Date(clock.now() - 2 * minute).toISOString() });
    const payments = await watched({ created }, { clock });
    const { bank, cashier, qr, close } = payments;
    const id = await qr(await cashier(), 1500);
    await clock.advance(10 * minute);
    expect(bank.asked).toHaveLength(200);
    expect(problems(payments, 'warn')).toMatchObject([
      { payment: id, msg: expect.stringContaining('ExpireDate') },
    ]);
    await close();
  });

  it('from a clock that is 2 minutes behind keeps the normal interval for 5 more minutes', async () => {
    const clock = createManualClock();
    const created = () => ({ ExpireDate: new Date(clock.now() + minute).toISOString() });
    const { bank, cashier, qr, close } = await watched({ created }, { clock });
    await qr(await cashier(), 1500);
    await clock.advance(6 * minute);
    expect(bank.asked).toHaveLength(120);
    await clock.advance(5 * minute);
    expect(bank.asked).toHaveLength(130);
    await close();
  });
});

describe('an unknown status', () => {
  it('causes one warning per type, and one error per payment after an hour', async () => {
    const payments = await watched({ status: () => ({ Status: 'ManualReview' }) }, seldom);
    const { clock, cashier, qr, invoice, close, events } = payments;
    const who = await cashier();
    const ids = [await qr(who, 1), await qr(who, 2), await invoice(who, 3)];
    await clock.advance(hour);
    const warned = problems(payments, 'warn').map(({ type, status }) => `${type} ${status}`);
    expect(warned.sort()).toEqual(['invoice ManualReview', 'qr ManualReview']);
    expect(problems(payments, 'error')).toEqual([]);
    await clock.advance(20 * minute);
    const reported = problems(payments, 'error').map(({ payment }) => payment);
    expect(reported.sort()).toEqual(ids);
    expect(problems(payments, 'warn')).toHaveLength(2);
    expect(events).toEqual([]);
    await close();
  });

  it('is remembered for at most 1,000 statuses, with 100 characters of each', async () => {
    let polls = 0;
    const status = () => ({ Status: `${polls++}`.padStart(3000, 'Odd') });
    const payments = await watched({ status });
    const { clock, cashier, qr, close } = payments;
    const who = await cashier();
    await qr(who, 1);
    await clock.advance(9 * second);
    expect(problems(payments, 'warn')).toHaveLength(1);
    payments.bank.script = { status: () => ({ Status: `Odd${polls++}` }) };
    for (let count = 0; count < 40; count += 1) await qr(who, 1);
    await clock.advance(90 * second);
    expect(polls).toBeGreaterThan(1100);
    expect(problems(payments, 'warn')).toHaveLength(1000);
    await close();
  });

  it('has the meaning that the status map defines', async () => {
    const statuses = { qr: { Paid: 'success', Review: 'pending' } } as const;
    const payments = await watched(
      { status: (_, amount) => ({ Status: amount === 1 ? 'Paid' : 'Review' }) },
      { ...seldom, statuses },
    );
    const { clock, cashier, qr, close, events } = payments;
    const who = await cashier();
    const paid = await qr(who, 1);
    await qr(who, 2);
    await clock.advance(hour + minute);
    expect(events).toMatchObject([{ event: 'payment.success', paymentId: paid, status: 'Paid' }]);
    expect([...problems(payments, 'warn'), ...problems(payments, 'error')]).toEqual([]);
    await close();
  });
});

describe('a payment that has ended', () => {
  const expired: Script = { status: () => ({ Status: 'Expired' }) };
  const paid: Script = { status: () => ({ Status: 'Processed' }) };
  const endings = (payments: PaymentsUnderTest) =>
    problems(payments, 'error').map(({ payment, status, flippedTo }) => [
      payment,
      status,
      flippedTo,
    ]);

  it.each([
    ['Expired', 'payment.expired'],
    ['Rejected', 'payment.failed'],
  ])('as %s is polled once more after 60 s, and a flip is stored', async (Status, event) => {
    const payments = await watched({ status: () => ({ Status }) });
    const { bank, clock, cashier, qr, close, events, findPayment } = payments;
    const id = await qr(await cashier(), 1500);
    await clock.advance(3 * second);
    expect(events).toMatchObject([{ event }]);
    bank.script = paid;
    bank.asked.length = 0;
    await clock.advance(59 * second);
    expect(bank.asked).toEqual([]);
    await clock.advance(second);
    expect(bank.asked).toEqual([id]);
    expect(await findPayment(id)).toMatchObject({
      state: 'ended',
      status: Status,
      flippedTo: 'Processed',
    });
    expect(endings(payments)).toEqual([[id, Status, 'Processed']]);
    await clock.advance(10 * minute);
    expect([bank.asked.length, events.length]).toEqual([1, 1]);
    await close();
  });

  it('is not polled again if it is paid, and logs nothing if nothing has changed', async () => {
    const payments = await watched({
      status: (_, amount) => ({ Status: amount === 1 ? 'Processed' : 'Expired' }),
    });
    const { bank, clock, cashier, qr, close, findPayment } = payments;
    const who = await cashier();
    await qr(who, 1);
    const id = await qr(who, 2);
    await clock.advance(3 * second);
    bank.asked.length = 0;
    await clock.advance(5 * minute);
    expect(bank.asked).toEqual([id]);
    expect(endings(payments)).toEqual([]);
    expect((await findPayment(id))?.flippedTo).toBeUndefined();
    await close();
  });

  it('is polled once more regardless of the wall clock', async () => {
    const payments = await watched(expired);
    const { bank, clock, cashier, qr, close } = payments;
    await qr(await cashier(), 1500);
    await clock.advance(3 * second);
    bank.asked.length = 0;
    clock.stepWallClock(25 * hour);
    await clock.advance(30 * second);
    clock.stepWallClock(-50 * hour);
    await clock.advance(29 * second);
    expect(bank.asked).toEqual([]);
    await clock.advance(second);
    expect(bank.asked).toHaveLength(1);
    await close();
  });

  it('keeps a logged-out session only until its last poll', async () => {
    const payments = await watched(expired, looking);
    const { bank, clock, cashier, qr, close, sessions, data } = payments;
    const who = await cashier();
    const id = await qr(who, 1500);
    await sessions.logOut(who);
    await clock.advance(3 * second);
    bank.script = paid;
    await clock.advance(50 * second);
    expect(bank.ended).toEqual([]);
    await clock.advance(20 * second);
    expect(endings(payments)).toEqual([[id, 'Expired', 'Processed']]);
    expect(bank.ended).toEqual([who.credentials.tokenSN]);
    expect(await readdir(join(data, 'payments/sessions/kept'))).toEqual([]);
    await close();
  });

  it('is polled with another session of the organization if its session was erased', async () => {
    const payments = await watched(expired, looking);
    const { bank, clock, cashier, qr, close, data } = payments;
    const who = await cashier();
    const id = await qr(who, 1500);
    await clock.advance(3 * second);
    bank.script = paid;
    const elsewhere = await openPaymentsUnderTest({ clock, data, provider: bank.module });
    await elsewhere.sessions.logOut(who);
    await elsewhere.cashier();
    await clock.advance(minute);
    expect(endings(payments)).toEqual([[id, 'Expired', 'Processed']]);
    await elsewhere.close();
    await close();
  });

  it('is not polled if no cashier of the organization is signed in', async () => {
    const payments = await watched(expired, looking);
    const { bank, clock, cashier, qr, close, data } = payments;
    const who = await cashier();
    await qr(who, 1500);
    await clock.advance(3 * second);
    bank.script = paid;
    bank.asked.length = 0;
    const elsewhere = await openPaymentsUnderTest({ clock, data, provider: bank.module });
    await elsewhere.sessions.logOut(who);
    await elsewhere.cashier('77019999999');
    await clock.advance(2 * minute);
    expect(bank.asked).toEqual([]);
    expect(problems(payments, 'error')).toEqual([]);
    await elsewhere.close();
    await close();
  });

  it('is marked as flipped by any answer about it, but once per status', async () => {
    const payments = await watched(paid);
    const { clock, cashier, invoice, close, observed, findPayment } = payments;
    const who = await cashier();
    const { organizationId } = who.session;
    const id = await invoice(who, 1500);
    await clock.advance(3 * second);
    const name = { organizationId, type: 'invoice', id } as const;
    const answer = (Data: object) => observed(name, { StatusCode: 0, Data });
    await answer({ Status: 'Processed', Id: id });
    await answer({ Status: 'RemotePaymentCreated', Id: id });
    await answer({ Status: 'Odd', Id: id });
    await answer({ Status: 'RemotePaymentRejected', Id: Number(id) + 1 });
    await answer({});
    await observed({ ...name, organizationId: 9 }, { Data: { Status: 'Expired' } });
    await observed({ ...name, type: 'qr' }, { Data: { Status: 'Expired' } });
    await observed({ ...name, id: '99' }, { Data: { Status: 'Expired' } });
    expect(endings(payments)).toEqual([]);
    await answer({ Status: 'RemotePaymentCanceled', Id: id });
    await answer({ Status: 'RemotePaymentCanceled' });
    expect(endings(payments)).toEqual([[id, 'Processed', 'RemotePaymentCanceled']]);
    const kept: Partial<Payment> = { outcome: 'success', flippedTo: 'RemotePaymentCanceled' };
    expect(await findPayment(id)).toMatchObject(kept);
    await answer({ Status: 'Expired' });
    expect(endings(payments)).toHaveLength(2);
    // The provider returns to the first status, in which the payment is paid.
    await answer({ Status: 'Processed' });
    await answer({ Status: 'Processed' });
    expect(endings(payments)).toHaveLength(3);
    const back: Partial<Payment> = { flippedTo: 'Processed', flippedOutcome: 'success' };
    expect(await findPayment(id)).toMatchObject(back);
    await close();
  });

  it('is not marked as flipped while it is open', async () => {
    const payments = await watched({});
    const { cashier, qr, close, observed, findPayment } = payments;
    const who = await cashier();
    const id = await qr(who, 1500);
    const { organizationId } = who.session;
    await observed({ organizationId, type: 'qr', id }, { Data: { Status: 'Expired' } });
    expect(problems(payments, 'error')).toEqual([]);
    expect(await findPayment(id)).toMatchObject({ state: 'open' });
    await close();
  });
});
