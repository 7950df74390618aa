import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PaymentRow } from '#validators/gateway';
import type { AppError } from '../../../src/base/errors.js';
import type {
  CashierCalls,
  GatewayClient,
  PaymentRecords,
  SessionPair,
} from '../../../src/payments/client/gateway-client.js';
import { repeatKeyOf } from '../../../src/payments/idempotency.js';
import type { Payment, PaymentType } from '../../../src/payments/payment.js';
import { shiftDay } from '../../../src/payments/reconcile/days.js';
import { providerDay } from '../../../src/payments/zoned-time.js';
import type { SandboxBank } from '../../commands/pay/sandbox-bank.js';
import { createGatewayData, type GatewayData } from './gateway-data.js';

/** A client of a gateway. */
export interface ClientUnderTest {
  readonly client: GatewayClient;
  /** True if the gateway is a running `serve`, which polls payments. */
  readonly isServed: boolean;
  /** Closes the client and the gateway that was started for it. */
  close(): Promise<void>;
}

const zone = 'Asia/Almaty';
const nobody = '0123456789abcdef01234567';
const phone = '77011234567';
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const text = expect.any(String);
const never = new AbortController().signal;
const today = () => providerDay(Date.now(), zone);

/**
 * Tests a client of a local or remote gateway. Complete results are compared, so they must be equal for all clients,
 * except for IDs and times. `open` returns a client of a gateway on the data.
 */
export function clientContract(open: (data: GatewayData) => Promise<ClientUnderTest>): void {
  let data: GatewayData | undefined;
  let under: ClientUnderTest | undefined;
  let client: GatewayClient;
  let isServed: boolean;
  let bank: SandboxBank;
  let session: SessionPair;
  let cashier: CashierCalls;
  let records: PaymentRecords;

  beforeAll(async () => {
    data = await createGatewayData();
    under = await open(data);
    ({ bank } = data);
    ({ client, isServed } = under);
    session = await signIn(client);
    cashier = await client.cashier(session);
    records = client.records(session);
  });
  afterAll(async () => {
    await under?.close();
    await data?.remove();
  });

  /** Creates a payment and returns its ID. */
  async function make(type: PaymentType, amount: number, key = ''): Promise<string> {
    const repeat = repeatKeyOf(key);
    const { Data: data } =
      type === 'qr'
        ? await cashier.createQr({ amount }, repeat)
        : await cashier.createInvoice({ phoneNumber: '77015554433', amount }, repeat);
    return String((data as { Id: number }).Id); // The sandbox returns it.
  }

  async function ended(type: PaymentType, amount: number): Promise<PaymentRow> {
    const id = await make(type, amount);
    return (await records.waitForOutcome({ id, type }, { signal: never })).payment;
  }

  /** Sends a request whose response is lost. Returns the error. */
  async function lost(operation: string, ask: () => Promise<unknown>): Promise<AppError> {
    await bank.disturb({ faults: [`lost@${operation} x2`] });
    const failure = await ask().then(
      () => expect.fail('The answer was not lost.'),
      (error: AppError) => error,
    );
    await bank.disturb({});
    return failure;
  }

  const inDoubt = async () =>
    (await records.intents({ state: 'in_doubt', kinds: ['qr', 'invoice', 'refund'], limit: 100 }))
      .rows;

  describe('a sign-in', () => {
    it('has three steps and returns the session', async () => {
      const { processId, ...started } = await client.signIn.start();
      expect(started).toEqual({ view: 'EnterPhoneNumber', body: expect.any(Object) });
      const process = String(processId);
      const sent = await client.signIn.sendPhone(process, phone);
      expect(sent).toMatchObject({ desc: text, view: 'EnterOtp' });
      expect(Object.keys(sent)).not.toContain('success');
      expect(await client.signIn.verifyOtp(process, '123456')).toEqual({
        processId,
        step: 'finished',
        message: text,
        tokenSN: text,
        vtokenSecret: text,
        profileId: expect.any(Number),
        organizationId: expect.any(Number),
        orgName: text,
        phone,
        organizations: expect.any(Array),
      });
    });

    it('rejects a wrong code and an unknown sign-in', async () => {
      const { processId } = await client.signIn.start();
      await client.signIn.sendPhone(String(processId), '77011112233');
      const wrong = client.signIn.verifyOtp(String(processId), '000000');
      await expect(wrong).rejects.toMatchObject({
        code: 'bad_request',
        details: { attemptsLeft: expect.any(Number) },
        fields: { success: false },
      });
      const unknown = client.signIn.verifyOtp('no such process', '123456');
      await expect(unknown).rejects.toMatchObject({ code: 'bad_request' });
    });
  });

  describe('a session', () => {
    it('returns its cashier, organization and time zone', async () => {
      expect(await cashier.facts()).toEqual({
        orgName: text,
        phone,
        organizationId: expect.any(Number),
        profileId: expect.any(Number),
        instance: expect.stringMatching(/^[0-9a-f]{32}$/),
        sandbox: true,
      });
      expect(await client.zone()).toBe(zone);
      expect(await cashier.checkSession()).toEqual({ active: true });
      expect(await records.isWatched()).toBe(isServed);
    });

    it('is rejected if it was logged out or never existed', async () => {
      const own = await signIn(client);
      const calls = await client.cashier(own);
      await calls.logOut();
      const strangers = { tokenSN: 'nobody', vtokenSecret: 'nothing' };
      for (const pair of [own, strangers]) {
        const pending = client.cashier(pair).then(({ logOut }) => logOut());
        await expect(pending).rejects.toMatchObject({ code: 'not_signed_in', exitCode: 4 });
      }
      expect(await cashier.checkSession()).toEqual({ active: true });
    });

    it('that was logged out elsewhere is rejected, even if its payment is still open', async () => {
      const own = await signIn(client);
      const calls = await client.cashier(own);
      const { Data } = await calls.createQr({ amount: 1500 }, repeatKeyOf(''));
      const id = Number((Data as { Id: number }).Id); // The sandbox returns it.
      await (await client.cashier(own)).logOut();
      const refused = { code: 'not_signed_in', exitCode: 4 };
      for (const ask of [
        () => calls.createQr({ amount: 1500 }, repeatKeyOf('')),
        () => calls.createInvoice({ phoneNumber: '77015554433', amount: 7 }, repeatKeyOf('')),
        () => calls.refund({ qrOperationId: id, returnAmount: 5 }, repeatKeyOf('')),
        () => calls.cancelInvoice('5'),
        () => calls.operationDetails(id),
        () => calls.findClient('77015554433'),
        () => calls.logOut(),
      ]) {
        await expect(ask()).rejects.toMatchObject(refused);
      }
      const waited = await records.waitForOutcome(
        { id: String(id), type: 'qr' },
        { signal: never },
      );
      expect(waited.payment).toMatchObject({ state: 'ended', outcome: 'success' });
    });
  });

  it('a request fails with session_ended and a known outcome if the provider has ended the session', async () => {
    const own = await signIn(client, '77015556677');
    const calls = await client.cashier(own);
    await calls.createQr({ amount: 1509 }, repeatKeyOf(''));
    const ended = { code: 'session_ended', exitCode: 4 };
    await expect(calls.operationDetails(5)).rejects.toMatchObject(ended);
    const selling = calls.createQr({ amount: 1500 }, repeatKeyOf(''));
    const failure = await selling.catch((error: AppError) => error);
    expect(failure).toMatchObject(ended);
    expect((failure as AppError).fields).toEqual({});
    expect(await calls.checkSession()).toMatchObject({ active: false });
  });

  describe('a session of a provider that declares nothing', () => {
    it('is not marked as a sandbox session, and neither are its payments', async () => {
      await bank.disturb({ faults: ['undeclared'] });
      const own = await signIn(client);
      await bank.disturb({});
      const calls = await client.cashier(own);
      const { Data } = await calls.createQr({ amount: 1506 }, repeatKeyOf(''));
      const id = String((Data as { Id: number }).Id); // The sandbox returns it.
      expect(await calls.facts()).not.toHaveProperty('sandbox');
      expect(await records.find({ id, type: 'qr' })).not.toHaveProperty('sandbox');
      await calls.logOut();
    });
  });

  describe('a payment', () => {
    it.each([
      ['qr', 1500, { state: 'ended', outcome: 'success', status: 'Processed' }],
      ['qr', 1501, { state: 'ended', outcome: 'failed', status: 'CancelledByUser' }],
      ['qr', 1504, { state: 'ended', outcome: 'expired', status: 'Expired' }],
      ['invoice', 1500.5, { state: 'ended', outcome: 'success', status: 'Processed' }],
      ['invoice', 1501, { state: 'ended', outcome: 'failed', status: 'RemotePaymentCanceled' }],
      ['invoice', 1504, { state: 'ended', outcome: 'expired', status: 'Expired' }],
    ] as const)('by %s of %d is followed until it has ended', async (type, amount, end) => {
      const id = await make(type, amount);
      const seen: PaymentRow[] = [];
      const polls: unknown[] = [];
      const waited = await records.waitForOutcome(
        { id, type },
        {
          signal: never,
          onChange: (payment) => seen.push(payment),
          onPoll: (failure) => polls.push(failure),
        },
      );
      const { organizationId } = await cashier.facts();
      expect(waited).toEqual({
        endedHere: !isServed,
        payment: {
          ...{ paymentId: id, type, organizationId, amount, ...end },
          statusDesc: text,
          flippedTo: null,
          qrToken: type === 'qr' ? text : null,
          receiptUrl: text,
          orderNumber: text,
          clientPhone: type === 'qr' ? null : '77015554433',
          reference: null,
          sandbox: true,
          createdAt: time,
          expiresAt: time,
          endedAt: time,
          cursor: text,
        },
      });
      expect(seen.at(-1)).toEqual(waited.payment);
      expect(polls.every((failure) => failure === undefined)).toBe(true);
      expect(await records.find({ id, type })).toEqual(waited.payment);
      expect(await client.sendWebhooks(waited.payment, never)).toEqual([]);
    });

    it('has an unknown outcome if its amount differs from the order', async () => {
      await bank.disturb({ faults: ['amount=1@qr/status'] });
      const payment = await ended('qr', 1600);
      await bank.disturb({});
      expect(payment).toMatchObject({ state: 'unknown', outcome: null, amount: 1600 });
    });

    it('stays open if the wait is aborted', async () => {
      await bank.disturb({ faults: ['slow=0.1@qr/status'] });
      const id = await make('qr', 1506);
      const leaving = new AbortController();
      const { payment, endedHere } = await records.waitForOutcome(
        { id },
        { signal: leaving.signal, onChange: () => leaving.abort() },
      );
      await bank.disturb({});
      expect([payment.state, endedHere]).toEqual(['open', false]);
    });

    it('is created once per key, and a different body with the same key is a conflict', async () => {
      const repeat = repeatKeyOf(`sale ${Date.now()}`);
      const order = { amount: 1510.5, reference: 'order 17' };
      // The bank rejects amounts whose whole tenge end in 10.
      await expect(cashier.createQr(order, repeat)).rejects.toMatchObject({
        code: expect.stringMatching(/^(refused|provider_error)$/),
      });
      const other = { ...order, amount: 1520.5 };
      const [first, second] = [
        await cashier.createQr(other, repeat),
        cashier.createQr(other, repeat),
      ];
      expect(await second).toEqual(first);
      const { rows } = await records.payments({ states: ['open', 'ended', 'unknown'], limit: 5 });
      const same = rows.filter(({ amount }) => amount === 1520.5);
      expect(same).toEqual([expect.objectContaining({ reference: 'order 17' })]);
      const changed = cashier.createQr({ ...other, amount: 1521 }, repeat);
      await expect(changed).rejects.toMatchObject({ code: 'conflict' });
    });

    it('is found by its ID, or by ID and type if the ID is ambiguous', async () => {
      const id = await make('qr', 1500);
      expect(await records.find({ id })).toMatchObject({ paymentId: id, type: 'qr' });
      const missing = [{ id: '5' }, { id, type: 'invoice' }] as const;
      for (const each of missing)
        await expect(records.find(each)).rejects.toMatchObject({ code: 'not_found' });
      const { organizationId } = await cashier.facts();
      await data?.put(invoiceOf(id, organizationId));
      await expect(records.find({ id })).rejects.toMatchObject({ code: 'conflict' });
      expect(await records.find({ id, type: 'invoice' })).toMatchObject({ type: 'invoice' });
    });

    it('is listed newest first up to the limit', async () => {
      const made = [await ended('qr', 1501), await ended('invoice', 1500), await ended('qr', 1500)];
      const newest = made.reverse();
      const ids = newest.map(({ paymentId }) => paymentId);
      const all = await records.payments({ states: ['ended'], limit: Number.POSITIVE_INFINITY });
      expect(all.more).toBe(false);
      expect(all.rows.slice(0, 3)).toEqual(newest);
      const some = await records.payments({ states: ['ended', 'unknown'], limit: 2 });
      expect([some.rows.map(({ paymentId }) => paymentId), some.more]).toEqual([
        ids.slice(0, 2),
        true,
      ]);
    });
  });

  describe('an invoice', () => {
    it('can be created for a known customer, shown and cancelled', async () => {
      expect(await cashier.findClient('77015554433')).toMatchObject({
        StatusCode: 0,
        Data: { ClientName: text },
      });
      const nobodys = cashier.findClient('77010000404');
      await expect(nobodys).rejects.toMatchObject({ code: 'not_found' });
      // The invoice stays open long enough to be cancelled.
      await bank.disturb({ faults: ['slow=0.1@invoices/details'] });
      const id = await make('invoice', 1506);
      expect(await cashier.cancelInvoice(id)).toMatchObject({ StatusCode: 0 });
      await bank.disturb({});
      const { payment } = await records.waitForOutcome({ id }, { signal: never });
      expect(payment).toMatchObject({ outcome: 'failed', status: 'RemotePaymentCanceled' });
      expect(await cashier.invoiceDetails(id)).toMatchObject({ Data: { Id: Number(id) } });
      const { Data: data } = await cashier.invoiceHistory();
      expect(data).toMatchObject({ Invoices: expect.any(Array) });
      await expect(cashier.cancelInvoice(id)).rejects.toMatchObject({ code: 'refused' });
      await expect(cashier.invoiceDetails('5')).rejects.toMatchObject({ code: 'not_found' });
    });
  });

  describe('the provider’s history', () => {
    it('is returned unchanged', async () => {
      const { paymentId } = await ended('qr', 1500);
      const { Data: data } = await cashier.operations({ endDate: today() });
      expect(data).toMatchObject({ Operations: expect.any(Array) });
      expect(await cashier.operationDetails(Number(paymentId))).toMatchObject({
        StatusCode: 0,
        Data: { Id: Number(paymentId), Status: 'Processed' },
      });
      await expect(cashier.operationDetails(5)).rejects.toMatchObject({ code: 'not_found' });
    });
  });

  describe('a refund', () => {
    it('is made once per key, is listed, and is rejected above the remaining amount', async () => {
      const { paymentId } = await ended('qr', 1500);
      const order = { qrOperationId: Number(paymentId), returnAmount: 500.5 };
      const { key, earlier } = await cashier.refundKey(order);
      expect(earlier).toBeUndefined();
      // Until the refund is made, every request for it has the same key.
      expect(await cashier.refundKey({ ...order })).toEqual({ key, earlier });
      const repeat = repeatKeyOf(key);
      const answer = await cashier.refund(order, repeat);
      expect(answer).toMatchObject({ StatusCode: 0 });
      expect(await cashier.refund(order, repeat)).toEqual(answer);
      // After the refund is made, a request with the same or a different amount is a new refund.
      const keys = [key, (await cashier.refundKey(order)).key];
      keys.push((await cashier.refundKey({ ...order, returnAmount: 500 })).key);
      expect(new Set(keys).size).toBe(3);
      const { rows } = await records.refunds({ limit: 1 });
      expect(rows).toEqual([
        {
          id: text,
          paymentId,
          type: 'refund',
          amount: 500.5,
          outcome: 'success',
          cashier: phone,
          createdAt: time,
        },
      ]);
      const more = cashier.refund({ ...order, returnAmount: 1500 }, repeatKeyOf(''));
      await expect(more).rejects.toMatchObject({ code: 'refused' });
    });

    it('in doubt is listed, can be found by its order, and can be closed as never made', async () => {
      const { paymentId } = await ended('qr', 1500);
      const order = { qrOperationId: Number(paymentId), returnAmount: 300 };
      const repeat = repeatKeyOf(`refund in doubt ${paymentId}`);
      const failure = await lost('refunds/create', () => cashier.refund(order, repeat));
      expect(failure).toMatchObject({
        code: 'provider_error',
        fields: { outcome: 'unknown' },
        headers: { 'Idempotency-Key': repeat.key },
      });
      const { key, earlier } = await cashier.refundKey(order);
      expect(key).toBe(repeat.key);
      expect(earlier).toEqual({
        intent: expect.stringMatching(/^[0-9a-f]{24}$/),
        kind: 'refund',
        amount: 300,
        key: repeat.key,
        createdAt: time,
        state: 'in_doubt',
        paymentId,
        candidates: expect.any(Array),
        closedAt: null,
      });
      const other = await cashier.refundKey({ ...order, returnAmount: 301 });
      expect(other.earlier).toBeUndefined();
      const ofIt = await records.refunds({ paymentId, limit: 9 });
      expect(ofIt.rows).toEqual([expect.objectContaining({ id: earlier?.intent, paymentId })]);
      const [newest] = (await records.refunds({ limit: 1 })).rows;
      expect(newest).toMatchObject({ id: earlier?.intent, amount: 300, outcome: null });
      const [known] = (await records.refunds({ only: 'ended', limit: 1 })).rows;
      expect(known?.outcome).not.toBe(null);
      expect(await records.closeIntent(String(earlier?.intent))).toEqual({
        ...earlier,
        state: 'not_made',
        candidates: [],
        closedAt: time,
      });
      expect((await cashier.refundKey(order)).earlier).toBeUndefined();
      const after = await records.refunds({ limit: 1 });
      expect(after.rows).toEqual([{ ...newest, outcome: 'failed' }]);
      expect(after.more).toBe(true);
    });
  });

  describe('a refund in progress', () => {
    it('is listed as running, and a repeated request returns the same refund', async () => {
      const { paymentId } = await ended('qr', 1500);
      const order = { qrOperationId: Number(paymentId), returnAmount: 200 };
      await bank.disturb({ faults: ['slow=1.5@refunds/create'] });
      const making = cashier.refund(order, repeatKeyOf('under way'));
      const running = () =>
        records.intents({ state: 'running', kinds: ['refund'], paymentId, limit: 9 });
      await expect.poll(async () => (await running()).rows).toHaveLength(1);
      const [row] = (await running()).rows;
      expect(row).toMatchObject({ state: 'running', key: 'under way', amount: 200, paymentId });
      expect(await cashier.refundKey(order)).toEqual({ key: 'under way', earlier: row });
      const [refund] = (await records.refunds({ paymentId, limit: 9 })).rows;
      expect(refund).toMatchObject({ id: row?.intent, outcome: null });
      expect(await cashier.refund(order, repeatKeyOf('under way'))).toEqual(await making);
      await bank.disturb({});
      expect(await running()).toEqual({ rows: [], more: false });
      const { rows } = await records.refunds({ paymentId, limit: 9 });
      expect(rows).toEqual([expect.objectContaining({ amount: 200, outcome: 'success' })]);
    });
  });

  describe('a request in doubt', () => {
    it('is settled by adopting the operation', async () => {
      const ask = () => make('qr', 777, `in doubt ${Date.now()}`);
      const failure = await lost('qr/create', ask);
      expect(failure.fields).toMatchObject({ outcome: 'unknown' });
      const [intent, ...others] = await inDoubt();
      expect([intent?.kind, intent?.amount, others]).toEqual(['qr', 777, []]);

      const { missingHere, inDoubt: doubtful } = await cashier.reconcile(today(), never);
      expect(doubtful).toMatchObject([{ intent: intent?.intent, amount: 777 }]);
      const missing = missingHere.find(({ amount }) => amount === 777);
      const operation = {
        id: String(missing?.paymentId),
        type: 'qr',
        intentId: intent?.intent,
      } as const;
      const { payment, isNew, settled } = await cashier.adopt(operation);
      expect([payment.paymentId, payment.amount, isNew]).toEqual([operation.id, 777, true]);
      expect(payment.sandbox).toBe(true);
      const settlement = { state: 'adopted', candidates: [], closedAt: time, keyTaken: true };
      expect(settled).toEqual([{ ...intent, ...settlement }]);
      expect(await inDoubt()).toEqual([]);
      const adopted = await records.intents({ state: 'adopted', kinds: ['qr'], limit: 1 });
      expect(adopted).toEqual({ rows: settled, more: false });
      const waited = await records.waitForOutcome({ id: operation.id }, { signal: never });
      expect(waited.payment.outcome).toBe('success');
      const again = await cashier.adopt({ id: operation.id });
      expect(again).toEqual({ payment: waited.payment, isNew: false, settled: [] });
      const closing = records.closeIntent(String(intent?.intent));
      await expect(closing).rejects.toMatchObject({ code: 'conflict' });
    });

    it('is reported as not found if it is unknown, and so is an unknown operation', async () => {
      await expect(records.closeIntent(nobody)).rejects.toMatchObject({ code: 'not_found' });
      await expect(cashier.adopt({ id: '5' })).rejects.toMatchObject({ code: 'not_found' });
      const { paymentId } = await ended('qr', 1500);
      const wanted = { id: '6', intentId: nobody };
      await expect(cashier.adopt(wanted)).rejects.toMatchObject({ code: 'not_found' });
      expect(await records.find({ id: paymentId })).toMatchObject({ outcome: 'success' });
    });
  });

  describe('a business day', () => {
    it('is summed up in a report', async () => {
      const before = await records.report(today());
      await ended('qr', 1500);
      await ended('invoice', 1501);
      const report = await records.report(today());
      const { organizationId } = await cashier.facts();
      const { cashiers, ...sums } = report;
      const { day, zone: reported, ...takings } = sums;
      expect([day, reported]).toEqual([today(), zone]);
      expect(cashiers).toEqual([{ organizationId, cashier: '+7 (701) ***-**-67', ...takings }]);
      const { count, sum } = before.qr;
      expect(takings).toEqual({
        qr: { count: count + 1, sum: sum + 1500 },
        invoice: before.invoice,
        refund: before.refund,
        gross: { count: before.gross.count + 1, sum: before.gross.sum + 1500 },
        net: before.net + 1500,
      });
      const yesterday = await records.report(shiftDay(today(), -1));
      const nothing = { count: 0, sum: 0 };
      const none = { qr: nothing, invoice: nothing, refund: nothing, gross: nothing, net: 0 };
      expect(yesterday).toEqual({ day: shiftDay(today(), -1), zone, ...none, cashiers: [] });
    });

    it('is compared with the provider, and the comparison stops when the caller aborts', async () => {
      const { paymentId } = await ended('qr', 1700);
      await bank.force(paymentId, 'Rejected');
      const found = await cashier.reconcile(today(), never);
      await bank.force(paymentId, 'Processed');
      const name = { paymentId, type: 'qr', amount: 1700, status: 'Processed', outcome: 'success' };
      const { organizationId } = await cashier.facts();
      expect(Object.keys(found).sort()).toEqual([
        'day',
        'flipped',
        'inDoubt',
        'missingHere',
        'missingThere',
        'otherAmount',
        'otherStatus',
      ]);
      expect(found.flipped).toContainEqual({ organizationId, ...name, flippedTo: 'Rejected' });
      expect(found.otherStatus).toContainEqual({
        organizationId,
        ...name,
        state: 'ended',
        providerStatus: 'Rejected',
        providerOutcome: 'failed',
      });
      expect(await records.find({ id: paymentId })).toMatchObject({ flippedTo: 'Rejected' });
      await expect(cashier.reconcile(today(), AbortSignal.abort())).rejects.toBeDefined();
    });
  });
}

/** Signs in with the three steps. */
async function signIn({ signIn: steps }: GatewayClient, as = phone): Promise<SessionPair> {
  const { processId } = await steps.start();
  await steps.sendPhone(String(processId), as);
  return steps.verifyOtp(String(processId), '123456');
}

/** Returns an invoice that ended long ago, with an ID from a different bank. */
function invoiceOf(id: string, organizationId: number): Payment {
  const moment = Date.parse('2026-01-01T00:00:00Z');
  return {
    ...{ id, type: 'invoice', organizationId, sessionId: 'gone', amount: 1, profileId: 1 },
    ...{ state: 'ended', outcome: 'failed', status: 'Rejected', statusDesc: 'Rejected' },
    ...{ qrToken: null, receiptUrl: null, orderNumber: null },
    ...{ createdAt: moment, expiresAt: null, endedAt: moment },
  };
}
