import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  cacheRepresentations,
  createCompression,
  represent,
} from '../../src/http/answer/representation.js';

const compress = createCompression();
const codings = ['br', 'gzip'] as const;
const unpack = { br: brotliDecompressSync, gzip: gunzipSync };

test.each(codings)(
  'text that is compressed with %s decompresses to the same text',
  async (coding) => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 5_000 }), async (text) => {
        const { bytes } = await represent(text, {}).form(coding, compress);
        expect(unpack[coding](bytes).toString()).toBe(Buffer.from(text).toString());
      }),
      { numRuns: 30 },
    );
  },
);

test('each coding is compressed once, even for simultaneous requests', async () => {
  const page = represent('bread and tea '.repeat(500), {});
  const [one, other] = await Promise.all([page.form('br', compress), page.form('br', compress)]);
  expect(other).toBe(one);
  expect(page.form('br', compress)).toBe(one);
});

test('a coding is retried if its compression failed', async () => {
  const page = represent('bread', {});
  const failed = await page.form('gzip', async () => undefined);
  expect(failed.bytes.toString()).toBe('bread');
  expect(failed.headers['Content-Encoding']).toBeUndefined();
  const { bytes } = await page.form('gzip', compress);
  expect(gunzipSync(bytes).toString()).toBe('bread');
});

test('each coding has its own ETag and headers, and a 304 has no headers of a body', async () => {
  const page = represent('bread and tea '.repeat(500), {
    'Content-Type': 'text/plain',
    Vary: 'Cookie',
  });
  const form = await page.form('br', compress);
  const etag = page.etag.replace(/"$/, '-br"');
  expect(form.unchanged).toEqual({ Vary: 'Cookie, Accept-Encoding', ETag: etag });
  expect(form.headers).toEqual({
    ...form.unchanged,
    'Content-Type': 'text/plain',
    'Content-Encoding': 'br',
    'Content-Length': String(form.bytes.length),
  });
  expect((await page.form('identity', compress)).etag).toBe(page.etag);
});

test('texts have the same ETag if and only if they are equal', () => {
  expect(represent('tea', {}).etag).toBe(represent('tea', {}).etag);
  expect(represent('tea', {}).etag).not.toBe(represent('bread', {}).etag);
  expect(represent('tea', {}).etag).toMatch(/^"[\w-]+"$/);
});

test('a cache creates a missing representation and does not cache a failure', async () => {
  const cached = cacheRepresentations();
  const fail = () => Promise.reject(new Error('away'));
  await expect(cached('page', fail)).rejects.toThrow('away');
  const made = await cached('page', () => represent('tea', {}));
  expect(cached('page', fail)).toBe(made);
});
