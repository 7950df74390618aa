import { setMaxListeners } from 'node:events';
import { expect, it } from 'vitest';
import { readOperation, readOperations } from '../../src/payments/providers/operation-rows.js';
import type {
  PaymentProvider,
  ProviderCall,
  ProviderInputs,
  ProviderSession,
} from '../../src/payments/providers/provider.js';
import { readRefunded, readSignedIn } from '../../src/payments/providers/provider-answer.js';
import type { Sandbox } from '../../src/payments/providers/sandbox/sandbox.js';
import { createManualClock, type ManualClock } from '../helpers/manual-clock.js';

export interface ProviderUnderTest {
  readonly provider: PaymentProvider;
  readonly control: Pick<Sandbox['control'], 'list' | 'force' | 'evict'>;
}

type Open = (clock: ManualClock) => Promise<ProviderUnderTest>;

interface Answer {
  readonly StatusCode: number;
  // Providers determine the shape of answers, so tests read them without types.
  readonly Data: Record<string, unknown> & { Id: number; Status: string };
}

const call: ProviderCall = { signal: new AbortController().signal };
// Many calls of a test share this.
setMaxListeners(0, call.signal);
const withKey = (idempotencyKey: string): ProviderCall => ({ ...call, idempotencyKey });

export async function signIn(
  provider: PaymentProvider,
  phoneNumber = '77011234567',
): Promise<ProviderSession & { readonly profileId: number }> {
  const { processId } = (await provider.startSignIn({}, call)) as { processId: string };
  await provider.sendPhone({ processId, phoneNumber }, call);
  const answer = await provider.verifyOtp({ processId, otp: '123456' }, call);
  const { tokenSN, vtokenSecret, profileId } = answer as Record<string, string> & {
    profileId: number;
  };
  return { tokenSN: String(tokenSN), secret: String(vtokenSecret), profileId };
}

/** Tests for a sandbox in the same process or over HTTP. */
export function providerContract(open: Open): void {
  async function begin() {
    const clock = createManualClock();
    const { provider, control } = await open(clock);
    const { profileId, ...session } = await signIn(provider);
    const qr = async (amount: number, key?: string) =>
      (await provider.createQr(
        { session, profileId, amount, latitude: 43.2, longitude: 76.9 },
        key ? withKey(key) : call,
      )) as unknown as Answer;
    const invoice = async (amount: number, phoneNumber = '77017654321', key?: string) =>
      (await provider.createInvoice(
        { session, profileId, amount, phoneNumber },
        key ? withKey(key) : call,
      )) as unknown as Answer;
    const qrStatus = async (id: number, as = session) =>
      (await provider.qrStatus(
        { session: as, qrOperationId: String(id) },
        call,
      )) as unknown as Answer;
    const invoiceStatus = async (id: number) =>
      (await provider.invoiceDetails(
        { session, operationId: String(id) },
        call,
      )) as unknown as Answer;
    return { clock, provider, control, session, profileId, qr, invoice, qrStatus, invoiceStatus };
  }

  it('a QR payment is created, scanned and processed', async () => {
    const { clock, qr, qrStatus } = await begin();
    const { StatusCode, Data } = await qr(1500);
    expect(StatusCode).toBe(0);
    expect(Data).toMatchObject({ Status: 'QrTokenCreated', Amount: 1500, QrOperationId: Data.Id });
    expect(Data.QrToken).toMatch(/^https:\/\//);
    expect(Data.ExpireDate).toBe('2026-11-21T07:03:00.000');
    await clock.advance(2000);
    expect((await qrStatus(Data.Id)).Data.Status).toBe('QrTokenScanned');
    await clock.advance(2000);
    expect((await qrStatus(Data.Id)).Data.Status).toBe('Processed');
  });

  it('an invoice contains the customer and can be cancelled while it is open', async () => {
    const { clock, provider, session, invoice, invoiceStatus } = await begin();
    const { Data } = await invoice(700);
    expect(Data).toMatchObject({ Status: 'RemotePaymentCreated', ClientMobile: '77017654321' });
    const operationId = String(Data.Id);
    const cancelled = await provider.cancelInvoice({ session, operationId }, call);
    expect(cancelled).toMatchObject({ Data: { Status: 'RemotePaymentCanceled' } });
    expect((await invoiceStatus(Data.Id)).Data.Status).toBe('RemotePaymentCanceled');
    await expect(provider.cancelInvoice({ session, operationId }, call)).rejects.toMatchObject({
      kind: 'refused',
    });
    const paid = await invoice(700);
    await clock.advance(4000);
    await expect(
      provider.cancelInvoice({ session, operationId: String(paid.Data.Id) }, call),
    ).rejects.toMatchObject({ kind: 'refused', code: 'refused' });
  });

  it('a payment whose amount ends in 07 fails three status reads and is then processed', async () => {
    const { qr, qrStatus } = await begin();
    const { Data } = await qr(107);
    for (let read = 0; read < 3; read++) {
      await expect(qrStatus(Data.Id)).rejects.toMatchObject({ kind: 'failure' });
    }
    expect((await qrStatus(Data.Id)).Data.Status).toBe('Processed');
  });

  it('a payment whose amount ends in 09 ends the session and is processed after a new sign-in', async () => {
    const { provider, session, qr, qrStatus } = await begin();
    const { Data } = await qr(109);
    await expect(qrStatus(Data.Id)).rejects.toMatchObject({ kind: 'session_ended' });
    await expect(provider.checkSession({ session }, call)).rejects.toMatchObject({
      kind: 'session_ended',
    });
    const again = await signIn(provider);
    expect((await qrStatus(Data.Id, again)).Data.Status).toBe('Processed');
  });

  it('an amount that ends in 10 is rejected with a StatusCode other than 0', async () => {
    const { qr, invoice } = await begin();
    expect((await qr(10)).StatusCode).not.toBe(0);
    expect((await invoice(1110)).StatusCode).not.toBe(0);
  });

  it('refunds are limited to the remaining amount of a paid operation', async () => {
    const { clock, provider, session, qr } = await begin();
    const { Data } = await qr(1000.3);
    const refund = (returnAmount: number, key?: string) =>
      provider.refund({ session, qrOperationId: Data.Id, returnAmount }, key ? withKey(key) : call);
    await expect(refund(1)).rejects.toMatchObject({ kind: 'refused' });
    await clock.advance(4000);
    expect(await refund(1000.2)).toMatchObject({ StatusCode: 0, Data: { ReturnAmount: 1000.2 } });
    await expect(refund(0.11)).rejects.toMatchObject({ kind: 'refused' });
    const last = await refund(0.1, 'k');
    expect(await refund(0.1, 'k')).toEqual(last);
    await expect(refund(0.2, 'k')).rejects.toMatchObject({ kind: 'refused' });
    await expect(refund(0.01)).rejects.toMatchObject({ kind: 'refused' });
  });

  it('concurrent requests with the same idempotency key create one operation', async () => {
    const { qr, invoice } = await begin();
    const made = await Promise.all([qr(1200, 'a'), qr(1200, 'a'), qr(1200, 'a')]);
    expect(new Set(made.map(({ Data }) => Data.Id)).size).toBe(1);
    expect((await qr(1200, 'b')).Data.Id).not.toBe(made[0]?.Data.Id);
    await expect(qr(1300, 'a')).rejects.toMatchObject({ kind: 'refused' });
    expect((await invoice(1200, '77017654321', 'a')).Data.Id).not.toBe(made[0]?.Data.Id);
  });

  it('operations that are created concurrently have different IDs', async () => {
    const { qr } = await begin();
    const made = await Promise.all(Array.from({ length: 20 }, () => qr(500)));
    expect(new Set(made.map(({ Data }) => Data.Id)).size).toBe(20);
  });

  it('customers are found by phone number, except for numbers that end in 0404', async () => {
    const { provider, session } = await begin();
    const found = await provider.findClient({ session, phoneNumber: '77017654321' }, call);
    expect(found).toMatchObject({ StatusCode: 0, Data: { ClientMobile: '77017654321' } });
    await expect(
      provider.findClient({ session, phoneNumber: '77010000404' }, call),
    ).rejects.toMatchObject({ kind: 'not_found', code: 'not_found' });
  });

  it('an operation is hidden from other organizations', async () => {
    const { provider, qr, qrStatus } = await begin();
    const { Data } = await qr(500);
    const { profileId, ...stranger } = await signIn(provider, '77770000001');
    expect(profileId).toBeGreaterThan(0);
    await expect(qrStatus(Data.Id, stranger)).rejects.toMatchObject({ kind: 'not_found' });
    const period = { endDate: '2026-11-21', statementPeriodCode: 0 };
    expect(await provider.operations({ session: stranger, ...period }, call)).toMatchObject({
      Data: { Operations: [] },
    });
  });

  it('the history is sorted newest first, has pages without gaps, and provides details', async () => {
    const { clock, provider, session, qr } = await begin();
    const ids: number[] = [];
    for (let index = 0; index < 60; index++) {
      ids.unshift((await qr(550 + (index % 30))).Data.Id);
      if (index % 7 === 0) await clock.advance(1000);
    }
    const seen: number[] = [];
    let page: { lastTransactionDate?: string } = {};
    for (let more = true; more; ) {
      const answer = await provider.operations(
        { session, endDate: '2026-11-21', statementPeriodCode: 0, ...page },
        call,
      );
      const data = (answer as unknown as Answer).Data;
      const rows = data.Operations as { Id: number; TransactionDate: string }[];
      seen.push(...rows.map(({ Id }) => Id));
      page = { lastTransactionDate: rows.at(-1)?.TransactionDate ?? '' };
      more = data.HasMore === true;
    }
    expect(seen).toEqual(ids);
    const id = ids[0] ?? 0;
    expect(
      await provider.operationDetails({ session, id, operationMethod: 0 }, call),
    ).toMatchObject({ Data: { Id: id, OperationMethod: 0, Returns: [] } });
    const lost = { session, endDate: '2026-11-21', statementPeriodCode: 0 };
    await expect(
      provider.operations({ ...lost, lastTransactionDate: 'yesterday' }, call),
    ).rejects.toMatchObject({ kind: 'refused' });
    const yesterday = { session, endDate: '2026-11-20', statementPeriodCode: 0 };
    expect(await provider.operations(yesterday, call)).toMatchObject({ Data: { Operations: [] } });
  });

  it('the invoice history contains the latest 20 invoices', async () => {
    const { clock, provider, session, invoice, qr } = await begin();
    const ids: number[] = [];
    for (let index = 0; index < 22; index++) {
      ids.unshift((await invoice(900)).Data.Id);
      await clock.advance(1);
    }
    await qr(900);
    const answer = (await provider.invoiceHistory({ session }, call)) as unknown as Answer;
    const rows = answer.Data.Invoices as { Id: number }[];
    expect(rows.map(({ Id }) => Id)).toEqual(ids.slice(0, 20));
  });

  it('a sign-in enforces the order of its steps and ends after five wrong codes', async () => {
    const { provider } = await begin();
    const refused = { kind: 'refused' };
    const start = async () =>
      String(((await provider.startSignIn({}, call)) as { processId: string }).processId);
    const early = await start();
    const code = (processId: string, otp: string) => provider.verifyOtp({ processId, otp }, call);
    await expect(code(early, '123456')).rejects.toMatchObject(refused);
    const phoneNumber = '77011234567';
    const sent = await provider.sendPhone({ processId: early, phoneNumber }, call);
    expect(sent).toMatchObject({ view: 'EnterOtp' });
    expect(JSON.stringify(sent)).not.toContain(phoneNumber);
    await expect(provider.sendPhone({ processId: early, phoneNumber }, call)).rejects.toMatchObject(
      refused,
    );
    for (let left = 4; left >= 0; left--) {
      await expect(code(early, '000000')).rejects.toMatchObject({
        ...refused,
        details: { attemptsLeft: left },
      });
    }
    await expect(code(early, '123456')).rejects.toMatchObject(refused);
    await expect(code('unknown', '123456')).rejects.toMatchObject(refused);
    const bad = provider.sendPhone({ processId: await start(), phoneNumber: '8701' }, call);
    await expect(bad).rejects.toMatchObject(refused);
  });

  it('a sign-in expires after 10 minutes and can be completed only once', async () => {
    const { clock, provider } = await begin();
    const { processId } = (await provider.startSignIn({}, call)) as { processId: string };
    await provider.sendPhone({ processId, phoneNumber: '77011234567' }, call);
    await clock.advance(599_999);
    const verify = () => provider.verifyOtp({ processId, otp: '123456' }, call);
    expect(await verify()).toMatchObject({ step: 'finished', phone: '77011234567' });
    await expect(verify()).rejects.toMatchObject({ kind: 'refused' });
    const late = (await provider.startSignIn({}, call)) as { processId: string };
    await clock.advance(600_000);
    await expect(
      provider.sendPhone({ processId: late.processId, phoneNumber: '77011234567' }, call),
    ).rejects.toMatchObject({ kind: 'refused' });
  });

  it('a phone number always belongs to the same organization', async () => {
    const { provider, profileId } = await begin();
    expect((await signIn(provider)).profileId).toBe(profileId);
  });

  it('an ended or forged session is reported as session_ended', async () => {
    const { provider, session } = await begin();
    const ended = { kind: 'session_ended', code: 'session_ended', exitCode: 4 };
    const forged = { ...session, secret: 'x' };
    await expect(provider.checkSession({ session: forged }, call)).rejects.toMatchObject(ended);
    await provider.endSession({ session }, call);
    await expect(provider.checkSession({ session }, call)).rejects.toMatchObject(ended);
  });

  it('the sandbox declares at sign-in that it is idempotent, has a lookup and is a sandbox', async () => {
    const { provider } = await begin();
    const { processId } = (await provider.startSignIn({}, call)) as { processId: string };
    await provider.sendPhone({ processId, phoneNumber: '77011234567' }, call);
    const answer = await provider.verifyOtp({ processId, otp: '123456' }, call);
    expect(readSignedIn(answer).capabilities).toEqual({
      idempotent: true,
      lookup: true,
      sandbox: true,
    });
  });

  it('a lookup returns the original answer for a key', async () => {
    const { clock, provider, session, qr, invoice } = await begin();
    const lookup = (operation: ProviderInputs['lookup']['operation'], key: string, as = session) =>
      provider.lookup({ session: as, operation }, withKey(key));
    await expect(lookup('qr/create', 'a')).rejects.toMatchObject({ kind: 'not_found' });
    const made = await qr(1200, 'a');
    const billed = await invoice(700, '77017654321', 'b');
    await clock.advance(4000);
    expect(await lookup('qr/create', 'a')).toEqual(made);
    expect(await lookup('invoices/create', 'b')).toEqual(billed);
    const input = { session, qrOperationId: made.Data.Id, returnAmount: 200.5 };
    const returned = await provider.refund(input, withKey('c'));
    await provider.refund({ ...input, returnAmount: 1 }, withKey('d'));
    expect(await lookup('refunds/create', 'c')).toEqual(returned);
    expect(readRefunded(returned)).toMatchObject({
      amount: 200.5,
      paymentId: String(made.Data.Id),
    });
    expect(await lookup('refunds/create', 'c')).toMatchObject({
      Data: { Id: expect.anything(), Status: 'Processed', Amount: 200.5 },
    });
    await expect(lookup('invoices/create', 'a')).rejects.toMatchObject({ kind: 'not_found' });
    await expect(lookup('refunds/create', 'a')).rejects.toMatchObject({ kind: 'not_found' });
    expect((await qr(10, 'refused')).StatusCode).not.toBe(0);
    await expect(lookup('qr/create', 'refused')).rejects.toMatchObject({ kind: 'not_found' });
    const { profileId, ...stranger } = await signIn(provider, '77770000001');
    expect(profileId).toBeGreaterThan(0);
    await expect(lookup('qr/create', 'a', stranger)).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('a key that was used to refund one payment cannot refund another', async () => {
    const { clock, provider, session, qr } = await begin();
    const [one, two] = [await qr(100), await qr(100)];
    await clock.advance(4000);
    const refund = (made: Answer) =>
      provider.refund({ session, qrOperationId: made.Data.Id, returnAmount: 5 }, withKey('k'));
    await refund(one);
    await expect(refund(two)).rejects.toMatchObject({ kind: 'refused' });
  });

  it('the history contains the data that is required to recognise every payment', async () => {
    const { clock, provider, session, profileId, qr, invoice } = await begin();
    const paid = await qr(1200);
    const billed = await invoice(700);
    expect(billed.Data.QrOperationId).toBe(billed.Data.Id);
    await clock.advance(4000);
    const refund = { session, qrOperationId: paid.Data.Id, returnAmount: 200 };
    const returned = await provider.refund(refund, call);
    const period = { endDate: '2026-11-21', statementPeriodCode: 0 };
    const answer = await provider.operations({ session, ...period }, call);
    const rows = readOperations(answer);
    expect(rows).toMatchObject([
      { id: String(billed.Data.Id), type: 'invoice', clientPhone: '77017654321', amount: 700 },
      {
        id: String(paid.Data.Id),
        type: 'qr',
        clientPhone: null,
        amount: 1200,
        returned: 200,
        returns: [
          { id: readRefunded(returned).id, amount: 200, transactionDate: expect.any(String) },
        ],
      },
    ]);
    expect(new Set(rows.map((row) => row.profileId))).toEqual(new Set([profileId]));
    for (const { status } of rows) expect(status).toBe('Processed');
    const { Operations: _, ...daily } = answer.Data as Record<string, unknown>;
    expect(readOperations({ ...answer, Data: daily })).toEqual(rows);
    expect(daily).toMatchObject({
      DailySets: [{ Date: '2026-11-21', Count: 2 }],
      Statistic: { Count: 2, TotalAmount: 1900, TotalReturned: 200 },
    });
    const id = paid.Data.Id;
    const details = await provider.operationDetails({ session, id, operationMethod: 0 }, call);
    expect(readOperation(details)).toMatchObject({ returned: 200, returns: [{ amount: 200 }] });
    expect(details).toMatchObject({ Data: { AvailableReturnAmount: 1000 } });
  });

  it('tests can force an outcome and evict sessions', async () => {
    const { control, session, provider, qr, qrStatus } = await begin();
    const { Data } = await qr(1500);
    expect(await control.force(Data.Id, 'IrisSrcBlockCode12')).toBe(true);
    expect((await qrStatus(Data.Id)).Data.Status).toBe('IrisSrcBlockCode12');
    expect(await control.force(1, 'Processed')).toBe(false);
    expect(await control.list()).toMatchObject([{ id: Data.Id, status: 'IrisSrcBlockCode12' }]);
    await control.evict('77011234567');
    await expect(provider.checkSession({ session }, call)).rejects.toMatchObject({
      kind: 'session_ended',
    });
  });
}
