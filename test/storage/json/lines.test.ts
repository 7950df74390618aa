import { describe, expect, it } from 'vitest';
import { crc32c } from '../../../src/storage/json/lines/checksum.js';
import { decodeLine, encodeLine } from '../../../src/storage/json/lines/lines.js';

describe('CRC-32C', () => {
  // Values from RFC 3720, appendix B.4, and the check value from the catalogue of CRCs.
  it.each([
    ['digits', Buffer.from('123456789'), 0xe3069283],
    ['32 zeros', Buffer.alloc(32), 0x8a9136aa],
    ['32 ones', Buffer.alloc(32, 255), 0x62a8ab43],
    ['rising bytes', Buffer.from([...Array(32).keys()]), 0x46dd794e],
    ['falling bytes', Buffer.from([...Array(32).keys()].reverse()), 0x113fdb5c],
    ['nothing', Buffer.alloc(0), 0],
  ])('has the published value for %s', (_, bytes, expected) => {
    expect(crc32c(bytes)).toBe(expected);
  });
});

describe('a stored line', () => {
  const json = JSON.stringify({ name: 'Қазақ\t"тіл"\n', amount: 1.5 });
  const line = Buffer.from(encodeLine(json)).subarray(0, -1);

  it('is decoded to its text', () => {
    expect(decodeLine(line)).toBe(json);
  });

  it('is one JSON object whose last member is the checksum of the bytes before it', () => {
    const text = line.toString();
    const { crc, ...rest } = JSON.parse(text);
    expect(rest).toEqual(JSON.parse(json));
    const before = Buffer.from(text.slice(0, text.lastIndexOf(',"crc"')));
    expect(crc).toBe(crc32c(before).toString(16).padStart(8, '0'));
    expect(text.endsWith(`,"crc":"${crc}"}`)).toBe(true);
  });

  it('is rejected if any single bit is flipped', () => {
    for (let bit = 0; bit < line.length * 8; bit += 1) {
      const flipped = Buffer.from(line);
      flipped[bit >> 3] = (line[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(decodeLine(flipped)).toBeUndefined();
    }
  });

  it('is rejected if it is truncated, empty or full of zeros', () => {
    for (let length = 0; length < line.length; length += 1) {
      expect(decodeLine(line.subarray(0, length))).toBeUndefined();
    }
    expect(decodeLine(Buffer.alloc(20))).toBeUndefined();
  });
});
