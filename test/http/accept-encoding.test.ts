import { expect, test } from 'vitest';
import { preferredCoding } from '../../src/http/request/negotiation.js';

test.each([
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['GZIP;Q=1', 'gzip'],
  ['deflate', 'identity'],
  ['*', 'br'],
  ['*;q=0.5, br;q=0', 'gzip'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br; q=1.000 , gzip; q=0.999', 'br'],
  ['br;q=0, gzip;q=0', 'identity'],
  ['gzip;q=0.5, identity', 'identity'],
  ['gzip;q=0.5, identity;q=0.5', 'gzip'],
  ['identity;q=0, *;q=0', 'identity'],
  ['br;q=1.5', 'identity'],
  ['br;q=high', 'identity'],
  ['br;q=', 'identity'],
  [',,;q=1,', 'identity'],
] as const)('Accept-Encoding %j selects the coding %s', (header, coding) => {
  expect(preferredCoding(header)).toBe(coding);
});
