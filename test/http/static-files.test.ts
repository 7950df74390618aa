import { mkdir, mkdtemp, rename, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Listener } from '../../src/http/listener/listener.js';
import { askRaw, openTestApp } from '../helpers/test-app.js';

const script = `export const words = ${JSON.stringify('bread and tea '.repeat(400))};\n`;

let listener: Listener;
let folder: string;

beforeAll(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'msgsite-static-')), 'public');
  await mkdir(folder);
  await Promise.all([
    writeFile(join(folder, 'app.js'), script),
    writeFile(join(folder, 'app.js.br'), brotliCompressSync(script)),
    writeFile(join(folder, 'app.js.gz'), gzipSync(script)),
    writeFile(join(folder, 'app.js.map'), '{"version":3}'),
    writeFile(join(folder, 'photo.png'), Buffer.alloc(5000)),
    writeFile(join(folder, 'edited.css'), '/* one */'),
  ]);
  listener = await openTestApp({ publicFolder: folder });
});

afterAll(() => listener.close());

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  askRaw(listener.url + path, { method, headers });

const everything = { 'accept-encoding': 'gzip, deflate, br, zstd' };

describe('a file with compressed versions', () => {
  test.each([
    ['br', everything, brotliDecompressSync],
    ['gzip', { 'accept-encoding': 'gzip, br;q=0' }, gunzipSync],
  ] as const)(
    'is sent in the coding %s with its length, type and date',
    async (coding, headers, unpack) => {
      const answer = await ask('/app.js', headers);
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({
        'content-encoding': coding,
        'content-type': 'text/javascript; charset=utf-8',
        'content-length': String(answer.bytes.length),
        'cache-control': 'no-cache',
        vary: 'Accept-Encoding',
        'content-security-policy': expect.stringContaining("script-src 'self'"),
      });
      expect(Date.parse(answer.headers['last-modified'] ?? '')).toBeGreaterThan(0);
      expect(unpack(answer.bytes).toString()).toBe(script);
    },
  );

  test.each([{}, { 'accept-encoding': 'br;q=0, gzip;q=0' }])(
    'is sent uncompressed with Vary to a client that accepts neither coding: %j',
    async (accepted) => {
      const { headers, bytes } = await ask('/app.js', accepted);
      expect(headers['content-encoding']).toBeUndefined();
      expect(headers.vary).toBe('Accept-Encoding');
      expect(bytes.toString()).toBe(script);
    },
  );

  test.each(['/app.js.br', '/app.js.gz', '/app.js%2ebr'])('is not served at %s', async (path) => {
    expect((await ask(path, everything)).status).toBe(404);
  });

  test('is served with its source map', async () => {
    const { headers, bytes } = await ask('/app.js.map', everything);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(bytes.toString()).toBe('{"version":3}');
  });
});

test('a file without compressed versions is sent unchanged', async () => {
  const { status, headers, bytes } = await ask('/photo.png', everything);
  expect([status, bytes.length]).toEqual([200, 5000]);
  expect(headers['content-encoding']).toBeUndefined();
});

describe('the ETag of a file', () => {
  test('differs for each coding', async () => {
    const codings = ['br', 'gzip', 'identity'];
    const tags = await Promise.all(
      codings.map(async (coding) => {
        const { headers } = await ask('/app.js', { 'accept-encoding': coding });
        return headers.etag;
      }),
    );
    expect(new Set(tags).size).toBe(3);
  });

  test.each(['br', 'gzip', 'identity'])(
    'returns 304 for the coding %s, with the headers that a cache requires',
    async (coding) => {
      const first = await ask('/app.js', { 'accept-encoding': coding });
      const { etag = '' } = first.headers;
      const again = await ask('/app.js', { 'accept-encoding': coding, 'if-none-match': etag });
      expect([again.status, again.bytes.length]).toEqual([304, 0]);
      expect(again.headers).toMatchObject({
        etag,
        vary: 'Accept-Encoding',
        'cache-control': 'no-cache',
      });
      expect(again.headers['content-encoding']).toBeUndefined();
    },
  );

  test('returns the whole file if it belongs to a different coding', async () => {
    const { headers } = await ask('/app.js', { 'accept-encoding': 'gzip' });
    const other = await ask('/app.js', { ...everything, 'if-none-match': headers.etag ?? '' });
    expect(other.status).toBe(200);
    expect(brotliDecompressSync(other.bytes).toString()).toBe(script);
  });
});

test.each([everything, {}])('HEAD of a file returns the headers of GET: %j', async (accepted) => {
  const [got, head] = [await ask('/app.js', accepted), await ask('/app.js', accepted, 'HEAD')];
  const { date: _date, 'x-request-id': _id, ...expected } = got.headers;
  expect(head.status).toBe(200);
  expect(head.headers).toMatchObject(expected);
  expect(head.bytes.length).toBe(0);
});

test('an edited file is sent in its new version', async () => {
  const before = await ask('/edited.css');
  const next = join(folder, 'next.css');
  await writeFile(next, '/* two */');
  // The time differs by a second, in case the file system stores whole seconds.
  await utimes(next, new Date(), new Date(Date.now() + 1000));
  await rename(next, join(folder, 'edited.css'));
  const after = await ask('/edited.css', { 'if-none-match': before.headers.etag ?? '' });
  expect(after.status).toBe(200);
  expect(after.headers.etag).not.toBe(before.headers.etag);
  expect(after.bytes.toString()).toBe('/* two */');
});
