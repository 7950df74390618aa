import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressKey, isLoopback } from '../../src/base/addresses.js';
import { systemClock } from '../../src/base/clock.js';
import { maskPhone } from '../../src/base/log.js';
import { withoutSecrets } from '../../src/base/open-log.js';
import {
  createRateLimiter,
  keyDigest,
  refill,
  secondsUntilToken,
} from '../../src/base/rate-limit.js';
import { etagOf, matchesEtag } from '../../src/http/answer/representation.js';
import { createClientAddresses } from '../../src/http/request/client-address.js';
import { bearerToken } from '../../src/http/request/headers.js';
import { hostName } from '../../src/http/request/host-guard.js';
import { loggedPath } from '../../src/http/request/log.js';
import { type QueryParameters, readQuery } from '../../src/http/request/query.js';

describe('readQuery', () => {
  const parameters: QueryParameters = {
    limit: { type: 'integer', description: 'how many', minimum: 1, maximum: 1000 },
    phone: {
      type: 'string',
      description: '7 and ten digits',
      pattern: '^7\\d{10}$',
      required: true,
    },
  };
  const read = (text: string) => readQuery(parameters, text);

  test('returns numbers and texts, and ignores undeclared parameters', () => {
    expect(read('limit=5&phone=77011234567&other=1')).toEqual({ limit: 5, phone: '77011234567' });
  });

  test.each([
    ['limit=0&phone=77011234567', '/limit'],
    ['limit=1001&phone=77011234567', '/limit'],
    ['limit=1.5&phone=77011234567', '/limit'],
    ['limit=&phone=77011234567', '/limit'],
    ['limit=1e2&phone=77011234567', '/limit'],
    ['limit=%20 5&phone=77011234567', '/limit'],
    ['limit=1&limit=2&phone=77011234567', '/limit'],
    ['limit=99999999999999999999&phone=77011234567', '/limit'],
    ['', '/phone'],
    ['phone=', '/phone'],
    ['phone=8701', '/phone'],
  ])('rejects "%s" with the path %s', (text, path) => {
    expect(() => read(text)).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        details: [expect.objectContaining({ path })],
      }),
    );
  });
});

describe('rate limits', () => {
  const rule = { name: 'test', amount: 60, periodSeconds: 60, burst: 3 };

  test('a bucket allows its burst immediately and refills evenly', () => {
    let now = 0;
    const limiter = createRateLimiter({ ...systemClock, monotonic: () => now });
    for (let count = 0; count < 3; count += 1) limiter.take(rule, 'a');
    expect(() => limiter.take(rule, 'a')).toThrow(
      expect.objectContaining({ code: 'rate_limited', headers: { 'Retry-After': '1' } }),
    );
    limiter.take(rule, 'b');
    now = 1000;
    limiter.take(rule, 'a');
    expect(() => limiter.take(rule, 'a')).toThrow();
    limiter.giveBack(rule, 'a');
    limiter.take(rule, 'a');
  });

  test('at most the burst plus the refill is allowed, regardless of the pauses', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 50 }), (pauses) => {
        let now = 0;
        let allowed = 0;
        const limiter = createRateLimiter({ ...systemClock, monotonic: () => now });
        for (const pause of pauses) {
          now += pause;
          try {
            limiter.take(rule, 'a');
            allowed += 1;
          } catch {
            // A rejected request is not counted.
          }
        }
        expect(allowed).toBeLessThanOrEqual(3 + now / 1000 + 1e-6);
      }),
    );
  });

  test('the digest of a key has a fixed length', () => {
    expect(keyDigest('a'.repeat(100_000))).toHaveLength(keyDigest('a').length);
    expect(keyDigest('a')).not.toBe(keyDigest('b'));
  });

  test('checking for a token does not take it', () => {
    const limiter = createRateLimiter({ ...systemClock, monotonic: () => 0 });
    for (let count = 0; count < 9; count += 1) limiter.check(rule, 'a');
    for (let count = 0; count < 3; count += 1) limiter.take(rule, 'a');
    expect(() => limiter.check(rule, 'a')).toThrow(
      expect.objectContaining({ code: 'rate_limited', headers: { 'Retry-After': '1' } }),
    );
  });

  test('a clock that is set back does not remove tokens', () => {
    expect(refill(rule, 2, -5000)).toBe(2);
    expect(secondsUntilToken(rule, 0)).toBe(1);
  });
});

describe('client addresses', () => {
  const behind = createClientAddresses(['10.0.0.0/8', '::1']);

  test.each([
    ['203.0.113.5', '198.51.100.1', '203.0.113.5'],
    ['10.0.0.1', '', '10.0.0.1'],
    ['10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['::1', 'spoofed, 198.51.100.1, 10.9.9.9', '198.51.100.1'],
    ['10.0.0.1', 'nonsense', '10.0.0.1'],
    ['10.0.0.1', '10.0.0.2, 10.0.0.3', '10.0.0.1'],
    ['10.0.0.1', '198.51.100.1,', '10.0.0.1'],
    ['10.0.0.1', `fe80::1%${'a'.repeat(10_000)}`, '10.0.0.1'],
    ['10.0.0.1', `198.51.100.1${', 10.0.0.2'.repeat(1000)}`, '10.0.0.1'],
  ])('the client behind %s with X-Forwarded-For "%s" is %s', (remote, forwarded, client) => {
    expect(behind.resolve(remote, forwarded)).toBe(client);
  });

  test('X-Forwarded-For is ignored if there are no trusted proxies', () => {
    expect(createClientAddresses([]).resolve('127.0.0.1', '198.51.100.1')).toBe('127.0.0.1');
  });

  test('the IPv6 addresses of one network share a key', () => {
    expect(addressKey('2001:db8:1:2:3:4:5:6')).toBe(addressKey('2001:db8:1:2::9'));
    expect(addressKey('2001:db8:1:2::9')).not.toBe(addressKey('2001:db8:1:3::9'));
    expect(addressKey('198.51.100.1')).toBe('198.51.100.1');
  });
});

test.each([
  ['Bearer abc', 'abc'],
  ['bearer   abc  ', 'abc'],
  ['BEARER a b', 'a b'],
  ['Bearer ', undefined],
  ['Bearer', undefined],
  ['Basic abc', undefined],
  ['', undefined],
])('the bearer token of "%s" is %s', (header, token) => {
  expect(bearerToken(header)).toBe(token);
});

test.each([
  ['/api/chats/1', '/api/chats/1'],
  [`/${'a'.repeat(16_000)}`, `/${'a'.repeat(499)}...`],
])('the path %s is logged with at most 500 characters as %s', (path, logged) => {
  expect(loggedPath(path)).toBe(logged);
});

describe('host names', () => {
  test.each([
    ['shop.example:8080', 'shop.example'],
    ['[::1]:3000', '[::1]'],
    ['Shop.Example.', 'shop.example'],
    ['user@host', ''],
    ['a b', ''],
    ['', ''],
  ])('the Host header %j contains the host %j', (header, name) => {
    expect(hostName(header)).toBe(name);
  });

  test.each([
    'localhost',
    'app.localhost',
    '127.0.0.1',
    '127.9.9.9',
    '[::1]',
    '::1',
    '::ffff:127.0.0.1',
  ])('%s is loopback', (host) => expect(isLoopback(host)).toBe(true));

  test.each(['0.0.0.0', '::', '192.168.1.2', 'localhost.example', '127.0.0.1.example', ''])(
    '%s is not loopback',
    (host) => expect(isLoopback(host)).toBe(false),
  );
});

test('If-None-Match matches a tag alone, in a list, in its weak form and as *', () => {
  const tag = etagOf('content');
  for (const header of [tag, `"x", ${tag}`, `W/${tag}`, '*'])
    expect(matchesEtag(header, tag)).toBe(true);
  for (const header of ['', '"x"', `${tag}x`, 'W/"x"'])
    expect(matchesEtag(header, tag)).toBe(false);
});

test('log lines hide secrets at any depth and the middle of phone numbers', () => {
  const facts = {
    request: 'a',
    body: { password: 'p', user: { token: 't', name: 'n' } },
    otp: '1',
  };
  expect(withoutSecrets(facts)).toEqual({
    request: 'a',
    body: { password: '[removed]', user: { token: '[removed]', name: 'n' } },
    otp: '[removed]',
  });
  expect(maskPhone('77011234567')).toBe('7701***4567');
});
