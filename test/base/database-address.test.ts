import { expect, it } from 'vitest';
import { describeDatabaseAddress, parseDatabaseAddress } from '../../src/base/database-address.js';

it.each([
  ['postgres://h/d', [{ host: 'h', port: undefined }]],
  [
    'postgres://u:p@a:5432,b:5433/d',
    [
      { host: 'a', port: 5432 },
      { host: 'b', port: 5433 },
    ],
  ],
  [
    'postgres://u:p@a,b:5433/d',
    [
      { host: 'a', port: undefined },
      { host: 'b', port: 5433 },
    ],
  ],
  [
    'postgres://[::1]:5432,[fe80::1]/d',
    [
      { host: '::1', port: 5432 },
      { host: 'fe80::1', port: undefined },
    ],
  ],
  ['postgres://u:p,@,@a/d', [{ host: 'a', port: undefined }]],
  ['postgres://%2Fvar%2Frun%2Fpostgresql/d', [{ host: '/var/run/postgresql', port: undefined }]],
  [
    'postgres:///d?host=/run,::1&port=1,2',
    [
      { host: '/run', port: 1 },
      { host: '::1', port: 2 },
    ],
  ],
  [
    'postgres:///d?host=a,b&port=7',
    [
      { host: 'a', port: 7 },
      { host: 'b', port: 7 },
    ],
  ],
  ['postgres:///d', []],
])('the hosts of a database address are parsed from %s', (text, hosts) => {
  expect(parseDatabaseAddress(text).hosts).toEqual(hosts);
});

it('the user and password of a database address may contain any characters', () => {
  expect(
    parseDatabaseAddress('postgresql://u%3A:p%40,%2F:@ss@a,b/d?sslmode=require'),
  ).toMatchObject({ user: 'u:', password: 'p@,/:@ss', path: '/d' });
});

it.each([
  'postgres://',
  'mysql://h/d',
  'postgres://u:secret@a:5432,b:99999/d',
  'postgres://u:secret@a:b/d',
  'postgres://u:secret@a,,b/d',
  'postgres://u:secret%zz@a/d',
  'postgres://u:secret@[::1/d',
  'postgres://u:secret@a,b/d?target_session_attrs=readwrite',
  'postgres://u:secret@a/d?sslmode=secret',
  'postgres://u:secret@a/d?sslmode=disable&sslmode=verify_full',
  'postgres://u:secret@a/d?connect_timeout=5s',
  'secret',
])('the database address %s is rejected without revealing its password', (text) => {
  expect(() => parseDatabaseAddress(text)).toThrow(/^(must|has)(?!.*secret)/);
});

it.each([
  ['postgres://u:p%40@a:1,[::1]:2/d?password=p', 'postgres://u@a:1,[::1]:2/d'],
  ['postgres://%2Frun/d', 'postgres://%2Frun/d'],
  ['postgres://a/d', 'postgres://a/d'],
])('the database address %s is described without its password', (text, description) => {
  expect(describeDatabaseAddress(text)).toBe(description);
});
