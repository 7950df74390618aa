import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCompression } from '../../src/http/answer/compression.js';
import { cacheRepresentations, represent } from '../../src/http/answer/representation.js';

const compress = createCompression();
const codings = ['br', 'gzip'] as const;
const unpack = { br: brotliDecompressSync, gzip: gunzipSync };

test.each(codings)('any text decompresses correctly from %s', async (coding) => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 5_000 }), async (text) => {
      const bytes = await represent(text, {}).encoded(coding, compress);
      expect(bytes && unpack[coding](bytes).toString()).toBe(Buffer.from(text).toString());
    }),
    { numRuns: 30 },
  );
});

test('each coding is compressed once, also for simultaneous requests', async () => {
  const page = represent('bread and tea '.repeat(500), {});
  const [one, other] = await Promise.all([
    page.encoded('br', compress),
    page.encoded('br', compress),
  ]);
  expect(other).toBe(one);
  expect(page.encoded('br', compress)).toBe(one);
});

test('a coding that could not be made is tried again', async () => {
  const page = represent('bread', {});
  expect(await page.encoded('gzip', async () => undefined)).toBeUndefined();
  const bytes = await page.encoded('gzip', compress);
  expect(bytes && gunzipSync(bytes).toString()).toBe('bread');
});

test('texts have the same ETag if and only if they are the same', () => {
  expect(represent('tea', {}).etag).toBe(represent('tea', {}).etag);
  expect(represent('tea', {}).etag).not.toBe(represent('bread', {}).etag);
  expect(represent('tea', {}).etag).toMatch(/^"[\w-]+"$/);
});

test('a cache makes what it does not have, and keeps nothing of a failure', async () => {
  const cached = cacheRepresentations();
  const fail = () => Promise.reject(new Error('away'));
  await expect(cached('page', fail)).rejects.toThrow('away');
  const made = await cached('page', () => represent('tea', {}));
  expect(cached('page', fail)).toBe(made);
});
