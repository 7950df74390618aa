// A complete integration with the payment gateway, with types from openapi-typescript and requests with openapi-fetch.
//
//   npx openapi-typescript http://127.0.0.1:3001/openapi.json -o gateway.ts
//   npx tsc
//   node integration.js

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import createClient from 'openapi-fetch';
import type { components, paths } from './gateway.js';

const client = createClient<paths>({ baseUrl: process.env.GATEWAY ?? 'http://127.0.0.1:3001' });

/** Returns the data of a response, or throws the gateway's error. */
function done<Data>(result: { data?: Data; error?: { error: string; code: string } }): Data {
  if (result.error) throw new Error(`${result.error.error} (${result.error.code})`);
  if (result.data === undefined) throw new Error('The response has no body.');
  return result.data;
}

/** Signs in. All further requests use the session. */
async function signIn(phoneNumber: string, readCode: () => Promise<string>) {
  const { processId } = done(await client.POST('/api/auth/init'));
  done(await client.POST('/api/auth/send-phone', { body: { phoneNumber, processId } }));
  const otp = await readCode();
  const session = done(await client.POST('/api/auth/verify-otp', { body: { otp, processId } }));
  client.use({
    onRequest({ request }) {
      request.headers.set('X-Token-SN', session.tokenSN);
      request.headers.set('X-Vtoken-Secret', session.vtokenSecret);
    },
  });
  return session;
}

const postQr = (amount: number, key: string) =>
  client.POST('/api/qr/create', {
    body: { amount },
    params: { header: { 'Idempotency-Key': key } },
  });

/** The codes with which a creation can fail, from the gateway's API description. */
type Failure = NonNullable<Awaited<ReturnType<typeof postQr>>['error']>['code'];

/** Returns what to do about a failure. Does not compile if a code is missing. */
function adviceFor(code: Failure): 'repeat' | 'repeat later' | 'sign in' | 'give up' {
  switch (code) {
    case 'rate_limited':
    case 'storage_unavailable':
    case 'shutting_down':
    case 'internal_error':
    case 'provider_error':
      return 'repeat'; // With the same key, so that there is no second payment.
    case 'in_doubt':
      return 'repeat later'; // The payment may exist; a new key could create a second one.
    case 'unauthorized':
    case 'session_ended':
      return 'sign in';
    case 'refused':
    case 'not_found':
    case 'conflict':
    case 'invalid_json':
    case 'validation_failed':
    case 'too_large':
    case 'unsupported_media_type':
    case 'misdirected':
      return 'give up';
    default:
      return code satisfies never;
  }
}

/** Creates a QR payment exactly once: every attempt has the same key. */
async function createQr(amount: number) {
  const key = randomUUID();
  for (let attempt = 1; ; attempt++) {
    const { data, error, response } = await postQr(amount, key);
    if (data) return data.Data;
    if (attempt === 3 || adviceFor(error.code) !== 'repeat') throw new Error(error.error);
    await sleep(1000 * Number(response.headers.get('Retry-After') ?? 1));
  }
}

/** Waits until the customer has paid. A shop can use a webhook instead. */
async function waitForPayment(qrOperationId: string) {
  for (;;) {
    const query = { qrOperationId };
    const { Data } = done(await client.GET('/api/qr/status', { params: { query } }));
    if (Data?.Status === 'Processed') return Data;
    await sleep(200);
  }
}

async function createInvoice(phoneNumber: string, amount: number, comment: string) {
  const header = { 'Idempotency-Key': randomUUID() };
  const body = { phoneNumber, amount, comment };
  return done(await client.POST('/api/invoice/create', { body, params: { header } })).Data;
}

async function refund(qrOperationId: number, returnAmount: number) {
  const header = { 'Idempotency-Key': randomUUID() };
  const body = { qrOperationId, returnAmount };
  return client.POST('/api/refund/create', { body, params: { header } });
}

/** Reads all operations up to a day, page by page. */
async function operationsUntil(endDate: string) {
  const all: components['schemas']['Operation'][] = [];
  for (let last: string | undefined; ; ) {
    const body = { endDate, ...(last ? { lastTransactionDate: last } : {}) };
    const { Data } = done(await client.POST('/api/history/operations', { body }));
    all.push(...(Data?.Operations ?? []));
    last = Data?.Operations?.at(-1)?.TransactionDate ?? undefined;
    if (!Data?.HasMore || !last) return all;
  }
}

const session = await signIn('77011234567', async () => '123456');
console.log(`Signed in for organization ${session.organizationId}`);

const qr = await createQr(1500);
console.log(`QR code ${qr.QrToken}`);
const paid = await waitForPayment(String(qr.QrOperationId));
console.log(`${paid.Status}: ${paid.Amount} tenge`);

const invoice = await createInvoice('77017654321', 2506, 'Order 17'); // In the sandbox, an amount ending in 06 stays unpaid.
const operationId = String(invoice.Id);
const { Data: cancelled } = done(
  await client.POST('/api/invoice/cancel', { body: { operationId } }),
);
console.log(`Invoice ${cancelled?.Status}`);

const { Data: returned } = done(await refund(Number(qr.QrOperationId), 500));
console.log(`${returned?.ReturnAmount} tenge returned, ${returned?.AvailableAmount} left`);
const { error } = await refund(Number(qr.QrOperationId), 5000);
if (error) console.log(`${error.code}, so: ${adviceFor(error.code)}`);

const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
const history = await operationsUntil(tomorrow);
const mine = history.filter(({ Id }) => Id === qr.QrOperationId || Id === invoice.Id);
console.log(
  `History: ${mine.map(({ OperationType, Status }) => `${OperationType} ${Status}`).join(', ')}`,
);
