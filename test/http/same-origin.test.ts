import { expect, test } from 'vitest';
import { assertSameOrigin } from '../../src/http/request/host-guard.js';

type Headers = Readonly<Record<string, string>>;

function ask(headers: Headers, ownHosts?: readonly string[]): void {
  assertSameOrigin((name) => headers[name] ?? '', ownHosts);
}

const host = 'shop.example';

test.each<[string, Headers]>([
  ['a script or an old browser, which sends neither header', {}],
  ['a page of the site', { Origin: 'https://shop.example', 'Sec-Fetch-Site': 'same-origin' }],
  [
    'a page of the site that hides its address',
    { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' },
  ],
  ['a page that sends no referrer', { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' }],
  ['a bookmark', { 'Sec-Fetch-Site': 'none' }],
  ['the same origin without Sec-Fetch-Site', { Origin: 'https://shop.example' }],
  ['the same origin in capitals', { Origin: 'https://SHOP.example' }],
  ['the same origin if a proxy omits the port', { Origin: 'https://shop.example:8443' }],
  [
    'the same origin with its default port',
    { Origin: 'https://shop.example', Host: `${host}:443` },
  ],
  ['the same origin with a port', { Origin: 'http://127.0.0.1:3000', Host: '127.0.0.1:3000' }],
  ['the same IPv6 address', { Origin: 'http://[::1]:3000', Host: '[::1]:3000' }],
])('a form is accepted from %s', (_sender, headers) => {
  expect(() => ask({ Host: host, ...headers })).not.toThrow();
});

test.each<[string, Headers]>([
  ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
  ['another host of the same site', { 'Sec-Fetch-Site': 'same-site' }],
  [
    'another site that sends the same origin',
    { Origin: `https://${host}`, 'Sec-Fetch-Site': 'cross-site' },
  ],
  ['the origin of another host', { Origin: 'https://evil.example' }],
  ['the origin of a longer name', { Origin: `https://${host}.evil.example` }],
  ['another port', { Origin: 'http://127.0.0.1:3001', Host: '127.0.0.1:3000' }],
  ['the port of http over https', { Origin: `https://${host}`, Host: `${host}:80` }],
  ['a sandboxed page', { Origin: 'null' }],
  ['a local file', { Origin: 'file://' }],
  ['an invalid origin', { Origin: 'https://' }],
  ['a request without a host', { Origin: `https://${host}`, Host: '' }],
])('a form is rejected from %s', (_sender, headers) => {
  expect(() => ask({ Host: host, ...headers })).toThrow(
    expect.objectContaining({ code: 'forbidden' }),
  );
});

test('a form from a configured host name is accepted if a proxy changes the Host header', () => {
  const behindProxy = { Host: '127.0.0.1:3000', Origin: 'https://shop.example' };
  expect(() => ask(behindProxy, ['shop.example'])).not.toThrow();
  expect(() => ask(behindProxy)).toThrow(expect.objectContaining({ code: 'forbidden' }));
});
