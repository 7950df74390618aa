import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/base/errors.js';
import type { Payment } from '../../src/payments/payment.js';
import { openJsonPaymentStores } from '../../src/payments/store-json/open.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { openPaymentsUnderTest } from './payments-under-test.js';

const second = 1000;
const patient = { signal: new AbortController().signal };

describe('waitForOutcome', () => {
  it('polls the payment and announces the outcome if no serve is running', async () => {
    const { clock, events, cashier, qr, waitForOutcome, findPayment } =
      await openPaymentsUnderTest();
    const id = await qr(await cashier(), 1500);
    const statuses: string[] = [];
    const waiting = waitForOutcome(
      { id },
      {
        ...patient,
        onChange: ({ status }) => statuses.push(status),
      },
    );
    await clock.advance(10 * second);
    const { payment, endedHere } = await waiting;
    expect({ endedHere, outcome: payment.outcome }).toEqual({
      endedHere: true,
      outcome: 'success',
    });
    expect(statuses).toEqual(['QrTokenCreated', 'QrTokenScanned', 'Processed']);
    expect(events).toMatchObject([{ event: 'payment.success', paymentId: id }]);
    expect(await findPayment(id)).toMatchObject({ state: 'ended' });
  });

  it('follows a running serve, which announces the outcome', async () => {
    const serve = await openPaymentsUnderTest();
    const { clock, data } = serve;
    await serve.watcher.start();
    const till = await openPaymentsUnderTest({ clock, data });
    const id = await till.invoice(await till.cashier(), 1502);
    const seen: Payment['state'][] = [];
    const waiting = till.waitForOutcome(
      { id },
      {
        ...patient,
        onChange: ({ state }) => seen.push(state),
      },
    );
    await clock.advance(10 * second);
    const { payment, endedHere } = await waiting;
    expect(endedHere).toBe(false);
    expect(payment).toMatchObject({ state: 'ended', outcome: 'failed' });
    expect(seen).toEqual(['open', 'ended']);
    expect([serve.events.length, till.events.length]).toEqual([1, 0]);
    await serve.close();
  });

  it('hands the payment over to a starting serve, and takes it back from a stopped one', async () => {
    const till = await openPaymentsUnderTest();
    const { clock, data } = till;
    const id = await till.qr(await till.cashier(), 1506);
    const waiting = till.waitForOutcome({ id }, patient);
    await clock.advance(4 * second);
    const serve = await openPaymentsUnderTest({ clock, data });
    await serve.watcher.start();
    expect(serve.watcher.size).toBe(0);
    await clock.advance(5 * second);
    expect(serve.watcher.size).toBe(1);
    await serve.close();
    await clock.advance(180 * second);
    expect((await waiting).payment).toMatchObject({ outcome: 'expired' });
    expect([serve.events.length, till.events.length]).toEqual([0, 1]);
  });

  it('leaves the payment to serve after being suspended, and continues as a follower', async () => {
    const clock = createManualClock();
    const data = await makeTempFolder();
    let isStill = false;
    let proceed = () => {};
    const proceeding = new Promise<void>((resolve) => {
      proceed = resolve;
    });
    const till = await openPaymentsUnderTest({
      clock: {
        ...clock,
        sleep: (time, signal) => (isStill ? proceeding : clock.sleep(time, signal)),
      },
      data,
      // The process pauses immediately before it marks the payment as ended.
      async announce() {
        isStill = true;
        await proceeding;
        isStill = false;
      },
    });
    const id = await till.qr(await till.cashier(), 1500);
    const waiting = till.waitForOutcome({ id }, patient);
    await clock.advance(6 * second);
    expect(isStill).toBe(true);
    const serve = await openPaymentsUnderTest({ clock, data });
    await serve.watcher.start();
    await clock.advance(10 * second);
    expect(serve.events).toEqual([]);
    await clock.advance(20 * second);
    expect(serve.events).toMatchObject([{ event: 'payment.success', paymentId: id }]);
    const ended = await serve.findPayment(id);
    proceed();
    await clock.advance(5 * second);
    const { payment, endedHere } = await waiting;
    expect([payment, endedHere]).toEqual([ended, false]);
    expect(await serve.findPayment(id)).toEqual(ended);
    await serve.close();
  });

  it('announces a payment once if two tills wait for it', async () => {
    const one = await openPaymentsUnderTest();
    const { clock, data } = one;
    const two = await openPaymentsUnderTest({ clock, data });
    const id = await one.qr(await one.cashier(), 1500);
    const waiting = [one, two].map(({ waitForOutcome }) => waitForOutcome({ id }, patient));
    await clock.advance(10 * second);
    const outcomes = (await Promise.all(waiting)).map(({ payment }) => payment.outcome);
    expect(outcomes).toEqual(['success', 'success']);
    expect(one.events.length + two.events.length).toBe(1);
  });

  it('continues after the storage was unavailable', async () => {
    const clock = createManualClock();
    const data = await makeTempFolder();
    const folder = join(data, 'payments');
    const stores = await openJsonPaymentStores({ folder, clock, onDamaged() {} });
    let isAway = false;
    const payments = new Proxy(stores.payments, {
      get(store, name) {
        if (isAway) throw new AppError('storage_unavailable', 'It is away.');
        return Reflect.get(store, name);
      },
    });
    const till = await openPaymentsUnderTest({ clock, data, stores: { ...stores, payments } });
    const id = await till.qr(await till.cashier(), 1500);
    const failures = new Set<string>();
    const onPoll = (failure?: AppError) => failure && failures.add(failure.code);
    const waiting = till.waitForOutcome({ id }, { ...patient, onPoll });
    await clock.advance(second);
    isAway = true;
    await clock.advance(60 * second);
    expect([...failures]).toEqual(['storage_unavailable']);
    isAway = false;
    await clock.advance(10 * second);
    const { payment, endedHere } = await waiting;
    expect({ endedHere, outcome: payment.outcome }).toEqual({
      endedHere: true,
      outcome: 'success',
    });
    expect(new Set(till.events.map(({ event }) => event))).toEqual(new Set(['payment.success']));
  });

  it('ends when the caller aborts, and the payment stays open', async () => {
    const { clock, cashier, qr, waitForOutcome } = await openPaymentsUnderTest();
    const id = await qr(await cashier(), 1506);
    const caller = new AbortController();
    const waiting = waitForOutcome({ id }, { signal: caller.signal });
    await clock.advance(7 * second);
    caller.abort();
    expect(await waiting).toMatchObject({ endedHere: false, payment: { state: 'open' } });
    const again = waitForOutcome({ id }, patient);
    await clock.advance(180 * second);
    expect((await again).payment).toMatchObject({ outcome: 'expired' });
  });

  it('returns an ended payment immediately and rejects an unknown payment', async () => {
    const { clock, cashier, qr, watcher, waitForOutcome, close } = await openPaymentsUnderTest();
    await watcher.start();
    const id = await qr(await cashier(), 1500);
    await clock.advance(10 * second);
    expect((await waitForOutcome({ id }, patient)).payment.outcome).toBe('success');
    await expect(waitForOutcome({ id: '1' }, patient)).rejects.toMatchObject({ code: 'not_found' });
    await close();
  });
});
