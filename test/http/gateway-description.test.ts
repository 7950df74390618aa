import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, it } from 'vitest';
import { AppError, type ErrorCode } from '../../src/base/errors.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { startTestServer } from '../helpers/test-server.js';
import { createGatewayClient } from '../payments/gateway-client.js';
import { startReceiver } from '../webhooks/receiver.js';

type Json = Readonly<Record<string, unknown>>;

interface Body {
  readonly content?: {
    readonly 'application/json': {
      readonly schema: { readonly $ref: string };
      readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
    };
  };
}

interface Answer extends Body {
  readonly headers?: Json;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Json;
  readonly example?: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Answer>>;
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
}

let api: ApiDocument;
const ajv = new Ajv2020({ allErrors: true, strict: false });
addFormats.default(ajv);

beforeAll(async () => {
  const server = await startTestServer({ only: 'gateway' });
  api = (await (await fetch(`${server.gateway}/openapi.json`)).json()) as ApiDocument;
  await server.close();
  ajv.addSchema({ $id: 'api', ...api });
});

const operations = () => Object.values(api.paths).flatMap((methods) => Object.values(methods));
const nameOf = ({ content }: Body) => content?.['application/json'].schema.$ref.split('/').at(-1);
const schemaOf = (body: Body) => api.components.schemas[nameOf(body) ?? ''] ?? {};
const examplesOf = ({ content }: Body) =>
  Object.values(content?.['application/json'].examples ?? {}).map(({ value }) => value);

/** Returns the violations of a body's examples, or reports that it has none. */
function faultsOf(where: string, body: Body): string[] {
  const ref = body.content?.['application/json'].schema.$ref;
  const examples = examplesOf(body);
  if (examples.length === 0) return [`${where} has no example`];
  return examples.flatMap((value) =>
    ajv.validate(`api${ref}`, value) ? [] : [`${where}: ${ajv.errorsText()}`],
  );
}

describe('the description of the gateway', () => {
  it('has a valid example for every request, response and error', () => {
    const faults = operations().flatMap(({ operationId, requestBody, responses }) => [
      ...(requestBody ? faultsOf(`${operationId} request`, requestBody) : []),
      ...Object.entries(responses).flatMap(([status, answer]) =>
        faultsOf(`${operationId} ${status}`, answer),
      ),
    ]);
    expect(faults).toEqual([]);
  });

  it('has a valid example for every required parameter', () => {
    const required = operations().flatMap(({ operationId, parameters = [] }) =>
      parameters.filter((each) => each.required).map((each) => ({ operationId, ...each })),
    );
    expect(required.map(({ name }) => name)).toContain('qrOperationId');
    for (const { operationId, name, schema, example } of required) {
      expect(ajv.validate(schema, example), `${operationId} ${name}`).toBe(true);
    }
  });

  it('lists the error codes of every status, each with an example', () => {
    const failures = operations().flatMap(({ responses }) =>
      Object.entries(responses).filter(([status]) => Number(status) >= 400),
    );
    expect(failures.length).toBeGreaterThan(50);
    for (const [status, answer] of failures) {
      const { properties, required } = schemaOf(answer) as {
        properties: { code: { enum: readonly ErrorCode[] } };
        required: readonly string[];
      };
      const codes = properties.code.enum;
      expect(required).toEqual(expect.arrayContaining(['error', 'code']));
      expect(codes.map((code) => String(new AppError(code, '').status))).toEqual(
        codes.map(() => status),
      );
      expect(examplesOf(answer).map((example) => (example as Json).code)).toEqual(codes);
    }
  });

  it('has a type for the response of every endpoint', () => {
    for (const { operationId, responses } of operations()) {
      const { properties, anyOf } = schemaOf(responses['200'] ?? {});
      expect(properties ?? anyOf, operationId).toBeDefined();
    }
  });

  it('does not require optional fields of a provider, and allows additional fields', () => {
    const forwarded = operations()
      .map(({ responses }) => responses['200'] ?? {})
      .filter((answer) => /Answer$/.test(nameOf(answer) ?? ''));
    expect(forwarded.map((answer) => nameOf(answer)).sort()).toEqual([
      'ClientAnswer',
      'InvoiceAnswer',
      'InvoiceAnswer',
      'InvoicesAnswer',
      'OperationAnswer',
      'OperationsAnswer',
      'QrAnswer',
      'RefundAnswer',
    ]);
    for (const answer of forwarded) {
      const ref = answer.content?.['application/json'].schema.$ref;
      for (const value of [{}, { Data: null }, { Data: {} }, { Data: { More: [] }, More: 1 }]) {
        expect(ajv.validate(`api${ref}`, value), `${ref} ${ajv.errorsText()}`).toBe(true);
      }
      expect(ajv.validate(`api${ref}`, { StatusCode: 'fine' })).toBe(false);
    }
  });

  it('documents which responses have Idempotency-Key and Retry-After headers', () => {
    const carrying = (header: string) =>
      operations().flatMap(({ operationId, responses }) =>
        Object.entries(responses)
          .filter(([, { headers = {} }]) => header in headers)
          .map(([status]) => `${operationId} ${status}`),
      );
    const creations = ['createInvoice', 'createQr', 'createRefund'];
    const withKey = ['200', '404', '409', '500', '503'];
    expect(carrying('Idempotency-Key').sort()).toEqual(
      creations.flatMap((name) => withKey.map((status) => `${name} ${status}`)),
    );
    const limited = operations().filter(({ responses }) => responses['429']);
    expect(carrying('Retry-After').sort()).toEqual(
      [
        ...limited.map(({ operationId }) => `${operationId} 429`),
        ...operations().map(({ operationId }) => `${operationId} 503`),
      ].sort(),
    );
  });
});

describe('the description of webhooks', () => {
  it('contains the three events, each with a valid example payload', () => {
    expect(Object.keys(api.webhooks)).toEqual([
      'payment.success',
      'payment.failed',
      'payment.expired',
    ]);
    for (const [event, { post }] of Object.entries(api.webhooks)) {
      expect(faultsOf(event, post.requestBody ?? {})).toEqual([]);
      expect(examplesOf(post.requestBody ?? {})).toMatchObject([{ event }]);
      expect(post.parameters?.map(({ name }) => name)).toContain('X-Webhook-Sandbox');
      for (const { name, schema, example } of post.parameters ?? []) {
        if (example !== undefined) expect(ajv.validate(schema, example), name).toBe(true);
      }
    }
  });

  it('contains the payload of the contract and a reference of at most 64 characters', () => {
    const { required, properties } = schemaOf(
      api.webhooks['payment.success']?.post.requestBody ?? {},
    ) as { required: readonly string[]; properties: Json };
    const contract = [
      ...['event', 'paymentId', 'type', 'status', 'statusDesc', 'amount', 'qrToken'],
      ...['receiptUrl', 'orderNumber', 'data', 'timestamp'],
    ];
    expect([...required].sort()).toEqual([...contract].sort());
    expect(Object.keys(properties).sort()).toEqual([...contract, 'reference'].sort());
    expect(properties.reference).toMatchObject({ type: 'string', maxLength: 64 });
  });

  it('matches the requests that a receiver receives', async () => {
    const receiver = await startReceiver();
    const webhooks = join(await makeTempFolder(), 'webhooks.json');
    const secret = `whsec_${Buffer.from('0123456789').toString('base64')}`;
    const events = ['payment.success', 'payment.failed', 'payment.expired'];
    await writeFile(webhooks, JSON.stringify([{ url: receiver.url, events, secret }]));
    const server = await startTestServer({
      only: 'gateway',
      env: {
        MSGSITE_WEBHOOKS: webhooks,
        MSGSITE_SANDBOX_SPEED: '100',
        MSGSITE_POLL_INTERVAL: '0.05',
      },
    });
    const client = await createGatewayClient(server.gateway);
    const { headers } = await client.signIn();
    const phoneNumber = '77017654321';
    for (const amount of [1500, 1501, 1504]) {
      await client.post('/api/qr/create', { amount }, headers);
      await client.post('/api/invoice/create', { phoneNumber, amount }, headers);
    }
    await expect.poll(() => receiver.received.length).toBe(6);
    await server.close();
    const seen = receiver.received.map(({ body, headers: sent }) => {
      const payload = JSON.parse(body) as { event: string; type: string };
      const { post } = api.webhooks[payload.event] ?? {};
      const ref = post?.requestBody?.content?.['application/json'].schema.$ref;
      expect(ajv.validate(`api${ref}`, payload), ajv.errorsText()).toBe(true);
      for (const { name, required, schema } of post?.parameters ?? []) {
        const text = sent[name.toLowerCase()];
        if (name === 'X-Webhook-Sandbox') expect(text).toBe('true');
        if (text === undefined) expect({ name, required }).toEqual({ name, required: false });
        else
          expect(ajv.validate(schema, schema.type === 'integer' ? Number(text) : text)).toBe(true);
      }
      return `${payload.type} ${payload.event}`;
    });
    expect(seen.sort()).toEqual(
      events.flatMap((event) => [`invoice ${event}`, `qr ${event}`]).sort(),
    );
  });
});
