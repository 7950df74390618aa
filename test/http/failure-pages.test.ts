import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FailurePage } from '../../src/http/answer/envelope.js';
import type { Listener } from '../../src/http/listener/listener.js';
import { askRaw, groupOf, openTestApp, type RawOptions } from '../helpers/test-app.js';

const broken = () => {
  throw new Error('an internal secret');
};
const routes = groupOf([
  { path: '/page', page: true, handle: broken },
  { path: '/api/thing', handle: broken },
  {
    path: '/upload',
    method: 'POST',
    content: { types: ['image/png'], maxBytes: 1024 },
    handle: () => ({ status: 204 }),
  },
]);

const failurePage: FailurePage = async ({ error, header, querystring }) => {
  if (querystring === 'undrawn') throw new Error('no storage to draw with');
  const { code, message } = error;
  return `<h1>${code}</h1><p>${message}</p><i>${header('Accept-Language')}|${querystring}</i>`;
};

let withPages: Listener;
let withoutPages: Listener;

beforeAll(async () => {
  withPages = await openTestApp({ groups: [routes], failurePage });
  withoutPages = await openTestApp({ groups: [routes] });
});

afterAll(() => Promise.all([withPages.close(), withoutPages.close()]));

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

const failures: readonly [status: number, code: string, path: string, options: RawOptions][] = [
  [404, 'not_found', '/nowhere', {}],
  [405, 'method_not_allowed', '/page', { method: 'DELETE' }],
  [413, 'too_large', '/upload', { method: 'POST', body: Buffer.alloc(2000) }],
  [500, 'internal_error', '/page', {}],
];

describe.each(failures)('the error %i', (status, code, path, options) => {
  test('is sent as a page to a browser', async () => {
    const { headers, ...answer } = await askRaw(withPages.url + path, {
      ...options,
      headers: browser,
    });
    expect(answer.status).toBe(status);
    expect(answer.bytes.toString()).toContain(`<h1>${code}</h1>`);
    expect(answer.bytes.toString()).not.toContain('secret');
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      vary: 'Accept, Accept-Language, Cookie',
      'content-security-policy': expect.stringContaining("script-src 'self'"),
      'x-frame-options': 'DENY',
    });
  });

  test.each(['', '*/*', 'application/json', 'text/*', 'text/htmlish', 'image/png'])(
    'is sent as JSON to a client that accepts %j',
    async (accept) => {
      const { headers, ...answer } = await askRaw(withPages.url + path, {
        ...options,
        headers: accept === '' ? {} : { accept },
      });
      expect(answer.status).toBe(status);
      expect(JSON.parse(answer.bytes.toString())).toMatchObject({ ok: false, code });
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        vary: 'Accept',
        'content-security-policy': expect.stringContaining('sandbox'),
      });
    },
  );

  test('is sent as JSON to every client if there are no error pages', async () => {
    const answer = await askRaw(withoutPages.url + path, { ...options, headers: browser });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.bytes.toString())).toMatchObject({ ok: false, code });
    expect(answer.headers.vary).toBeUndefined();
  });
});

test.each([
  [404, '/api/nowhere', 'GET'],
  [405, '/api/thing', 'DELETE'],
  [500, '/api/thing', 'GET'],
])('the API error %i of %s is sent as JSON even to a browser', async (status, path, method) => {
  const answer = await askRaw(withPages.url + path, { method, headers: browser });
  expect(answer.status).toBe(status);
  expect(JSON.parse(answer.bytes.toString()).ok).toBe(false);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
});

test('an error page receives the language and query of the request', async () => {
  const headers = { ...browser, 'accept-language': 'kk' };
  const { bytes } = await askRaw(`${withPages.url}/nowhere?lang=ru`, { headers });
  expect(bytes.toString()).toContain('<i>kk|lang=ru</i>');
});

test('the error page of a 405 has the Allow header', async () => {
  const { headers } = await askRaw(`${withPages.url}/upload`, { headers: browser });
  expect(headers.allow).toBe('POST, OPTIONS');
});

test('HEAD returns the headers of the error page', async () => {
  const options = { method: 'HEAD', headers: browser };
  const { status, headers, bytes } = await askRaw(`${withPages.url}/nowhere`, options);
  expect([status, bytes.length]).toEqual([404, 0]);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(Number(headers['content-length'])).toBeGreaterThan(0);
});

test('an error is sent as JSON if its page cannot be rendered', async () => {
  const answer = await askRaw(`${withPages.url}/nowhere?undrawn`, { headers: browser });
  expect(answer.status).toBe(404);
  expect(JSON.parse(answer.bytes.toString()).code).toBe('not_found');
  expect(answer.headers['content-security-policy']).toContain('sandbox');
});
