import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.js';
import { tagged } from '../../src/http/answer/reply.js';
import { represent } from '../../src/http/answer/representation.js';
import type { Listener } from '../../src/http/listener/listener.js';
import { askRaw, groupOf, openTestApp } from '../helpers/test-app.js';

const twoLines = { 'X-Note': 'one\r\nSet-Cookie: two', 'X-Other': 'other' };
const page = represent('<h1>Bread</h1>', { 'Content-Type': 'text/html' });

const routes = groupOf([
  { path: '/json', handle: () => ({ ...tagged({ ok: true }), headers: twoLines }) },
  {
    path: '/page',
    page: true,
    handle: () => ({ status: 200, representation: page, headers: twoLines }),
  },
  { path: '/none', handle: () => ({ status: 404, json: { ok: false, code: 'none' } }) },
  { path: '/name', handle: () => ({ status: 204, headers: { 'X Note': 'text' } }) },
  // A property that cannot be stringified fails after the handler has returned.
  {
    path: '/unwritable',
    handle: () => ({
      status: 201,
      headers: { ETag: '"one"' },
      json: {
        get name() {
          throw new Error('unreadable');
        },
      },
    }),
  },
]);

let listener: Listener;
let folder: string;
let lines: object[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'msgsite-failed-'));
  await writeFile(join(folder, 'style.css'), 'p {}');
  // It is found as the compressed version of a file, but it is a folder.
  await mkdir(join(folder, 'style.css.br'));
  const log = { ...silentLog(), error: (facts: object | string) => lines.push(Object(facts)) };
  listener = await openTestApp({ groups: [routes], publicFolder: folder, log });
});

beforeEach(() => {
  lines = [];
});

afterAll(async () => {
  await listener.close();
  await rm(folder, { recursive: true });
});

test.each(['/json', '/page', '/name', '/unwritable'])(
  'a response that cannot be sent is logged and returned as 500 in the error envelope: %s',
  async (path) => {
    const { status, headers, bytes } = await askRaw(listener.url + path);
    expect([status, JSON.parse(bytes.toString())]).toEqual([
      500,
      { ok: false, code: 'internal_error', error: expect.any(String) },
    ]);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(bytes.length),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    const { etag, 'set-cookie': cookie, 'x-other': other } = headers;
    expect([etag, cookie, other]).toEqual([undefined, undefined, undefined]);
    expect(lines).toEqual([
      {
        request: headers['x-request-id'],
        code: 'internal_error',
        err: expect.any(Error),
      },
    ]);
  },
);

test('an error response has no headers of the file that could not be sent', async () => {
  const { status, headers, bytes } = await askRaw(`${listener.url}/style.css`, {
    headers: { 'accept-encoding': 'br' },
  });
  expect([status, JSON.parse(bytes.toString()).code]).toEqual([404, 'not_found']);
  const { etag, 'last-modified': date, 'content-encoding': coding } = headers;
  expect([etag, date, coding]).toEqual([undefined, undefined, undefined]);
});

test('a response with status 404 from a handler is sent unchanged', async () => {
  const { status, bytes } = await askRaw(`${listener.url}/none`);
  expect([status, JSON.parse(bytes.toString())]).toEqual([404, { ok: false, code: 'none' }]);
});
