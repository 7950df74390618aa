import { expect, test } from 'vitest';
import { assertSameOrigin } from '../../src/http/request/host-guard.js';

type Headers = Readonly<Record<string, string>>;

function ask(headers: Headers, ownHosts?: readonly string[]): void {
  assertSameOrigin((name) => headers[name] ?? '', ownHosts);
}

const host = 'shop.example';

test.each<[string, Headers]>([
  ['a script or an old browser, which says neither', {}],
  ['a page of the shop', { Origin: 'https://shop.example', 'Sec-Fetch-Site': 'same-origin' }],
  ['a page here that keeps its address', { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' }],
  ['a page that sends no referrer', { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' }],
  ['a bookmark', { 'Sec-Fetch-Site': 'none' }],
  ['an origin alone', { Origin: 'https://shop.example' }],
  ['an origin in other letters', { Origin: 'https://SHOP.example' }],
  ['a port that the proxy left out', { Origin: 'https://shop.example:8443' }],
  ['a port that goes without saying', { Origin: 'https://shop.example', Host: `${host}:443` }],
  ['a port', { Origin: 'http://127.0.0.1:3000', Host: '127.0.0.1:3000' }],
  ['an IPv6 address', { Origin: 'http://[::1]:3000', Host: '[::1]:3000' }],
])('a form is accepted from %s', (_who, headers) => {
  expect(() => ask({ Host: host, ...headers })).not.toThrow();
});

test.each<[string, Headers]>([
  ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
  ['another name of the same site', { 'Sec-Fetch-Site': 'same-site' }],
  ['another site under our origin', { Origin: `https://${host}`, 'Sec-Fetch-Site': 'cross-site' }],
  ['the origin of another host', { Origin: 'https://evil.example' }],
  ['the origin of a longer name', { Origin: `https://${host}.evil.example` }],
  ['another port', { Origin: 'http://127.0.0.1:3001', Host: '127.0.0.1:3000' }],
  ['the port of http over https', { Origin: `https://${host}`, Host: `${host}:80` }],
  ['a sandbox', { Origin: 'null' }],
  ['a file', { Origin: 'file://' }],
  ['an origin that cannot be read', { Origin: 'https://' }],
  ['a request for no host', { Origin: `https://${host}`, Host: '' }],
])('a form is refused from %s', (_who, headers) => {
  expect(() => ask({ Host: host, ...headers })).toThrow(
    expect.objectContaining({ code: 'forbidden' }),
  );
});

test('a configured host name is accepted when a proxy uses another Host', () => {
  const behindProxy = { Host: '127.0.0.1:3000', Origin: 'https://shop.example' };
  expect(() => ask(behindProxy, ['shop.example'])).not.toThrow();
  expect(() => ask(behindProxy)).toThrow(expect.objectContaining({ code: 'forbidden' }));
});
