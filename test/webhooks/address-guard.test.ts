import type { LookupAddress } from 'node:dns';
import { describe, expect, it } from 'vitest';
import {
  createGuardedLookup,
  literalAddress,
  refusalOf,
} from '../../src/webhooks/delivering/guarded-lookup.js';

describe('refusalOf', () => {
  it.each([
    '169.254.169.254',
    '169.254.0.1',
    '169.254.170.2',
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
    '224.0.0.1',
    '255.255.255.255',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
    'fd00:ec2::254',
    'fd20:ce::254',
    'ff02::1',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '::169.254.169.254',
    '::ffff:0:169.254.169.254',
    '64:ff9b::169.254.169.254',
    '64:ff9b:1::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
    'no address',
  ])('always denies %s', (address) => {
    expect(refusalOf(address, 'allow')).not.toBeNull();
    expect(refusalOf(address, 'deny')).not.toBeNull();
  });

  it.each([
    '127.0.0.1',
    '127.8.8.8',
    '10.0.0.1',
    '172.16.5.5',
    '192.168.1.1',
    '100.64.0.1',
    '0.0.0.0',
    '::1',
    '::',
    'fd12:3456::1',
    '::ffff:127.0.0.1',
    '64:ff9b::10.0.0.1',
    '2002:7f00:1::',
  ])('denies %s only if private addresses are not allowed', (address) => {
    expect(refusalOf(address, 'allow')).toBeNull();
    expect(refusalOf(address, 'deny')).not.toBeNull();
  });

  it.each(['8.8.8.8', '93.184.216.34', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8'])(
    'allows %s',
    (address) => {
      expect(refusalOf(address, 'allow')).toBeNull();
      expect(refusalOf(address, 'deny')).toBeNull();
    },
  );
});

describe('literalAddress', () => {
  it.each([
    ['http://169.254.169.254/', '169.254.169.254'],
    ['http://2852039166/', '169.254.169.254'],
    ['http://0xA9FEA9FE/', '169.254.169.254'],
    ['http://0251.0376.0251.0376/', '169.254.169.254'],
    ['http://[fe80::1]/', 'fe80::1'],
    ['http://[::ffff:169.254.169.254]/', '::ffff:a9fe:a9fe'],
    ['http://example.com/', null],
  ])('returns the address of %s as %j', (url, address) => {
    expect(literalAddress(new URL(url).hostname)).toBe(address);
  });
});

describe('the guarded lookup', () => {
  const names: Record<string, LookupAddress[]> = {
    metadata: [{ address: '169.254.169.254', family: 4 }],
    mixed: [
      { address: '169.254.169.254', family: 4 },
      { address: '8.8.8.8', family: 4 },
    ],
    none: [],
  };

  function resolveName(name: string): Promise<unknown> {
    const lookup = createGuardedLookup('allow', (hostname, callback) =>
      callback(null, names[hostname] ?? []),
    );
    return new Promise((resolve) => {
      lookup(name, { all: true }, (error, addresses) => resolve(error?.message ?? addresses));
    });
  }

  it('rejects a name whose addresses are all denied, and states the reason', async () => {
    expect(await resolveName('metadata')).toBe(
      'not connected: metadata: 169.254.169.254 is a link-local address',
    );
    expect(await resolveName('none')).toBe('not connected: none has no address');
  });

  it('returns only the allowed addresses', async () => {
    expect(await resolveName('mixed')).toEqual([{ address: '8.8.8.8', family: 4 }]);
  });

  it('shares a pending lookup of the same name', async () => {
    const waiting: (() => void)[] = [];
    const lookup = createGuardedLookup('allow', (_name, callback) => {
      waiting.push(() => callback(null, [{ address: '8.8.8.8', family: 4 }]));
    });
    const results = [1, 2, 3].map(
      () => new Promise((resolve) => lookup('slow', {}, (_e, address) => resolve(address))),
    );
    expect(waiting).toHaveLength(1);
    waiting[0]?.();
    expect(await Promise.all(results)).toEqual(['8.8.8.8', '8.8.8.8', '8.8.8.8']);
  });
});
