import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { AppError } from '../../src/base/errors.js';
import { damaged } from '../../src/base/files/storage-errors.js';
import { silentLog } from '../../src/base/log.js';
import { createRateLimiter } from '../../src/base/rate-limit.js';
import { created, ok, tagged } from '../../src/http/answer/reply.js';
import { createApp } from '../../src/http/app.js';
import { type Listener, openListener } from '../../src/http/listener/listener.js';
import { type RouteGroup, routesOf, type Validator } from '../../src/http/route/route.js';

const acceptName: Validator = (data) => {
  const name = (data as { name?: unknown } | null)?.name;
  acceptName.errors =
    typeof name === 'string'
      ? null
      : [{ instancePath: '', keyword: 'required', params: { missingProperty: 'name' } }];
  return acceptName.errors === null;
};

interface Schema {
  Name(data: unknown): data is { name: string };
}
const defineRoute = routesOf<Schema, { user: { key: string } }>();

const group: RouteGroup = {
  name: 'things',
  description: 'Things for tests.',
  errorShape: 'site',
  schema: 'http',
  validators: { Name: acceptName },
  routes: [
    defineRoute({
      method: 'GET',
      path: '/things',
      name: 'listThings',
      summary: 'List',
      query: { limit: { type: 'integer', description: 'how many', minimum: 1, maximum: 10 } },
      responses: { 200: null },
      handle: () => tagged({ ok: true, data: [1, 2, 3] }),
    }),
    defineRoute({
      method: 'POST',
      path: '/things',
      name: 'createThing',
      summary: 'Create',
      body: 'Name',
      responses: { 201: null },
      handle: ({ body }) => created({ ok: true, name: body.name }),
    }),
    defineRoute({
      method: 'GET',
      path: '/things/:id',
      name: 'readThing',
      summary: 'Read',
      responses: { 200: null },
      handle: ({ id }) => ok({ ok: true, id }),
    }),
    defineRoute({
      method: 'GET',
      path: '/broken',
      name: 'breakDown',
      summary: 'Break',
      responses: { 200: null },
      handle: () => {
        throw new Error('an internal secret');
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/full',
      name: 'fillDisk',
      summary: 'Meet a full disk',
      responses: { 200: null },
      handle: () => {
        throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/damaged',
      name: 'readDamaged',
      summary: 'Meet a damaged file',
      responses: { 200: null },
      handle: () => {
        throw damaged('/srv/data/internal.jsonl', 'line 3', 'this is not a message');
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/mine',
      name: 'readMine',
      summary: 'Read what is mine',
      auth: 'user',
      limit: { rule: { name: 'mine', amount: 2, periodSeconds: 60 }, by: 'principal' },
      responses: { 200: null },
      handle: ({ principal }) => ok({ ok: true, who: principal.key }),
    }),
  ],
};

let listener: Listener;
let outside: string;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'msgsite-http-'));
  outside = join(folder, 'outside.txt');
  const publicFolder = join(folder, 'public');
  await mkdir(join(publicFolder, 'folder'), { recursive: true });
  await writeFile(outside, 'not for the public');
  await writeFile(join(publicFolder, 'index.html'), '<h1>Home</h1>');
  await writeFile(join(publicFolder, '.hidden'), 'hidden');
  await writeFile(join(publicFolder, 'loaf.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await symlink(outside, join(publicFolder, 'link.txt'));
  const app = await createApp({
    groups: [group],
    authenticators: {
      user: {
        schemes: { bearer: { type: 'http', scheme: 'bearer' } },
        authenticate(header) {
          const key = header('authorization');
          if (key === '') throw new AppError('unauthorized', 'Sign in first.');
          return { key };
        },
      },
    },
    rateLimiter: createRateLimiter(systemClock),
    log: silentLog(),
    errorShape: 'site',
    boundHost: '127.0.0.1',
    ownHosts: ['shop.example'],
    trustedProxies: [],
    corsOrigins: ['https://partner.example'],
    https: false,
    publicFolder,
    shutdown: new AbortController().signal,
  });
  listener = await openListener({
    app,
    host: '127.0.0.1',
    port: 0,
    errorShape: 'site',
    clock: systemClock,
    log: silentLog(),
    https: false,
    limits: { headersTimeout: 300, requestTimeout: 600, connectionsCheckingInterval: 50 },
  });
});

afterAll(() => listener.close());

const json = { 'Content-Type': 'application/json' };

async function ask(path: string, init?: RequestInit) {
  const response = await fetch(listener.url + path, init);
  const text = await response.text();
  const body = text.startsWith('{') ? JSON.parse(text) : text;
  return { status: response.status, headers: response.headers, body };
}

/** Sends raw bytes and returns the whole response, for requests that `fetch` would not send. */
function askRaw(request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(listener.port, '127.0.0.1', () => socket.write(request));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('end', () => resolve(answer));
    socket.on('error', reject);
  });
}

describe('error responses', () => {
  test('an unknown path returns 404 in the error envelope', async () => {
    const { status, body } = await ask('/nowhere');
    expect(status).toBe(404);
    expect(body).toEqual({ ok: false, error: expect.any(String), code: 'not_found' });
  });

  test('a path in different case returns 404', async () => {
    expect((await ask('/Things')).status).toBe(404);
    expect((await ask('/THINGS', { method: 'DELETE' })).status).toBe(404);
  });

  test('an unsupported method returns 405 and lists the allowed methods', async () => {
    const { status, headers, body } = await ask('/things', { method: 'DELETE' });
    expect(status).toBe(405);
    expect(headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'HEAD', 'OPTIONS', 'POST']);
    expect(body.code).toBe('method_not_allowed');
  });

  test('an unsupported method for a file returns 405', async () => {
    const { status, headers } = await ask('/index.html', { method: 'POST' });
    expect(status).toBe(405);
    expect(headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  test('an internal error returns 500 and does not reveal its cause', async () => {
    for (const path of ['/broken', '/damaged']) {
      const { status, body } = await ask(path);
      expect([status, body.code]).toEqual([500, 'internal_error']);
      expect(JSON.stringify(body)).not.toContain('internal.jsonl');
    }
  });

  test('a full disk returns 503 storage_unavailable', async () => {
    const { status, body } = await ask('/full');
    expect([status, body.code]).toEqual([503, 'storage_unavailable']);
  });

  test.each(['abc', '1.5', '-1', '0x1', '1e3', '9'.repeat(30)])(
    'the ID %s returns 404',
    async (id) => {
      expect((await ask(`/things/${id}`)).status).toBe(404);
    },
  );

  test('a request that is not HTTP returns 400 in the error envelope', async () => {
    const answer = await askRaw('NONSENSE\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"code":"bad_request"');
  });

  test('headers of more than 16 KB return 431', async () => {
    const answer = await askRaw(
      `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  });
});

describe('request bodies', () => {
  const post = (body: string, headers: Record<string, string> = json) =>
    ask('/things', { method: 'POST', body, headers });

  test('a valid body is passed to the handler', async () => {
    const { status, body } = await post('{"name":"a"}');
    expect([status, body]).toEqual([201, { ok: true, name: 'a' }]);
  });

  test.each(['{"name"', '{"name":}', 'nothing', "{'name':1}"])(
    'the body %s is rejected as invalid_json',
    async (text) => {
      const { status, body } = await post(text);
      expect([status, body.code]).toEqual([400, 'invalid_json']);
    },
  );

  test.each(['{}', '[]', 'null', '5', '"text"', '{"name":null}', ''])(
    'JSON that violates the schema is rejected as validation_failed with the path of the field: %j',
    async (text) => {
      const { status, body } = await post(text);
      expect([status, body.code]).toEqual([400, 'validation_failed']);
      expect(body.details).toEqual([{ path: '/name', message: 'is required' }]);
    },
  );

  test('invalid UTF-8 is rejected as invalid_json, but the replacement character is accepted', async () => {
    const send = (body: Uint8Array) => ask('/things', { method: 'POST', body, headers: json });
    const named = (...bytes: number[]) =>
      send(Buffer.concat([Buffer.from('{"name":"'), Buffer.from(bytes), Buffer.from('"}')]));
    for (const bytes of [[0xff], [0xf0, 0x9f, 0x98], [0xc0, 0x80]]) {
      const { status, body } = await named(...bytes);
      expect([status, body.code]).toEqual([400, 'invalid_json']);
    }
    const { status, body } = await named(0xef, 0xbf, 0xbd);
    expect([status, body.name]).toEqual([201, '\ufffd']);
  });

  test('a missing body is rejected as validation_failed', async () => {
    const { status, body } = await ask('/things', { method: 'POST' });
    expect([status, body.code]).toEqual([400, 'validation_failed']);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/vnd.api+json'])(
    'the content type %s is rejected as unsupported_media_type',
    async (type) => {
      const { status, body } = await post('{"name":"a"}', { 'Content-Type': type });
      expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
    },
  );

  test('a body of more than 100 KB is rejected as too_large', async () => {
    const { status, body } = await post(JSON.stringify({ name: 'x'.repeat(110_000) }));
    expect([status, body.code]).toEqual([413, 'too_large']);
  });

  test('the connection accepts further requests after a body that is too large', async () => {
    for (const size of [200_000, 3_000_000]) {
      for (let round = 0; round < 3; round++) {
        expect((await post(`{"name":"${'x'.repeat(size)}"}`)).status).toBe(413);
        expect((await post('{"name":"a"}')).status).toBe(201);
      }
    }
  });

  test('a charset other than UTF-8 is rejected as unsupported_media_type', async () => {
    const { status } = await post('{"name":"a"}', {
      'Content-Type': 'application/json; charset=x-none',
    });
    expect(status).toBe(415);
  });
});

describe('responses', () => {
  test('HEAD returns the headers of GET without a body', async () => {
    const { status, headers, body } = await ask('/things', { method: 'HEAD' });
    expect([status, headers.get('content-length'), body]).toEqual([200, '26', '']);
  });

  test('OPTIONS lists the methods of a path', async () => {
    const { status, headers } = await ask('/things/1', { method: 'OPTIONS' });
    expect([status, headers.get('allow')]).toEqual([204, 'HEAD, GET, OPTIONS']);
  });

  test('a request with the current ETag returns 304', async () => {
    const etag = (await ask('/things')).headers.get('etag') ?? '';
    const { status, body } = await ask('/things', { headers: { 'If-None-Match': etag } });
    expect([status, body]).toEqual([304, '']);
  });

  test('API responses may not load anything, be framed or be sniffed', async () => {
    for (const path of ['/things', '/nowhere']) {
      const { headers } = await ask(path);
      expect(headers.get('content-security-policy')?.split('; ')).toEqual(
        expect.arrayContaining(["default-src 'none'", "frame-ancestors 'none'", 'sandbox']),
      );
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-request-id')).toMatch(/./);
    }
  });

  test('pages may load their own files but nothing inline', async () => {
    const { headers } = await ask('/index.html');
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('a query value that is out of range returns 400 with its name', async () => {
    const { status, body } = await ask('/things?limit=11');
    expect(status).toBe(400);
    expect(body.details).toEqual([{ path: '/limit', message: 'must be 10 or less' }]);
  });
});

describe('guards', () => {
  test.each([
    ['evil.example', 421],
    ['127.0.0.1.evil.example', 421],
    ['shop.example', 404],
    ['SHOP.example:8080', 404],
    ['localhost:1', 404],
    ['[::1]:3000', 404],
    ['', 421],
  ])('a request for the host "%s" returns %i', async (host, status) => {
    const answer = await askRaw(
      `GET /nowhere HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  test('a request without credentials returns 401, and one above the limit 429 with Retry-After', async () => {
    expect((await ask('/mine')).status).toBe(401);
    const headers = { Authorization: 'me' };
    const statuses = [];
    for (let count = 0; count < 3; count += 1)
      statuses.push((await ask('/mine', { headers })).status);
    expect(statuses).toEqual([200, 200, 429]);
    const { headers: limited, body } = await ask('/mine', { headers });
    expect(Number(limited.get('retry-after'))).toBeGreaterThan(0);
    expect(body.code).toBe('rate_limited');
    expect((await ask('/mine', { headers: { Authorization: 'you' } })).status).toBe(200);
  });

  test('only listed origins may send cross-origin requests', async () => {
    const from = (origin: string) => ask('/things', { headers: { Origin: origin } });
    const partner = await from('https://partner.example');
    expect(partner.headers.get('access-control-allow-origin')).toBe('https://partner.example');
    const other = await from('https://other.example');
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('only pictures may be embedded by pages of other origins', async () => {
    const policy = async (path: string) =>
      (await ask(path)).headers.get('cross-origin-resource-policy');
    expect(await policy('/loaf.svg')).toBe('cross-origin');
    expect(await policy('/index.html')).toBe('same-origin');
    expect(await policy('/things')).toBe('same-origin');
  });
});

describe('slow clients', () => {
  test.each([
    ['headers', 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: '],
    [
      'body',
      'POST /things HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"na',
    ],
  ])(
    'a client that does not complete its %s receives 408 and is disconnected',
    async (_part, bytes) => {
      const answer = await askRaw(bytes);
      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
      expect(answer).toContain('"code":"request_timeout"');
    },
  );
});

describe('static files', () => {
  test('a page is served with an ETag, and a request with that ETag returns 304', async () => {
    const { status, headers, body } = await ask('/index.html');
    expect([status, body]).toEqual([200, '<h1>Home</h1>']);
    const again = await ask('/index.html', {
      headers: { 'If-None-Match': headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  });

  test.each([
    '/link.txt',
    '/.hidden',
    '/%2e%2e/outside.txt',
    '/..%2foutside.txt',
    '/%00',
    '/%E0%A4%A',
    '/index.html/',
    '//index.html',
    '/folder',
    '/folder/',
  ])('%s returns 404', async (path) => {
    const answer = await askRaw(
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).not.toContain('not for the public');
  });
});
