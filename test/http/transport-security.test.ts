import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { expect, onTestFinished, test } from 'vitest';
import { securityHeaders } from '../../src/http/answer/security-headers.js';
import { sendAnswers } from '../../src/http/answer/send.js';
import { createClientAddresses } from '../../src/http/request/client-address.js';

interface Case {
  readonly https?: boolean;
  readonly proxies?: readonly string[];
  /** X-Forwarded-Proto of the request. */
  readonly proto?: string;
}

/** Returns the Strict-Transport-Security header of an answer. */
async function transportSecurity({ https = false, proxies = [], proto }: Case) {
  const addresses = createClientAddresses(proxies);
  const app = new Koa().use(sendAnswers()).use(securityHeaders({ https, addresses }));
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const headers = proto === undefined ? {} : { 'X-Forwarded-Proto': proto };
  const response = await fetch(`http://127.0.0.1:${port}`, { headers });
  return response.headers.get('strict-transport-security');
}

const asked = expect.stringMatching(/^max-age=\d{8}/);

test.each<[string, Case, unknown]>([
  ['a service reached over https asks for https', { https: true }, asked],
  ['one reached over http does not', {}, null],
  ['a trusted proxy may say https', { proxies: ['127.0.0.0/8'], proto: 'https' }, asked],
  ['and http', { proxies: ['127.0.0.0/8'], proto: 'http' }, null],
  ['nobody else is believed', { proxies: ['10.0.0.1'], proto: 'https' }, null],
])('Strict-Transport-Security: %s', async (_, given, expected) => {
  expect(await transportSecurity(given)).toEqual(expected);
});
