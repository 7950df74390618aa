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

/** Returns the Strict-Transport-Security header of a response. */
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

const present = expect.stringMatching(/^max-age=\d{8}/);

test.each<[string, Case, unknown]>([
  ['set if the service is reached over https', { https: true }, present],
  ['not set if the service is reached over http', {}, null],
  ['set if a trusted proxy reports https', { proxies: ['127.0.0.0/8'], proto: 'https' }, present],
  ['not set if a trusted proxy reports http', { proxies: ['127.0.0.0/8'], proto: 'http' }, null],
  ['not set if an unknown proxy reports https', { proxies: ['10.0.0.1'], proto: 'https' }, null],
])('Strict-Transport-Security is %s', async (_, service, expected) => {
  expect(await transportSecurity(service)).toEqual(expected);
});
