import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '../../src/base/errors.js';
import { created, ok, okWith, tagged } from '../../src/http/answer/reply.js';
import { cacheRepresentations, representJson } from '../../src/http/answer/representation.js';
import type { Listener } from '../../src/http/listener/listener.js';
import { askRaw, groupOf, openTestApp, type RawOptions, textOf } from '../helpers/test-app.js';

const words = 'bread and tea '.repeat(200);
const list = { ok: true, data: Array.from({ length: 50 }, (_, id) => ({ id, words: 'bread' })) };
const page = `<!doctype html><p>${words}</p>`;
const picture = Buffer.from(words);

let reads = 0;
const cached = cacheRepresentations();
const readList = () => {
  reads += 1;
  return representJson(list);
};
let visits = 0;

function sent(type: string, content: string | Buffer, headers: Record<string, string> = {}) {
  return { status: 200, content, headers: { 'Content-Type': type, ...headers } };
}

const html = 'text/html; charset=utf-8';
const routes = groupOf([
  { path: '/api/list', handle: () => ok(list) },
  { path: '/api/made', method: 'POST', handle: () => created(list) },
  { path: '/api/tagged', handle: () => tagged(list) },
  { path: '/api/changed', method: 'PUT', handle: () => tagged(list) },
  { path: '/api/cached', handle: async () => okWith(await cached('list', readList)) },
  { path: '/api/short', handle: () => ok({ ok: true }) },
  { path: '/page', page: true, handle: () => sent(html, page) },
  { path: '/cyrillic', handle: () => sent(html, 'чай '.repeat(150)) },
  { path: '/drawing', handle: () => sent('image/svg+xml', `<svg>${words}</svg>`) },
  {
    path: '/visit',
    page: true,
    handle: () => {
      visits += 1;
      return { ...sent(html, `${page}<input name="key" value="${visits}">`), etag: 'W/"page"' };
    },
  },
  { path: '/picture', handle: () => sent('image/webp', picture) },
  { path: '/bytes', handle: () => sent('application/octet-stream', picture) },
  { path: '/coded', handle: () => sent(html, page, { 'Content-Encoding': 'zstd' }) },
  { path: '/as-it-is', handle: () => sent(html, page, { 'Cache-Control': 'no-transform' }) },
  {
    path: '/api/many-faults',
    handle: () => {
      const details = Array.from({ length: 50 }, (_, at) => ({ path: `/${at}`, message: 'wrong' }));
      throw new AppError('validation_failed', 'Many values are invalid.', { details });
    },
  },
]);

let listener: Listener;

beforeAll(async () => {
  const failurePage = async () => `<!doctype html><h1>Not here</h1><p>${words}</p>`;
  listener = await openTestApp({ groups: [routes], failurePage });
});

afterAll(() => listener.close());

const ask = (path: string, options?: RawOptions) => askRaw(listener.url + path, options);
const askIn = (coding: string, path: string, options: RawOptions = {}) =>
  ask(path, { ...options, headers: { ...options.headers, 'accept-encoding': coding } });

/** The codings and the suffixes of their entity tags. */
const codings = [
  ['br', '-br'],
  ['gzip', '-gzip'],
  ['identity', ''],
] as const;
const compressed = ['br', 'gzip'] as const;
const browser = 'gzip, deflate, br, zstd';
const json = JSON.stringify(list);

describe.each(compressed)('compression with %s', (coding) => {
  test.each([
    ['an API response', '/api/list', json],
    ['an API response with an ETag', '/api/tagged', json],
    ['a cached API response', '/api/cached', json],
    ['a page', '/page', page],
    ['a text of few characters but many bytes', '/cyrillic', 'чай '.repeat(150)],
    ['an SVG picture', '/drawing', `<svg>${words}</svg>`],
  ])('sends %s with its Content-Length', async (_content, path, text) => {
    const answer = await askIn(coding, path);
    expect(textOf(answer)).toBe(text);
    expect(answer.headers).toMatchObject({
      'content-encoding': coding,
      'content-length': String(answer.bytes.length),
      vary: 'Accept-Encoding',
    });
    expect(answer.bytes.length).toBeLessThan(Buffer.byteLength(text) / 2);
  });

  test('compresses responses to requests that change data', async () => {
    const answer = await askIn(coding, '/api/made', { method: 'POST' });
    expect([answer.status, answer.headers['content-encoding']]).toEqual([201, coding]);
    expect(textOf(answer)).toBe(json);
  });

  test('compresses errors as JSON and as pages', async () => {
    const invalid = await askIn(coding, '/api/many-faults');
    expect([invalid.status, invalid.headers['content-encoding']]).toEqual([400, coding]);
    expect(JSON.parse(textOf(invalid)).details).toHaveLength(50);
    const missing = await askIn(coding, '/nowhere', { headers: { accept: 'text/html' } });
    expect([missing.status, missing.headers['content-encoding']]).toEqual([404, coding]);
    expect(missing.headers.vary).toBe('Accept, Accept-Language, Cookie, Accept-Encoding');
    expect(textOf(missing)).toContain('<h1>Not here</h1>');
  });
});

test.each([
  ['br;q=0.5, gzip', 'gzip'],
  ['br;q=0, *', 'gzip'],
  ['identity, gzip;q=0.5', undefined],
  ['br;q=0, gzip;q=0', undefined],
  ['deflate', undefined],
  [browser, 'br'],
])('a client that accepts %s receives the coding %s', async (accepted, coding) => {
  const answer = await askIn(accepted, '/api/list');
  expect(answer.headers['content-encoding']).toBe(coding);
  expect(textOf(answer)).toBe(json);
});

test('a client without Accept-Encoding receives uncompressed text with Vary', async () => {
  const { headers, bytes } = await ask('/api/list');
  expect(headers['content-encoding']).toBeUndefined();
  expect(headers.vary).toBe('Accept-Encoding');
  expect(bytes.toString()).toBe(json);
});

test.each(['/api/short', '/picture', '/bytes', '/coded', '/as-it-is'])(
  '%s is sent uncompressed because it is short, not text, already encoded or not to be transformed',
  async (path) => {
    const plain = await ask(path);
    const accepting = await askIn(browser, path);
    expect(accepting.bytes).toEqual(plain.bytes);
    expect(accepting.headers['content-encoding']).toBe(plain.headers['content-encoding']);
    expect(accepting.headers.vary).toBeUndefined();
  },
);

describe.each(['/api/tagged', '/api/cached'])('the ETag of %s', (path) => {
  test.each(codings)(
    'for the coding %s ends with %j, and a request with it returns 304',
    async (coding, end) => {
      const plain = (await ask(path)).headers.etag ?? '';
      const { etag = '' } = (await askIn(coding, path)).headers;
      expect(plain).toMatch(/^"[\w-]+"$/);
      expect(etag).toBe(plain.replace(/"$/, `${end}"`));
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
        const again = await askIn(coding, path, { headers: { 'if-none-match': known } });
        expect([again.status, again.bytes.length]).toEqual([304, 0]);
        expect(again.headers).toMatchObject({ etag, vary: 'Accept-Encoding' });
        expect(again.headers['content-encoding']).toBeUndefined();
      }
    },
  );

  test('returns the whole response if it belongs to a different coding', async () => {
    const { etag = '' } = (await askIn('gzip', path)).headers;
    const answer = await askIn('br', path, { headers: { 'if-none-match': etag } });
    expect(answer.status).toBe(200);
    expect(textOf(answer)).toBe(json);
  });
});

test('the response to a change has an ETag and is never 304', async () => {
  const first = await askIn('br', '/api/changed', { method: 'PUT' });
  const headers = { 'if-none-match': first.headers.etag ?? '' };
  const again = await askIn('br', '/api/changed', { method: 'PUT', headers });
  expect([first.status, again.status, textOf(again)]).toEqual([200, 200, json]);
});

test.each(codings)(
  'a page that differs for each visit has a weak ETag in the coding %s, and a request with it returns 304',
  async (coding, end) => {
    const first = await askIn(coding, '/visit');
    const second = await askIn(coding, '/visit');
    expect(textOf(second)).toBe(`${page}<input name="key" value="${visits}">`);
    expect(textOf(second)).not.toBe(textOf(first));
    const etag = `W/"page${end}"`;
    expect([first.headers.etag, second.headers.etag]).toEqual([etag, etag]);
    const again = await askIn(coding, '/visit', { headers: { 'if-none-match': etag } });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  },
);

test.each(['/api/list', '/api/tagged', '/api/cached', '/page', '/api/short', '/nowhere'])(
  'HEAD %s returns the headers of GET',
  async (path) => {
    for (const [coding] of codings) {
      const got = await askIn(coding, path, { headers: { accept: 'text/html' } });
      const options = { method: 'HEAD', headers: { accept: 'text/html' } };
      const head = await askIn(coding, path, options);
      const { date: _date, 'x-request-id': _id, ...expected } = got.headers;
      expect([head.status, head.bytes.length]).toEqual([got.status, 0]);
      expect(head.headers).toMatchObject(expected);
    }
  },
);

test('a cached response is created once and is the same for simultaneous requests', async () => {
  await ask('/api/cached');
  const answers = await Promise.all(Array.from({ length: 10 }, () => askIn('br', '/api/cached')));
  await askIn('gzip', '/api/cached');
  expect(new Set(answers.map(({ bytes }) => bytes.toString('hex'))).size).toBe(1);
  expect(reads).toBe(1);
});

test('a thousand simultaneous requests all receive the complete text', async () => {
  const answers = await Promise.all(Array.from({ length: 1000 }, () => askIn('br', '/api/list')));
  expect(new Set(answers.map(textOf))).toEqual(new Set([json]));
});
