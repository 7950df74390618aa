import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, inject, it, onTestFinished } from 'vitest';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { createEmptyDatabase, createTestDatabase } from '../helpers/test-database.js';
import { startTestServer } from '../helpers/test-server.js';
import { longIntegers } from '../json/long-integers.js';
import { startReceiver } from '../webhooks/receiver.js';
import { createGatewayClient } from './gateway-client.js';

/** A payment ID whose 27 digits do not fit in a double. */
const id = '900719925474099312345678901';
/** Numbers that JSON.parse would change, in every position, and strings that look like them. */
const trace =
  `"Trace":{"12345678901234567890":[-98765432109876543210,[9007199254740993]],` +
  `"Text":"12345678901234567890","Quoted":"\\":12345678901234567890,","Null":null,"Half":0.5}`;

/** Starts a bank with fixed responses that records the request bodies. */
async function startBank(answers: Readonly<Record<string, string>>) {
  const asked: { readonly path: string; readonly body: string }[] = [];
  const server = createServer(async (request, response) => {
    const path = (request.url ?? '').replace('/provider/v1/', '');
    asked.push({ path, body: await text(request) });
    const body = answers[path];
    response.writeHead(body?.startsWith('{"kind"') ? 409 : 200);
    response.end(body ?? '{"StatusCode":0,"Data":{}}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    bodiesOf: (wanted: string) =>
      asked.filter(({ path }) => path === wanted).map(({ body }) => body),
  };
}

const operation = (status: string) =>
  `{"StatusCode":0,"Message":null,"Data":{"Id":${id},"QrOperationId":${id},"Status":"${status}",` +
  `"Amount":1500,"OrderNumber":12345678901234567890,${trace}}}`;

const row = `{"Id":${id},"TransactionDate":"2026-11-01T10:00:00",${trace}}`;
const refused = `{"kind":"refused","message":"No.","answer":{"StatusCode":-1,${trace}}}`;

const answers = {
  'sign-in/start': '{"processId":"p-1"}',
  'sign-in/phone': '{"processId":"p-1","desc":"Sent."}',
  'sign-in/code':
    '{"tokenSN":"t-1","vtokenSecret":"s-1","profileId":1,"organizationId":1,' +
    '"organizations":[{"id":12345678901234567890}]}',
  'qr/create': operation('QrTokenCreated'),
  'qr/status': operation('Processed'),
  'invoices/details': operation('Processed'),
  'invoices/cancel': refused,
  'operations/history': `{"StatusCode":0,"Data":{"Operations":[${row}],"HasMore":false}}`,
  'operations/details': operation('Processed'),
  'refunds/create': `{"StatusCode":0,"Data":{"Id":77,"QrOperationId":${id},${trace}}}`,
};

async function begin() {
  const said: Record<string, string> = { ...answers };
  const bank = await startBank(said);
  const receiver = await startReceiver();
  const folder = await makeTempFolder();
  const webhooks = join(folder, 'webhooks.json');
  await writeFile(webhooks, JSON.stringify([{ url: receiver.url, events: ['payment.success'] }]));
  const env = {
    MSGSITE_PROVIDER: bank.url,
    MSGSITE_WEBHOOKS: webhooks,
    MSGSITE_POLL_INTERVAL: '0.05',
    MSGSITE_DATA: join(folder, 'data'),
    ...(inject('postgres') ? { MSGSITE_DATABASE: await createTestDatabase() } : {}),
  };
  const server = await startTestServer({ only: 'gateway', data: env.MSGSITE_DATA, env });
  onTestFinished(server.close);
  const session: Record<string, string> = {};
  const call = async (path: string, body?: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${server.gateway}/api/${path}`, {
      ...(body === undefined ? {} : { method: 'POST', body }),
      headers: { 'Content-Type': 'application/json', ...session, ...headers },
    });
    return { status: response.status, text: await response.text() };
  };
  await call('auth/init', '{}');
  await call('auth/send-phone', '{"phoneNumber":"77011234567","processId":"p-1"}');
  const signedIn = await call('auth/verify-otp', '{"otp":"1234","processId":"p-1"}');
  const { tokenSN, vtokenSecret } = JSON.parse(signedIn.text);
  Object.assign(session, { 'X-Token-SN': tokenSN, 'X-Vtoken-Secret': vtokenSecret });
  const cashier = { MSGSITE_TOKEN_SN: tokenSN, MSGSITE_VTOKEN_SECRET: vtokenSecret };
  const cli = (...words: string[]) => runCli(words, { cwd: folder, env: { ...env, ...cashier } });
  return { bank, said, receiver, folder, env, server, call, cli, signedIn };
}

it('every digit of the provider’s numbers is preserved in responses, webhooks, the store and exports', async () => {
  const { receiver, folder, env, server, call, cli, signedIn } = await begin();
  expect(signedIn.text).toContain('"organizations":[{"id":12345678901234567890}]');

  const key = { 'Idempotency-Key': 'k-1' };
  const made = await call('qr/create', '{"amount":1500}', key);
  expect(made).toEqual({ status: 200, text: answers['qr/create'] });
  expect(await call('qr/create', '{"amount":1500}', key)).toEqual(made);
  expect(await call(`qr/status?qrOperationId=${id}`)).toEqual({
    status: 200,
    text: answers['qr/status'],
  });
  const { status, text: failure } = await call('invoice/cancel', '{"operationId":"5"}');
  expect(status).toBe(409);
  expect(failure).toContain(`"details":{"StatusCode":-1,${trace}}`);

  const isData = (body: string) => body.includes(`"OrderNumber":12345678901234567890,${trace}}`);
  await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(1);
  const [webhook] = receiver.received;
  expect(webhook?.body).toContain(`"paymentId":"${id}"`);
  expect(webhook?.body).toContain('"orderNumber":"12345678901234567890"');
  expect(isData(webhook?.body ?? '')).toBe(true);
  await server.close();

  // Replays and a restarted server read the stored delivery.
  const replay = await cli('webhooks', 'replay', '--all');
  expect(replay.exitCode, replay.stderr).toBe(0);
  expect(isData(receiver.received[1]?.body ?? '')).toBe(true);
  const again = await startTestServer({ only: 'gateway', data: env.MSGSITE_DATA, env });
  const headers = { 'Content-Type': 'application/json', ...key };
  const { tokenSN, vtokenSecret } = JSON.parse(signedIn.text);
  const repeated = await fetch(`${again.gateway}/api/qr/create`, {
    method: 'POST',
    body: '{"amount":"1500.00"}',
    headers: { ...headers, 'X-Token-SN': tokenSN, 'X-Vtoken-Secret': vtokenSecret },
  });
  expect(await repeated.text()).toBe(made.text);
  await again.close();

  const exported = await cli('data', 'export');
  expect(exported.exitCode, exported.stderr).toBe(0);
  const records = exported.stdout.split('\n');
  const kinds = records.filter((line) => line.includes(trace)).map((line) => line.slice(0, 25));
  expect(kinds.map((line) => line.split('"')[3])).toEqual(['payment-answer', 'delivery']);
  const elsewhere: Record<string, string> = inject('postgres')
    ? { MSGSITE_DATABASE: await createEmptyDatabase(), MSGSITE_DATA: join(folder, 'elsewhere') }
    : { MSGSITE_DATA: join(folder, 'elsewhere') };
  const imported = await runCli(['data', 'import', '-'], {
    env: elsewhere,
    stdin: exported.stdout,
  });
  expect(imported.exitCode, imported.stderr).toBe(0);
  const back = await runCli(['data', 'export'], { env: elsewhere });
  expect(back.stdout.split('\n').slice(1)).toEqual(records.slice(1));
});

it('IDs beyond 2^53 are sent to the provider exactly, whether they are numbers or text', async () => {
  const { said, bank, call, cli } = await begin();
  for (const json of [id, `"${id}"`]) {
    expect((await call('history/details', `{"id":${json}}`)).text).toBe(
      answers['operations/details'],
    );
    const order = `{"qrOperationId":${json},"returnAmount":"1500.50"}`;
    const key = { 'Idempotency-Key': 'a refund' };
    expect((await call('refund/create', order, key)).text).toBe(answers['refunds/create']);
    expect((await call('invoice/cancel', `{"operationId":${json}}`)).status).toBe(409);
  }
  expect(bank.bodiesOf('operations/details')).toEqual(
    Array(2).fill(`{"id":${id},"operationMethod":0}`),
  );
  // Both are the same request.
  expect(bank.bodiesOf('refunds/create')).toEqual([
    `{"qrOperationId":${id},"returnAmount":1500.5}`,
  ]);
  expect(bank.bodiesOf('invoices/cancel')).toEqual(Array(2).fill(`{"operationId":"${id}"}`));

  said['refunds/create'] = answers['refunds/create'].replace('"Id":77', '"Id":78');
  const words = ['pay', 'refund', id, '--amount', '500', '--yes', '--json'];
  const { exitCode, stdout, stderr } = await cli(...words);
  expect(exitCode, stderr).toBe(0);
  expect(stdout.replace(/\s/g, '')).toBe(said['refunds/create']);
  expect(bank.bodiesOf('refunds/create').at(-1)).toBe(`{"qrOperationId":${id},"returnAmount":500}`);
});

it('clients receive the provider’s answers unchanged, both directly and from the store', async () => {
  const { said, bank, call } = await begin();
  let count = 0;
  await fc.assert(
    fc.asyncProperty(longIntegers, async (any) => {
      count += 1;
      const answer = `{"StatusCode":0,"Data":{"Id":${count},"QrOperationId":5,"Any":${any}}}`;
      said['refunds/create'] = answer;
      const order = '{"qrOperationId":5,"returnAmount":1}';
      for (let time = 1; time <= 2; time += 1) {
        const given = await call('refund/create', order, { 'Idempotency-Key': `k-${count}` });
        expect(given).toEqual({ status: 200, text: answer });
      }
    }),
    { numRuns: 15 },
  );
  expect(bank.bodiesOf('refunds/create')).toHaveLength(count);
});

it('a provider module receives bigints and can return them', async () => {
  const folder = await makeTempFolder();
  const provider = join(folder, 'provider.mjs');
  const example = new URL('../../docs/examples/provider-module.mjs', import.meta.url).href;
  await writeFile(
    provider,
    `import create from ${JSON.stringify(example)};
    export default (context) => {
      const bank = create(context);
      const asked = async ({ id, qrOperationId }) => ({
        StatusCode: 0,
        Data: { asked: [typeof (id ?? qrOperationId), id ?? qrOperationId], more: -(2n ** 70n) },
      });
      const verifyOtp = (input) => bank.verifyOtp({ ...input, otp: '0000' });
      return { ...bank, verifyOtp, operationDetails: asked, refund: asked, invoiceHistory: async () => ({
        StatusCode: 0,
        Data: { tooLong: 10n ** 1000n },
      }) };
    };`,
  );
  const server = await startTestServer({ only: 'gateway', env: { MSGSITE_PROVIDER: provider } });
  onTestFinished(server.close);
  const { post, signIn } = await createGatewayClient(server.gateway);
  const { headers } = await signIn();
  const ask = async (path: string, body: string) => {
    const sent = { ...headers, 'Content-Type': 'application/json', 'Idempotency-Key': 'k' };
    const response = await fetch(`${server.gateway}/api/${path}`, {
      ...{ method: 'POST', headers: sent, body },
    });
    return response.text();
  };
  const more = '"more":-1180591620717411303424';
  const long = `{"StatusCode":0,"Data":{"asked":["bigint",${id}],${more}}}`;
  expect(await ask('history/details', `{"id":"${id}"}`)).toBe(long);
  expect(await ask('history/details', '{"id":"5"}')).toContain('["number",5]');
  const order = `{"qrOperationId":${id},"returnAmount":1}`;
  expect([await ask('refund/create', order), await ask('refund/create', order)]).toEqual([
    long,
    long,
  ]);
  expect(await post('/api/invoice/history', {}, headers)).toMatchObject({
    status: 500,
    body: { code: 'provider_error', error: expect.stringContaining('too long') },
  });
});

it.each([
  [['pay', 'history', '--from', '2026-11-01', '--to', '2026-11-02'], `"id":"${id}"`],
  [['pay', 'invoice', 'show', id], operation('Processed')],
  [['pay', 'invoice', 'cancel', id], `"details":{"StatusCode":-1,${trace}}`],
])('%j --json prints every digit', async (words, expected) => {
  const { cli } = await begin();
  const { stdout } = await cli(...words, '--json');
  expect(stdout.replace(/\s/g, '')).toContain(expected);
});
