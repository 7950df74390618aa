import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../helpers/test-server.js';

type Json = Readonly<Record<string, unknown>>;

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({
    env: { MSGSITE_ADMIN_TOKEN: 'sixteen letters!', MSGSITE_RATE_LIMIT: 'off' },
  });
});

afterAll(() => server.close());

/** Formats that limit the length of text. */
const boundedFormats = new Set(['date', 'date-time', 'uuid']);

/** Returns the locations in a schema of texts, lists and numbers without an upper limit. */
function unbounded(schema: unknown, resolve: (ref: string) => unknown, path = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  if (Array.isArray(schema)) {
    return schema.flatMap((part, index) => unbounded(part, resolve, `${path}/${index}`));
  }
  const {
    $ref,
    type,
    enum: words,
    const: only,
    format,
    maxLength,
    maxItems,
    maximum,
    exclusiveMaximum = maximum,
  } = schema as Json;
  const types = [type].flat();
  const fixed = words !== undefined || only !== undefined;
  const isFree =
    (types.includes('string') &&
      !fixed &&
      maxLength === undefined &&
      !boundedFormats.has(String(format))) ||
    (types.includes('array') && maxItems === undefined) ||
    ((types.includes('integer') || types.includes('number')) &&
      !fixed &&
      exclusiveMaximum === undefined);
  return [
    ...(isFree ? [path] : []),
    ...(typeof $ref === 'string' ? unbounded(resolve($ref), resolve, `${path}(${$ref})`) : []),
    ...Object.entries(schema).flatMap(([key, part]) => unbounded(part, resolve, `${path}/${key}`)),
  ];
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly schema: Json }[];
  readonly requestBody?: Json;
}

async function describedBy(url: string) {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Json };
  };
  const resolve = (ref: string) => document.components.schemas[ref.split('/').at(-1) ?? ''];
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method} ${path}`,
      operation,
    })),
  );
  return { operations, resolve };
}

test.each(['site', 'gateway'] as const)(
  'every input of the %s has an upper limit',
  async (name) => {
    const { operations, resolve } = await describedBy(server[name]);
    expect(operations.length).toBeGreaterThan(10);
    const free = operations.flatMap(({ name: place, operation }) => [
      ...unbounded(operation.requestBody, resolve, `${place} body`),
      ...(operation.parameters ?? []).flatMap((parameter) =>
        unbounded(parameter.schema, resolve, `${place} ${parameter.name}`),
      ),
    ]);
    expect(free).toEqual([]);
  },
);

test('every text that a sandbox server accepts has an upper limit', async () => {
  const text = await readFile('schemas/provider-protocol.schema.json', 'utf8');
  const { $defs } = JSON.parse(text) as { $defs: Record<string, { description?: string }> };
  const requests = Object.entries($defs).filter(([, { description = '' }]) =>
    /^(POST|PUT) /.test(description),
  );
  expect(requests.length).toBeGreaterThan(10);
  const free = requests.flatMap(([name, schema]) =>
    unbounded(schema, () => undefined, name).filter(
      (path) => !/amount|Amount|Id|code|Code|id|Method/.test(path),
    ),
  );
  expect(free).toEqual([]);
});

function post(url: string, body: string, headers: Readonly<Record<string, string>> = {}) {
  return fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  });
}

async function bodyOf(response: Response): Promise<Readonly<Record<string, string>>> {
  return (await response.json()) as Readonly<Record<string, string>>;
}

describe('input that is too long', () => {
  test('an e-mail address or password that is too long is rejected at sign-in', async () => {
    const credentials = { email: 'a'.repeat(255), password: 'b'.repeat(257) };
    const answer = await post(`${server.site}/api/auth/login`, JSON.stringify(credentials));
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: 'validation_failed',
      details: [
        { path: '/email', message: 'must have at most 254 characters' },
        { path: '/password', message: 'must have at most 256 characters' },
      ],
    });
  });

  test('a password of 72 bytes in any alphabet is accepted', async () => {
    for (const password of ['я'.repeat(36), '\u{1f511}'.repeat(18), 'p'.repeat(72)]) {
      const account = {
        username: 'a',
        email: `${Buffer.from(password).toString('hex').slice(0, 8)}@shop.kz`,
        password,
      };
      const registered = await post(`${server.site}/api/auth/register`, JSON.stringify(account));
      expect(registered.status).toBe(201);
      const { email } = account;
      const signedIn = await post(
        `${server.site}/api/auth/login`,
        JSON.stringify({ email, password }),
      );
      expect(signedIn.status).toBe(200);
    }
  });

  test('a header that is too long is rejected by the route that reads it', async () => {
    const headers = { 'X-Token-SN': 'x'.repeat(501) };
    const answer = await post(`${server.gateway}/api/auth/session`, '{}', headers);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: 'validation_failed',
      details: [{ path: '/X-Token-SN', message: 'must have at most 500 characters' }],
    });
  });

  test('a path segment that is too long returns 404', async () => {
    const answer = await fetch(`${server.site}/avatars/user/1/${'x'.repeat(1000)}.svg`);
    expect(answer.status).toBe(404);
    expect((await answer.text()).length).toBeLessThan(300);
  });
});

describe('deeply nested JSON', () => {
  const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;

  test.each([
    ['site', '/api/admin/products', { Authorization: 'Bearer sixteen letters!' }],
    ['site', '/api/auth/login', {}],
    ['gateway', '/api/auth/session', {}],
  ] as const)('of more than 64 levels is rejected by the %s at %s', async (name, path, headers) => {
    for (const body of [nested(65), nested(5000), `${'['.repeat(65)}${']'.repeat(65)}`]) {
      const rejected = await post(server[name] + path, body, headers);
      expect(rejected.status).toBe(400);
      expect((await bodyOf(rejected)).code).toBe('invalid_json');
    }
    const accepted = await post(server[name] + path, nested(64), headers);
    expect((await bodyOf(accepted)).code).not.toBe('invalid_json');
  });

  test('is rejected even with an Idempotency-Key', async () => {
    const signIn = async (step: string, body: object) =>
      bodyOf(await post(`${server.gateway}/api/auth/${step}`, JSON.stringify(body)));
    const { processId } = await signIn('init', {});
    await signIn('send-phone', { processId, phoneNumber: '77011234567' });
    const { tokenSN, vtokenSecret } = await signIn('verify-otp', { processId, otp: '123456' });
    const headers = {
      'X-Token-SN': tokenSN ?? '',
      'X-Vtoken-Secret': vtokenSecret ?? '',
      'Idempotency-Key': 'deep',
    };
    const body = (levels: number) => `{"amount":100,"note":${nested(levels - 1)}}`;
    const rejected = await post(`${server.gateway}/api/qr/create`, body(5000), headers);
    expect(rejected.status).toBe(400);
    expect((await bodyOf(rejected)).code).toBe('invalid_json');
    expect((await post(`${server.gateway}/api/qr/create`, body(64), headers)).status).toBe(200);
  });
});
