import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/base/errors.js';
import type { PaymentEnd } from '../../src/payments/payment-event.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { collect, openPaymentsUnderTest } from './payments-under-test.js';
import { openScriptedBank } from './scripted-bank.js';

const second = 1000;
const hour = 3600 * second;
/** Disables scans for changes by other processes, which access files. Tests that cover hours have one process. */
const forHours = { scanInterval: 600 * second };
/** One test polls for 24 hours at the normal interval. The other tests use fewer polls. */
const seldom = { ...forHours, pollInterval: 600 * second };

describe('the watcher', () => {
  it.each([
    ['qr', 1500, 'payment.success', 'Processed', 6],
    ['qr', 1501, 'payment.failed', 'CancelledByUser', 6],
    ['qr', 1502, 'payment.failed', 'Rejected', 6],
    ['qr', 1503, 'payment.failed', 'Error', 6],
    ['qr', 1504, 'payment.expired', 'Expired', 6],
    ['qr', 1505, 'payment.expired', 'QrTokenDiscarded', 6],
    ['qr', 1506, 'payment.expired', 'Expired', 180],
    ['qr', 1508, 'payment.success', 'Processed', 6],
    // Polls at 3, 6 and 10.5 s fail. The next poll is 6.75 s later.
    ['qr', 1507, 'payment.success', 'Processed', 17.25],
    ['invoice', 1500, 'payment.success', 'Processed', 6],
    ['invoice', 1501, 'payment.failed', 'RemotePaymentCanceled', 6],
    ['invoice', 1502, 'payment.failed', 'RemotePaymentRejected', 6],
    ['invoice', 1503, 'payment.failed', 'RemotePaymentRejected', 6],
    ['invoice', 1504, 'payment.expired', 'Expired', 6],
    ['invoice', 1505, 'payment.expired', 'Expired', 6],
    ['invoice', 1506, 'payment.expired', 'Expired', 180],
    ['invoice', 1507, 'payment.success', 'Processed', 17.25],
    ['invoice', 1508, 'payment.success', 'Processed', 6],
  ] as const)('tells of a %s over %d: %s (%s) after %d s', async (...row) => {
    const [type, amount, event, status, seconds] = row;
    const { clock, watcher, events, cashier, close, ...payments } = await openPaymentsUnderTest();
    await watcher.start();
    const id = await payments[type](await cashier(), amount);
    const start = clock.now();
    await clock.advance((seconds - 1) * second);
    expect(events).toEqual([]);
    await clock.advance(second);
    const told: Partial<PaymentEnd> = {
      event,
      organizationId: expect.any(Number),
      paymentId: id,
      type,
      status,
      statusDesc: expect.any(String),
      amount,
      qrToken: type === 'qr' ? expect.stringContaining('https:') : null,
      receiptUrl: expect.stringContaining('https:'),
      orderNumber: expect.any(String),
      sandbox: true,
      data: expect.objectContaining({ Status: status, Amount: amount }),
      occurredAt: start + seconds * second,
    };
    expect(events).toEqual([told]);
    expect(await payments.findPayment(id)).toMatchObject({ state: 'ended', status });
    await clock.advance(10 * second);
    expect(events).toHaveLength(1);
    await close();
  });

  it('waits for a new sign-in after the provider has ended the session, and then polls immediately', async () => {
    const { clock, watcher, events, cashier, close, qr } = await openPaymentsUnderTest();
    await watcher.start();
    await qr(await cashier(), 1509);
    await clock.advance(60 * second);
    expect(events).toEqual([]);
    await cashier('77770000001');
    await clock.settle();
    expect(events).toEqual([]);
    await cashier();
    await clock.advance(1);
    expect(events).toMatchObject([{ event: 'payment.success' }]);
    await close();
  });

  it('gives up after 24 hours of failures, logs the reason and sends no event', async () => {
    const silent = await openScriptedBank({
      status() {
        throw new Error('The bank is away.');
      },
    });
    const { clock, watcher, events, logged, cashier, close, qr, ...payments } =
      await openPaymentsUnderTest({ ...forHours, provider: silent.module });
    await watcher.start();
    const id = await qr(await cashier(), 1500);
    await clock.advance(24 * hour - 60 * second);
    expect(await payments.findPayment(id)).toMatchObject({ state: 'open' });
    await clock.advance(120 * second);
    const unknown = { state: 'unknown', reason: 'no_answer' };
    expect(await payments.findPayment(id)).toMatchObject(unknown);
    expect(logged.filter(({ level }) => level === 'error')).toMatchObject([
      { payment: id, reason: 'no_answer', msg: expect.stringContaining('failed for 24 hours') },
    ]);
    expect(await collect(payments.listPayments('unknown'))).toMatchObject([{ id }]);
    expect(events).toEqual([]);
    expect(watcher.size).toBe(0);
    await close();
  });

  it('counts the 24 hours across restarts', async () => {
    const first = await openPaymentsUnderTest(seldom);
    await first.watcher.start();
    const id = await first.qr(await first.cashier(), 1509);
    await first.clock.advance(13 * hour);
    await first.close();
    const { clock, data } = first;
    const second = await openPaymentsUnderTest({ ...seldom, clock, data });
    await second.watcher.start();
    await clock.advance(10 * hour);
    expect(await second.findPayment(id)).toMatchObject({ state: 'open' });
    await clock.advance(1.4 * hour);
    expect(await second.findPayment(id)).toMatchObject({ state: 'unknown' });
    await second.close();
  });

  it('polls every 3 s, and every 30 s from 5 minutes after ExpireDate on', async () => {
    const pollTimes: number[] = [];
    const clock = createManualClock();
    const module = join(await makeTempFolder(), 'provider.mjs');
    await writeFile(module, slowBank);
    Object.assign(globalThis, { bankAsked: () => pollTimes.push(clock.now()) });
    const { watcher, cashier, close, qr } = await openPaymentsUnderTest({
      clock,
      provider: module,
    });
    await watcher.start();
    const start = clock.now();
    await qr(await cashier(), 5);
    await clock.advance(18.5 * second);
    // Every answer takes 2 s, which does not affect the interval.
    const rhythm = pollTimes.map((time) => (time - start) / second);
    expect(rhythm).toEqual([3, 6, 9, 12, 15, 18]);
    pollTimes.length = 0;
    await clock.advance(461.5 * second);
    const late = pollTimes.map((time) => (time - start) / second).filter((time) => time >= 174);
    expect(late.slice(0, 3)).toEqual([174, 177, 180]);
    expect(late.slice(-3)).toEqual([474, 477, 480]);
    pollTimes.length = 0;
    await clock.advance(100 * second);
    expect(pollTimes.map((time) => (time - start) / second)).toEqual([510, 540, 570]);
    await close();
  });

  it('keeps its interval when the wall clock is set back and forth', async () => {
    const pollTimes: number[] = [];
    const clock = createManualClock();
    const module = join(await makeTempFolder(), 'provider.mjs');
    await writeFile(module, slowBank);
    Object.assign(globalThis, { bankAsked: () => pollTimes.push(clock.monotonic()) });
    const { watcher, cashier, close, qr } = await openPaymentsUnderTest({
      clock,
      provider: module,
    });
    await watcher.start();
    const start = clock.monotonic();
    const who = await cashier();
    await qr(who, 5);
    await clock.advance(7 * second);
    clock.stepWallClock(-120 * second);
    await clock.advance(6 * second);
    clock.stepWallClock(25 * hour);
    await clock.advance(6 * second);
    expect(pollTimes.map((time) => (time - start) / second)).toEqual([3, 6, 9, 12, 15, 18]);
    await close();
  });

  it('counts the 24 hours of failures regardless of the wall clock', async () => {
    const { clock, watcher, cashier, close, qr, ...payments } = await openPaymentsUnderTest(seldom);
    await watcher.start();
    const id = await qr(await cashier(), 1509);
    await clock.advance(1 * hour);
    clock.stepWallClock(25 * hour);
    await clock.advance(1 * hour);
    expect(await payments.findPayment(id)).toMatchObject({ state: 'open' });
    clock.stepWallClock(-25 * hour - 1200 * second);
    await clock.advance(22 * hour - 600 * second);
    expect(await payments.findPayment(id)).toMatchObject({ state: 'open' });
    await clock.advance(1200 * second);
    expect(await payments.findPayment(id)).toMatchObject({ state: 'unknown' });
    await close();
  });

  it('polls a payment within an interval if the wall clock was set back after its creation', async () => {
    const first = await openPaymentsUnderTest();
    await first.qr(await first.cashier(), 1506);
    await first.close();
    const { clock, data } = first;
    clock.stepWallClock(-hour);
    const pollTimes: number[] = [];
    const next = await openPaymentsUnderTest({
      clock,
      data,
      onPoll: () => pollTimes.push(clock.monotonic()),
    });
    await next.watcher.start();
    const start = clock.monotonic();
    await clock.advance(6 * second);
    expect(pollTimes.map((time) => time - start)).toEqual([3 * second, 6 * second]);
    await next.close();
  });

  it('polls other payments while the polls of one payment hang', async () => {
    const clock = createManualClock();
    const module = join(await makeTempFolder(), 'provider.mjs');
    await writeFile(module, slowBank);
    const polledIds: string[] = [];
    Object.assign(globalThis, { bankAsked: (id: string) => polledIds.push(id) });
    const { watcher, cashier, close, qr } = await openPaymentsUnderTest({
      clock,
      provider: module,
    });
    await watcher.start();
    const who = await cashier();
    const hanging = await qr(who, 7);
    const usual = await qr(who, 5);
    await clock.advance(24 * second);
    expect(polledIds.filter((id) => id === usual)).toHaveLength(8);
    expect(polledIds.filter((id) => id === hanging)).toHaveLength(1);
    await close();
  });

  it('spreads overdue payments over one interval at startup', async () => {
    const first = await openPaymentsUnderTest();
    const who = await first.cashier();
    for (let count = 0; count < 30; count++) await first.qr(who, 1506);
    await first.close();
    const { clock, data } = first;
    await clock.advance(60 * second);
    const events: PaymentEnd[] = [];
    const times: number[] = [];
    const second_ = await openPaymentsUnderTest({
      clock,
      data,
      announce: async (event) => {
        events.push(event);
        times.push(clock.now());
      },
    });
    await clock.advance(120 * second);
    const start = clock.now();
    await second_.watcher.start();
    await clock.advance(3 * second);
    expect(events).toHaveLength(30);
    const offsets = times.map((time) => time - start);
    expect(offsets).toEqual(Array.from({ length: 30 }, (_, index) => index * 100));
    await second_.close();
  });

  it('detects payments and sign-ins of another process', async () => {
    const serve = await openPaymentsUnderTest();
    await serve.watcher.start();
    const { clock, data } = serve;
    const till = await openPaymentsUnderTest({ clock, data });
    await till.qr(await till.cashier(), 1500);
    await clock.advance(6 * second);
    expect(serve.events).toMatchObject([{ event: 'payment.success' }]);
    const evicted = await till.cashier();
    await till.qr(evicted, 1509);
    await clock.advance(60 * second);
    await till.cashier();
    await clock.advance(second);
    expect(serve.events).toHaveLength(2);
    await serve.close();
  });

  it('stores the event before it marks a payment as ended, and retries after a failure', async () => {
    const told: PaymentEnd[] = [];
    let isFull = true;
    const { clock, watcher, cashier, close, qr, findPayment } = await openPaymentsUnderTest({
      announce: async (event) => {
        told.push(event);
        if (isFull) throw new AppError('storage_unavailable', 'The disk is full.');
      },
    });
    await watcher.start();
    const id = await qr(await cashier(), 1500);
    await clock.advance(30 * second);
    expect(await findPayment(id)).toMatchObject({ state: 'open' });
    expect(told.length).toBeGreaterThan(5);
    isFull = false;
    await clock.advance(3 * second);
    expect(await findPayment(id)).toMatchObject({ state: 'ended' });
    const names = new Set(
      told.map(({ paymentId, type, event }) => [paymentId, type, event].join()),
    );
    expect(names.size).toBe(1);
    await close();
  });

  it('skips a damaged record and polls the other payments', async () => {
    const { clock, watcher, events, cashier, close, qr, data } = await openPaymentsUnderTest();
    await qr(await cashier(), 1500);
    await writeFile(join(data, 'payments/open/qr-999.jsonl'), '{"id": torn');
    await watcher.start();
    await clock.advance(6 * second);
    expect(events).toHaveLength(1);
    await close();
  });

  it('keeps secrets, tokens and codes out of payment files', async () => {
    const { watcher, cashier, close, qr, data } = await openPaymentsUnderTest();
    const who = await cashier();
    await qr(who, 1500);
    const [name = ''] = await readdir(join(data, 'payments/open'));
    const text = await readFile(join(data, 'payments/open', name), 'utf8');
    expect(text).not.toContain(who.credentials.tokenSN);
    const kept = join(data, 'payments/sessions/kept');
    const [session = ''] = await readdir(kept);
    expect(await readFile(join(kept, session), 'utf8')).not.toContain(who.credentials.secret);
    await watcher.start();
    await close();
  });
});

describe('a logout', () => {
  it('ends the session immediately here and at the provider if no payment requires it', async () => {
    const { cashier, close, sessions, gateway, data } = await openPaymentsUnderTest();
    const who = await cashier();
    await sessions.logOut(who);
    const { tokenSN } = who.credentials;
    expect(await sessions.isOpen(tokenSN)).toBe(false);
    expect(await gateway.as(who).checkSession()).toMatchObject({ active: false });
    expect(await secretsOnDisk(data)).toBe(0);
    await close();
  });

  it('keeps the provider session until its open payments have ended, and then erases it', async () => {
    const { clock, watcher, events, cashier, close, sessions, gateway, qr, data } =
      await openPaymentsUnderTest();
    await watcher.start();
    const who = await cashier();
    await qr(who, 1500);
    await sessions.logOut(who);
    const { session, credentials } = who;
    await expect(
      sessions.authenticate(credentials.tokenSN, session.vtokenSecret),
    ).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await gateway.as(who).checkSession()).toEqual({ active: true });
    expect(await secretsOnDisk(data)).toBe(1);
    await clock.advance(10 * second);
    expect(events).toMatchObject([{ event: 'payment.success' }]);
    expect(await gateway.as(who).checkSession()).toMatchObject({ active: false });
    expect(await secretsOnDisk(data)).toBe(0);
    await close();
  });

  it('does not use a logged-out session to poll payments of another session', async () => {
    const { clock, watcher, events, cashier, close, sessions, qr } = await openPaymentsUnderTest();
    await watcher.start();
    const early = await cashier();
    await qr(early, 1506);
    await clock.advance(1000);
    const late = await cashier();
    await sessions.logOut(early);
    await qr(late, 1500);
    await sessions.logOut(late);
    await clock.advance(190 * second);
    expect(events).toHaveLength(2);
    await close();
  });
});

async function secretsOnDisk(data: string): Promise<number> {
  return (await readdir(join(data, 'payments/sessions/kept'))).length;
}

/** A bank that answers after 2 s, does not answer for the amount 7, and ends no payment. */
const slowBank = `
export default function createProvider({ clock }) {
  let lastId = 100;
  const amounts = new Map();
  const done = (Data) => ({ StatusCode: 0, Data });
  const nothing = async () => done({});
  return {
    startSignIn: async () => ({ processId: 'p', view: 'EnterPhoneNumber', body: {} }),
    sendPhone: async () => ({ processId: 'p', view: 'EnterOtp', desc: '', body: {} }),
    verifyOtp: async () => ({
      step: 'finished', message: '', tokenSN: 'token-of-the-slow-bank', vtokenSecret: 's',
      profileId: 1, organizationId: 1, orgName: '', phone: '', organizations: [],
    }),
    async createQr({ amount }) {
      lastId += 1;
      amounts.set(String(lastId), amount);
      const ExpireDate = new Date(clock.now() + 180_000).toISOString();
      return done({ QrOperationId: lastId, QrToken: 'q', ExpireDate, Amount: amount });
    },
    async qrStatus({ qrOperationId }, { signal }) {
      globalThis.bankAsked?.(qrOperationId);
      const isHanging = amounts.get(qrOperationId) === 7;
      await clock.sleep(isHanging ? 1e9 : 2000, signal);
      return done({ Status: 'QrTokenCreated' });
    },
    checkSession: nothing, endSession: nothing, findClient: nothing, createInvoice: nothing,
    invoiceDetails: nothing, cancelInvoice: nothing, invoiceHistory: nothing, operations: nothing,
    operationDetails: nothing, refund: nothing, close: async () => {},
  };
}`;
