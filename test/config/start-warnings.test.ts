import { describe, expect, test } from 'vitest';
import { warningsAtStart } from '../../src/config/start-warnings.js';

const quiet = {
  host: '127.0.0.1',
  trustedProxies: [],
  publicUrl: undefined,
  adminToken: undefined,
  provider: 'sandbox',
  jwtSecret: undefined,
  encryptionSecret: undefined,
  sandboxFaults: [],
};

const upstream = { provider: 'https://provider.example' };
const token = { adminToken: 'sixteen letters!' };

describe.each([
  ['an admin page without a token', 'MSGSITE_ADMIN_TOKEN', upstream, token, 'gateway'],
  ['the sandbox', '123456', token, upstream, 'site'],
] as const)('the start warning about %s', (_, said, open, closed, otherService) => {
  test.each([
    ['not where only this machine comes in', {}, undefined],
    ['not where a loopback name is public', { publicUrl: 'http://localhost:3000' }, undefined],
    ['where another host is listened on', { host: '0.0.0.0' }, '0.0.0.0'],
    ['where another name is public', { publicUrl: 'https://shop.example' }, 'https://shop.example'],
    ['where a proxy stands in front', { trustedProxies: ['10.0.0.1'] }, 'MSGSITE_TRUSTED_PROXIES'],
  ])('is given or omitted by reachability: %s', (_where, given, way) => {
    const warnings = warningsAtStart({ ...quiet, ...open, ...given });
    if (way === undefined) expect(warnings).toEqual([]);
    else expect(warnings).toEqual([expect.stringMatching(`${way}.*${said}`)]);
  });

  test('is omitted when it is protected or the other service is served alone', () => {
    const reached = { ...quiet, ...open, host: '0.0.0.0' };
    expect(warningsAtStart({ ...reached, ...closed })).toEqual([]);
    expect(warningsAtStart({ ...reached, only: otherService })).toEqual([]);
  });
});

test.each([
  ['jwtSecret', 'MSGSITE_JWT_SECRET'],
  ['encryptionSecret', 'MSGSITE_ENCRYPTION_SECRET'],
])('a %s of fewer than 16 characters gives a warning that does not repeat it', (name, variable) => {
  const warnings = warningsAtStart({ ...quiet, [name]: 'fifteen letters' });
  expect(warnings).toEqual([expect.stringContaining(`${variable} has fewer than 16`)]);
  expect(warnings[0]).not.toContain('fifteen letters');
  expect(warningsAtStart({ ...quiet, [name]: 'sixteen letters!' })).toEqual([]);
  expect(warningsAtStart({ ...quiet, [name]: 'fifteen letters', only: 'gateway' })).toEqual([]);
});

test('demo accounts with a public password give a warning when others can connect', () => {
  const demo = { ...quiet, ...upstream, ...token, demoAccounts: ['dana@demo.example'] };
  expect(warningsAtStart(demo)).toEqual([]);
  const reached = { ...demo, host: '0.0.0.0' };
  expect(warningsAtStart(reached)).toEqual([expect.stringMatching('0.0.0.0.*dana@demo.example')]);
  expect(warningsAtStart({ ...reached, only: 'gateway' })).toEqual([]);
  expect(warningsAtStart({ ...reached, demoAccounts: [] })).toEqual([]);
});

test('configured sandbox faults give a warning that lists them', () => {
  const faulty = { ...quiet, sandboxFaults: ['late=15', 'lost x1'] };
  expect(warningsAtStart(faulty)).toEqual([expect.stringContaining('late=15, lost x1')]);
  expect(warningsAtStart({ ...faulty, only: 'site' })).toEqual([]);
  expect(warningsAtStart({ ...faulty, ...upstream })).toEqual([]);
});

test.each([
  ['http://provider.example:8080', 1],
  ['https://provider.example', 0],
  ['http://127.0.0.1:3002', 0],
  ['http://[::1]:3002', 0],
  ['/opt/provider.mjs', 0],
])('a provider at %s gives %i warnings', (provider, count) => {
  expect(warningsAtStart({ ...quiet, provider })).toHaveLength(count);
  expect(warningsAtStart({ ...quiet, provider, only: 'site' })).toEqual([]);
});
