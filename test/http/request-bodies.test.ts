import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CreateInvoice, CreateQr, CreateRefund } from '#validators/gateway';
import { sendRequest } from '../helpers/send-request.js';
import { startTestServer, type TestServer } from '../helpers/test-server.js';
import { createGatewayClient, type Headers } from '../payments/gateway-client.js';

interface Operation {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, unknown>>;
  };
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const adminToken = 'a token of the admin';
let server: TestServer;
/** Documents by listener name. */
const documents = new Map<string, ApiDocument>();
/** The headers that each kind of principal sends. */
let cashier: Headers;
let user: Headers;

beforeAll(async () => {
  server = await startTestServer({
    env: { MSGSITE_ADMIN_TOKEN: adminToken, MSGSITE_RATE_LIMIT: 'off' },
  });
  for (const name of ['site', 'gateway'] as const) {
    const { text } = await sendRequest(`${server[name]}/openapi.json`, {
      method: 'GET',
      headers: {},
    });
    documents.set(name, JSON.parse(text));
  }
  cashier = (await (await createGatewayClient(server.gateway)).signIn()).headers;
  const { text } = await sendRequest(`${server.site}/api/auth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: 'aigerim', email: 'a@shop.kz', password: 'long enough' }),
  });
  user = { Authorization: `Bearer ${JSON.parse(text).token}` };
});
afterAll(() => server.close());

const documentOf = (name: string) => documents.get(name) as ApiDocument;

/** Returns all operations of a listener that read a body, with their addresses. */
function operationsOf(name: 'site' | 'gateway') {
  return Object.entries(documentOf(name).paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      operation.requestBody === undefined
        ? []
        : [
            {
              ...operation,
              requestBody: operation.requestBody,
              method: method.toUpperCase(),
              url: server[name] + path.replaceAll(/\{\w+\}/g, '1'),
            },
          ],
    ),
  );
}

function headersFor({ security }: Operation): Headers {
  const schemes = security.flatMap((each) => Object.keys(each));
  if (schemes.includes('tokenSN')) return cashier;
  if (schemes.some((scheme) => /admin/i.test(scheme))) {
    return { Authorization: `Bearer ${adminToken}` };
  }
  return schemes.length > 0 ? user : {};
}

/** Returns the statuses of the responses to no body, an empty body and an empty object. */
async function statusesOf(operation: ReturnType<typeof operationsOf>[number]): Promise<number[]> {
  const { method, url } = operation;
  const type = { 'Content-Type': Object.keys(operation.requestBody.content)[0] ?? '' };
  const own = headersFor(operation);
  const bodies = [
    { headers: own },
    { headers: { ...own, ...type }, body: '' },
    { headers: { ...own, ...type }, body: '{}' },
  ];
  const answers = bodies.map((each) => sendRequest(url, { method, ...each }));
  return (await Promise.all(answers)).map(({ status }) => status);
}

describe.each(['site', 'gateway'] as const)('the document of the %s', (name) => {
  it('requires a body if and only if the service rejects a request without one', async () => {
    const operations = operationsOf(name);
    expect(operations.length).toBeGreaterThan(5);
    for (const operation of operations) {
      const { operationId, requestBody } = operation;
      const statuses = await statusesOf(operation);
      // With these statuses, the body would not have been validated.
      for (const status of [401, 403, 404, 405])
        expect(statuses, operationId).not.toContain(status);
      const rejected = statuses.map((status) => [400, 415].includes(status));
      const isRequired = requestBody.required === true;
      expect([operationId, rejected]).toEqual([operationId, rejected.map(() => isRequired)]);
    }
  });

  it('does not contain multipleOf, which validators compute with binary fractions', () => {
    expect(JSON.stringify(documentOf(name)).includes('multipleOf')).toBe(false);
  });
});

it("the gateway's document leaves the bodies of auth/session and invoice/history optional", () => {
  const optional = operationsOf('gateway').filter(({ requestBody }) => !requestBody.required);
  expect(optional.map(({ operationId }) => operationId)).toEqual(['readSession', 'listInvoices']);
});

describe('an amount', () => {
  const phoneNumber = '77017654321';

  it('with two decimals is accepted by the document and the service, up to 20,000', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'api', ...documentOf('gateway') });
    const isDescribed = ajv.getSchema('api#/components/schemas/CreateQr');
    const rejected: number[] = [];
    for (let tiyns = 1; tiyns <= 2_000_000; tiyns += 1) {
      const amount = tiyns / 100;
      const isAccepted =
        isDescribed?.({ amount }) &&
        CreateQr({ amount }) &&
        CreateInvoice({ phoneNumber, amount }) &&
        CreateRefund({ qrOperationId: 1, returnAmount: amount });
      if (!isAccepted) rejected.push(amount);
    }
    expect(rejected.slice(0, 10)).toEqual([]);
  });

  it.each([19.99, 4.35, 0.01, 20_000, 9_560_945_211.71, '19.99'])(
    'of %s is accepted',
    async (amount) => {
      const client = await createGatewayClient(server.gateway);
      expect((await client.post('/api/qr/create', { amount }, cashier)).status).toBe(200);
    },
  );

  it.each([1.005, 19.999, 0.001, '1.005'])(
    'of %s is rejected with the path of its field',
    async (amount) => {
      const client = await createGatewayClient(server.gateway);
      const requests = [
        ['qr/create', { amount }, '/amount'],
        ['invoice/create', { phoneNumber, amount }, '/amount'],
        ['refund/create', { qrOperationId: 1, returnAmount: amount }, '/returnAmount'],
      ] as const;
      for (const [path, body, at] of requests) {
        const answer = await client.post(`/api/${path}`, body, cashier);
        expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
        expect(answer.body.details).toEqual([
          { path: at, message: expect.stringContaining('at most two decimals') },
        ]);
      }
    },
  );
});
