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
] as const)('the start warning about %s', (_, content, open, closed, otherService) => {
  test.each([
    ['omitted if only this machine can connect', {}, undefined],
    [
      'omitted if the public address is a loopback name',
      { publicUrl: 'http://localhost:3000' },
      undefined,
    ],
    ['given if the service listens on the network', { host: '0.0.0.0' }, '0.0.0.0'],
    [
      'given if the public address is on the network',
      { publicUrl: 'https://shop.example' },
      'https://shop.example',
    ],
    ['given if there is a proxy', { trustedProxies: ['10.0.0.1'] }, 'MSGSITE_TRUSTED_PROXIES'],
  ])('is %s', (_case, reach, address) => {
    const warnings = warningsAtStart({ ...quiet, ...open, ...reach });
    if (address === undefined) expect(warnings).toEqual([]);
    else expect(warnings).toEqual([expect.stringMatching(`${address}.*${content}`)]);
  });

  test('is omitted if access is protected or only the other service is served', () => {
    const reached = { ...quiet, ...open, host: '0.0.0.0' };
    expect(warningsAtStart({ ...reached, ...closed })).toEqual([]);
    expect(warningsAtStart({ ...reached, only: otherService })).toEqual([]);
  });
});

test.each([
  ['jwtSecret', 'MSGSITE_JWT_SECRET'],
  ['encryptionSecret', 'MSGSITE_ENCRYPTION_SECRET'],
])(
  'a %s of fewer than 16 characters causes a warning that does not reveal it',
  (name, variable) => {
    const warnings = warningsAtStart({ ...quiet, [name]: 'fifteen letters' });
    expect(warnings).toEqual([expect.stringContaining(`${variable} has fewer than 16`)]);
    expect(warnings[0]).not.toContain('fifteen letters');
    expect(warningsAtStart({ ...quiet, [name]: 'sixteen letters!' })).toEqual([]);
    expect(warningsAtStart({ ...quiet, [name]: 'fifteen letters', only: 'gateway' })).toEqual([]);
  },
);

test('demonstration accounts cause a warning if other machines can connect', () => {
  const demo = { ...quiet, ...upstream, ...token, demoAccounts: ['dana@demo.example'] };
  expect(warningsAtStart(demo)).toEqual([]);
  const reached = { ...demo, host: '0.0.0.0' };
  expect(warningsAtStart(reached)).toEqual([expect.stringMatching('0.0.0.0.*dana@demo.example')]);
  expect(warningsAtStart({ ...reached, only: 'gateway' })).toEqual([]);
  expect(warningsAtStart({ ...reached, demoAccounts: [] })).toEqual([]);
});

test('configured sandbox faults cause a warning that lists them', () => {
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
])('the number of warnings about the provider %s is %i', (provider, count) => {
  expect(warningsAtStart({ ...quiet, provider })).toHaveLength(count);
  expect(warningsAtStart({ ...quiet, provider, only: 'site' })).toEqual([]);
});
