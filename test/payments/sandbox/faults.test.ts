import { describe, expect, it } from 'vitest';
import { exactInteger } from '../../../src/json/exact-json.js';
import { readOperations } from '../../../src/payments/providers/operation-rows.js';
import type { ProviderCall } from '../../../src/payments/providers/provider.js';
import {
  readCreated,
  readObserved,
  readRefunded,
} from '../../../src/payments/providers/provider-answer.js';
import { createSandbox } from '../../../src/payments/providers/sandbox/sandbox.js';
import { openSandboxStore } from '../../../src/payments/providers/sandbox/store-json/open.js';
import { createManualClock } from '../../helpers/manual-clock.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';
import { signIn } from '../provider-contract.js';

const call: ProviderCall = { signal: new AbortController().signal };

async function begin(...faults: string[]) {
  const clock = createManualClock();
  const folder = await makeTempFolder();
  const store = await openSandboxStore(folder, clock);
  const { provider, control } = createSandbox({ store, clock, speed: 1, zone: 'UTC', faults });
  const { profileId, ...session } = await signIn(provider);
  const coordinates = { latitude: 1, longitude: 1 };
  const qr = (amount = 500, idempotencyKey?: string, as = session) =>
    provider.createQr(
      { session: as, profileId, amount, ...coordinates },
      idempotencyKey ? { ...call, idempotencyKey } : call,
    );
  const invoice = () =>
    provider.createInvoice({ session, profileId, amount: 500, phoneNumber: '77017654321' }, call);
  const status = (qrOperationId: string) => provider.qrStatus({ session, qrOperationId }, call);
  const refund = (id: string, returnAmount: number, idempotencyKey?: string) =>
    provider.refund(
      { session, qrOperationId: exactInteger(id), returnAmount },
      idempotencyKey ? { ...call, idempotencyKey } : call,
    );
  const rows = async () => {
    const period = { endDate: '2026-11-22', statementPeriodCode: 0 };
    return readOperations(await provider.operations({ session, ...period }, call));
  };
  const lookup = (idempotencyKey: string) =>
    provider.lookup({ session, operation: 'qr/create' }, { ...call, idempotencyKey });
  return { clock, provider, control, session, qr, invoice, status, refund, rows, lookup };
}

const unclear = { kind: 'failure', isClear: false };

describe('a sandbox with a fault', () => {
  it.each([
    ['lost', 1],
    ['lost-before', 0],
    ['error', 0],
    ['error-after', 1],
    ['html', 1],
  ])('%s returns no usable answer and creates %d operations', async (fault, count) => {
    const { qr, rows } = await begin(`${fault} x1`);
    await expect(qr()).rejects.toMatchObject(unclear);
    expect(await rows()).toHaveLength(count);
    await qr();
    expect(await rows()).toHaveLength(count + 1);
  });

  it('late creates the operation immediately and answers later', async () => {
    const { clock, qr, rows } = await begin('late=15');
    const answers: object[] = [];
    void qr().then((answer) => answers.push(answer));
    await clock.advance(14_999);
    expect([answers.length, (await rows()).length]).toEqual([0, 1]);
    await clock.advance(1);
    expect(answers).toHaveLength(1);
  });

  it('slow creates the operation later', async () => {
    const { clock, qr, rows } = await begin('slow=3@qr/create');
    const pending = qr();
    await clock.advance(2999);
    expect(await rows()).toHaveLength(0);
    await clock.advance(1);
    await pending;
    expect(await rows()).toHaveLength(1);
  });

  it('hang does nothing until the caller gives up', async () => {
    const { provider, session, rows } = await begin('hang@status');
    const caller = new AbortController();
    const pending = provider.qrStatus({ session, qrOperationId: '1' }, { signal: caller.signal });
    caller.abort();
    await expect(pending).rejects.toMatchObject(unclear);
    expect(await rows()).toHaveLength(0);
  });

  it('twice creates payments and refunds twice, and a lookup by key returns the first one', async () => {
    const { clock, qr, rows, refund, lookup } = await begin('twice');
    const { id } = readCreated('qr', await qr(500, 'k'));
    expect((await rows()).map((row) => row.amount)).toEqual([500, 500]);
    expect((await rows()).map((row) => row.id)).toContain(id);
    expect(readCreated('qr', await lookup('k')).id).toBe(id);
    await clock.advance(4000);
    await refund(id, 100);
    const paid = (await rows()).find((row) => row.id === id);
    expect(paid?.returns.map(({ amount }) => amount)).toEqual([100, 100]);
    // The remaining amount is too small for a second refund.
    expect(readRefunded(await refund(id, 300)).available).toBe(0);
  });

  it('flip ends a payment with the given status and pays it later', async () => {
    const { clock, qr, status } = await begin('flip=Rejected');
    const { id } = readCreated('qr', await qr());
    const now = async () => readObserved(await status(id)).status;
    expect(await now()).toBe('QrTokenCreated');
    await clock.advance(4000);
    expect(await now()).toBe('Rejected');
    await clock.advance(29_999);
    expect(await now()).toBe('Rejected');
    await clock.advance(1);
    expect(await now()).toBe('Processed');
  });

  it('duplicate-id answers with the ID of the previous payment', async () => {
    const { qr, rows } = await begin('duplicate-id');
    const first = readCreated('qr', await qr());
    expect(readCreated('qr', await qr()).id).toBe(first.id);
    expect(new Set((await rows()).map(({ id }) => id)).size).toBe(2);
  });

  it('wrong-id answers a status request with a different operation that is paid', async () => {
    const { qr, status } = await begin('wrong-id x1');
    const { id } = readCreated('qr', await qr());
    const wrong = readObserved(await status(id), id);
    expect(wrong.id).not.toBe(id);
    expect(wrong.status).toBe('Processed');
    expect(readObserved(await status(id), id)).toMatchObject({ id, status: 'QrTokenCreated' });
  });

  it.each([
    ['amount', 501, 500],
    ['amount=-0.5', 499.5, 500],
    ['amount=2@status', 500, 502],
  ])('%s changes the amount in answers', async (fault, created, seen) => {
    const { qr, status } = await begin(fault);
    const made = readCreated('qr', await qr());
    expect(made.amount).toBe(created);
    expect(readObserved(await status(made.id)).amount).toBe(seen);
  });

  it.each(['processed', 'Paid', 'RemotePaymentPaid'])(
    'status=%s sets this status for paid payments in all answers',
    async (paidStatus) => {
      const { clock, qr, status, rows } = await begin(`status=${paidStatus}`);
      const { id, status: fresh } = readCreated('qr', await qr());
      expect(fresh).toBe('QrTokenCreated');
      await clock.advance(4000);
      expect(readObserved(await status(id)).status).toBe(paidStatus);
      expect((await rows())[0]?.status).toBe(paidStatus);
    },
  );

  it.each([
    ['id=text', 'string', /^\d{10}$/],
    ['id=big', 'bigint', /^9\d{18}$/],
  ])('%s accepts IDs in the form in which it returns them', async (fault, type, form) => {
    const { clock, qr, status, rows, refund } = await begin(fault);
    const answer = await qr();
    expect(typeof (answer.Data as { Id: unknown }).Id).toBe(type);
    const { id } = readCreated('qr', answer);
    expect(id).toMatch(form);
    await clock.advance(4000);
    expect(readObserved(await status(id), id).id).toBe(id);
    expect((await rows())[0]?.id).toBe(id);
    expect(readRefunded(await refund(id, 5)).paymentId).toBe(id);
  });

  it.each(['id=uuid', 'id=float', 'id=none'])('%s answers without a readable ID', async (fault) => {
    const { qr, rows } = await begin(`${fault}@create`);
    const answer = await qr();
    expect(answer.StatusCode).toBe(0);
    expect(() => readCreated('qr', answer)).toThrow('lacks an operation ID');
    expect((await rows())[0]?.id).toMatch(/^\d+$/);
  });

  it.each([
    ['code', '0'],
    ['code=OK', 'OK'],
  ])('%s answers with a StatusCode as text', async (fault, StatusCode) => {
    const { qr, rows } = await begin(fault);
    expect(await qr()).toMatchObject({ StatusCode, Data: { Status: 'QrTokenCreated' } });
    expect(await rows()).toHaveLength(1);
  });

  it('daily lists the history only for single days', async () => {
    const { provider, session, qr, rows } = await begin('daily');
    await qr();
    const period = { endDate: '2026-11-22', statementPeriodCode: 0 };
    const { Data } = await provider.operations({ session, ...period }, call);
    expect(Object.keys(Data as object)).toEqual(['DailySets', 'Statistic', 'HasMore']);
    expect(await rows()).toHaveLength(1);
  });

  it.each([
    ['clock=900', '2026-11-21T02:15:00.000', '2026-11-21T02:18:00.000'],
    ['clock=-86400', '2026-11-20T02:00:00.000', '2026-11-20T02:03:00.000'],
  ])('%s shifts the times in answers, but payments end on time', async (fault, made, ends) => {
    const { clock, qr, status, rows } = await begin(fault);
    const { id, expireDate, data } = readCreated('qr', await qr());
    expect([data.CreatedDate, expireDate]).toEqual([made, ends]);
    await clock.advance(4000);
    expect(readObserved(await status(id)).status).toBe('Processed');
    expect((await rows())[0]?.transactionDate).toBe(made);
  });

  it('same-ids numbers the payments of each organization separately', async () => {
    const { provider, control, qr, status, rows, invoice } = await begin('same-ids');
    const { profileId, ...other } = await signIn(provider, '77770000001');
    expect(profileId).toBeGreaterThan(0);
    const made = [await qr(500), await qr(600), await qr(700, undefined, other)];
    expect(made.map((answer) => readCreated('qr', answer).id)).toEqual(['1001', '1002', '1001']);
    expect(readCreated('invoice', await invoice()).id).toBe('1003');
    expect(readObserved(await status('1001')).amount).toBe(500);
    const foreign = await provider.qrStatus({ session: other, qrOperationId: '1001' }, call);
    expect(readObserved(foreign).amount).toBe(700);
    expect((await rows()).map(({ id }) => id)).toEqual(['1003', '1002', '1001']);
    expect(await control.force(1001, 'Rejected')).toBe(true);
    expect(readObserved(await status('1001')).status).toBe('Rejected');
    const both = (await control.list()) as { id: number; status: string }[];
    expect(both.filter(({ id }) => id === 1001).map((each) => each.status)).toEqual([
      'Rejected',
      'Rejected',
    ]);
    // A key still finds the operation that was created with it.
    const kept = readCreated('qr', await qr(800, 'k')).id;
    control.faults.set([]);
    expect(readCreated('qr', await qr(800, 'k')).id).toBe(kept);
    expect(readCreated('qr', await qr(800)).id).not.toBe(kept);
  });

  it('not-idempotent creates a second operation for the same key, and a lookup returns the first one', async () => {
    const { clock, qr, refund, rows, lookup } = await begin('not-idempotent');
    const first = readCreated('qr', await qr(500, 'k'));
    expect(readCreated('qr', await qr(500, 'k')).id).not.toBe(first.id);
    expect(readCreated('qr', await lookup('k')).id).toBe(first.id);
    await clock.advance(4000);
    await refund(first.id, 5, 'k');
    await refund(first.id, 5, 'k');
    const row = (await rows()).find(({ id }) => id === first.id);
    expect(row?.returned).toBe(10);
  });

  it('no-lookup rejects a lookup with a clear outcome', async () => {
    const { lookup } = await begin('no-lookup');
    await expect(lookup('k')).rejects.toMatchObject({ kind: 'failure', isClear: true });
  });

  it.each([
    ['not-idempotent', { idempotent: false, lookup: true, sandbox: true }],
    ['no-lookup', { idempotent: true, lookup: false, sandbox: true }],
    ['undeclared', undefined],
  ])('%s changes the capabilities at sign-in', async (fault, capabilities) => {
    const { provider } = await begin(fault);
    const { processId } = (await provider.startSignIn({}, call)) as { processId: string };
    await provider.sendPhone({ processId, phoneNumber: '77011234567' }, call);
    const answer = await provider.verifyOtp({ processId, otp: '123456' }, call);
    expect(answer.capabilities).toEqual(capabilities);
  });
});
