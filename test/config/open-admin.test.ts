import { expect, test } from 'vitest';
import { warnOfOpenAdmin } from '../../src/config/open-admin.js';

const local = {
  host: '127.0.0.1',
  trustedProxies: [],
  publicUrl: undefined,
  adminToken: undefined,
};

test.each([
  ['only this machine comes in', {}, undefined],
  ['a loopback name is public', { publicUrl: 'http://localhost:3000' }, undefined],
  ['another host is listened on', { host: '0.0.0.0' }, '0.0.0.0'],
  ['another name is public', { publicUrl: 'https://shop.example' }, 'https://shop.example'],
  ['a proxy stands in front', { trustedProxies: ['10.0.0.1'] }, 'MSGSITE_TRUSTED_PROXIES'],
  ['there is a token', { host: '0.0.0.0', adminToken: 'sixteen letters!' }, undefined],
])('where %s', (_, given, way) => {
  const warning = warnOfOpenAdmin({ ...local, ...given });
  if (way === undefined) expect(warning).toBeUndefined();
  else expect(warning).toContain(way);
});
