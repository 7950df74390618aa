import { mkdir, mkdtemp, rename, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Listener } from '../../src/http/listener/listener.js';
import { askRaw, openTestApp } from '../helpers/test-app.js';

const script = `export const words = ${JSON.stringify('bread and tea '.repeat(400))};\n`;
/** Letters that hardly repeat: the compressed form is too large to keep in memory. */
const huge = Array.from({ length: 300_000 }, (_, index) => (index * 7919).toString(36)).join(' ');

let listener: Listener;
let folder: string;

beforeAll(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'msgsite-compression-')), 'public');
  await mkdir(folder);
  await Promise.all([
    writeFile(join(folder, 'index.html'), `<p>${'Welcome. '.repeat(300)}</p>`),
    writeFile(join(folder, 'app.js'), script),
    writeFile(join(folder, 'commented.js'), `// why\n/** what */\n${script}`),
    writeFile(join(folder, 'small.css'), 'p { margin: 0 }'),
    writeFile(join(folder, 'photo.png'), Buffer.alloc(5000)),
    writeFile(join(folder, 'huge.txt'), huge.padEnd(2 * 1024 * 1024 + 1)),
    writeFile(join(folder, 'edited.css'), '/* one */'.repeat(300)),
    writeFile(join(folder, 'app.js.br'), 'a file of its own, not the other one compressed'),
  ]);
  listener = await openTestApp({ publicFolder: folder });
});

afterAll(() => listener.close());

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  askRaw(listener.url + path, { method, headers });

const everything = { 'accept-encoding': 'gzip, deflate, br, zstd' };

describe('a text file', () => {
  test.each([
    ['br', everything, brotliDecompressSync],
    ['gzip', { 'accept-encoding': 'gzip, br;q=0' }, gunzipSync],
  ] as const)('is sent as %s, with its length, type and date', async (coding, headers, unpack) => {
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
    expect(answer.bytes.length).toBeLessThan(script.length / 10);
    expect(unpack(answer.bytes).toString()).toBe(script);
  });

  test('is sent uncompressed with Vary without an Accept-Encoding header', async () => {
    const { headers, bytes } = await ask('/app.js');
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers.vary).toBe('Accept-Encoding');
    expect(bytes.toString()).toBe(script);
  });

  test.each(['br', 'gzip', 'identity'])(
    'is sent without the comments of a script, as %s',
    async (coding) => {
      const { headers, bytes } = await ask('/commented.js', { 'accept-encoding': coding });
      const unpack = { br: brotliDecompressSync, gzip: gunzipSync }[coding] ?? String;
      expect(unpack(bytes).toString()).toBe(`\n\n${script}`);
      expect(headers).toMatchObject({
        'content-length': String(bytes.length),
        'content-type': 'text/javascript; charset=utf-8',
      });
      const head = await ask('/commented.js', { 'accept-encoding': coding }, 'HEAD');
      expect(head.headers['content-length']).toBe(String(bytes.length));
    },
  );

  test('is sent compressed as the index of a folder', async () => {
    const { headers, bytes } = await ask('/', everything);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(brotliDecompressSync(bytes).toString()).toContain('Welcome. ');
  });

  test('is sent identically to ten simultaneous requests', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask('/app.js', everything)));
    expect(new Set(answers.map(({ bytes }) => bytes.toString('hex'))).size).toBe(1);
  });
});

test.each(['/small.css', '/photo.png', '/huge.txt', '/app.js.br'])(
  '%s is never compressed: small, a picture, or too large to keep',
  async (path) => {
    const { status, headers } = await ask(path, everything);
    expect(status).toBe(200);
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers.vary).toBeUndefined();
  },
);

describe('the ETag', () => {
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
    'gives 304 for %s, with the headers that a cache needs',
    async (coding) => {
      const first = await ask('/app.js', { 'accept-encoding': coding });
      const { etag = '' } = first.headers;
      const again = await ask('/app.js', { 'accept-encoding': coding, 'if-none-match': etag });
      expect([again.status, again.bytes.length]).toEqual([304, 0]);
      expect(again.headers).toMatchObject({ etag, vary: 'Accept-Encoding' });
      expect(again.headers['content-encoding']).toBeUndefined();
    },
  );

  test('gives the whole file when it belongs to another coding', async () => {
    const { headers } = await ask('/app.js', { 'accept-encoding': 'gzip' });
    const other = await ask('/app.js', { ...everything, 'if-none-match': headers.etag ?? '' });
    expect(other.status).toBe(200);
    expect(brotliDecompressSync(other.bytes).toString()).toBe(script);
  });
});

test('HEAD of a file has the headers of GET', async () => {
  const [got, head] = [await ask('/app.js', everything), await ask('/app.js', everything, 'HEAD')];
  const { date: _date, 'x-request-id': _id, ...expected } = got.headers;
  expect(head.status).toBe(200);
  expect(head.headers).toMatchObject(expected);
  expect(head.bytes.length).toBe(0);
});

test('an edited file is sent in its new version', async () => {
  const before = await ask('/edited.css', everything);
  const next = join(folder, 'next.css');
  await writeFile(next, '/* two */'.repeat(300));
  // Another second, in case the file system counts in whole ones.
  await utimes(next, new Date(), new Date(Date.now() + 1000));
  await rename(next, join(folder, 'edited.css'));
  const after = await ask('/edited.css', {
    ...everything,
    'if-none-match': before.headers.etag ?? '',
  });
  expect(after.status).toBe(200);
  expect(after.headers.etag).not.toBe(before.headers.etag);
  expect(brotliDecompressSync(after.bytes).toString()).toContain('two');
});
