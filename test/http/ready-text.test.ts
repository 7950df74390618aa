import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readyText } from '../../src/http/answer/ready-text.js';

const unpack = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes };
const codings = ['br', 'gzip', 'identity'] as const;

test.each(codings)('any text with any tail decompresses correctly from %s', async (coding) => {
  const text = fc.string({ unit: 'binary', maxLength: 3000 });
  await fc.assert(
    fc.asyncProperty(text, fc.array(text, { maxLength: 3 }), async (start, tails) => {
      const ready = readyText(start);
      for (const tail of ['', ...tails]) {
        const bytes = unpack[coding](await ready.coded(coding, tail));
        expect(bytes.equals(Buffer.from(start + tail))).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
});

/** Lengths around the block size of gzip (65,535 bytes) and of brotli (65,536). */
const lengths = [1, 65_534, 65_535, 65_536, 65_537, 131_071, 131_073, 200_000];

test.each(lengths)(
  'a tail of %i bytes decompresses correctly from every coding',
  async (length) => {
    const start = 'bread and tea '.repeat(500);
    const ready = readyText(start);
    const tail = 'a long tail '.repeat(length).slice(0, length);
    for (const coding of codings) {
      const bytes = await ready.coded(coding, tail);
      expect(unpack[coding](bytes).toString() === start + tail).toBe(true);
    }
  },
);

test('each text is compressed once and shared by all requests', async () => {
  const ready = readyText('bread and tea '.repeat(500));
  for (const coding of codings) {
    const [one, other] = await Promise.all([ready.coded(coding), ready.coded(coding)]);
    expect(one).toBe(other);
    expect(await ready.coded(coding)).toBe(one);
  }
  expect(await ready.coded('identity')).toBe(ready.bytes);
});

test('a repetitive text compresses well, and a tail adds little more than its own length', async () => {
  const ready = readyText('bread and tea '.repeat(500));
  for (const coding of ['br', 'gzip'] as const) {
    const whole = await ready.coded(coding);
    expect(whole.length).toBeLessThan(200);
    expect((await ready.coded(coding, 'x'.repeat(100))).length).toBeLessThan(whole.length + 110);
  }
});

test('equal texts have equal entity tags', () => {
  expect(readyText('tea').etag).toBe(readyText('tea').etag);
  expect(readyText('tea').etag).not.toBe(readyText('bread').etag);
  expect(readyText('tea').etag).toMatch(/^"[\w-]+"$/);
});
