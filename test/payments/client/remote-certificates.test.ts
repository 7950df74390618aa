import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { connectionFailure } from '../../../src/payments/client/remote-failures.js';
import { startMsgsite } from '../../helpers/msgsite-process.js';
import { certificates, serverKey as key } from './certificates.js';
import {
  answerJson,
  clientOf,
  failureOf,
  session,
  startScriptedGateway,
} from './scripted-gateway.js';

let folder: string;
const closers: (() => void)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'msgsite-certificates-'));
});
afterEach(async () => {
  for (const close of closers.splice(0)) close();
  await rm(folder, { recursive: true, force: true });
});

async function gatewayWith(cert: string) {
  const gateway = await startScriptedGateway(
    ({ line }, response) =>
      answerJson(
        response,
        line === 'GET /api/session/check'
          ? { active: true }
          : {
              orgName: 'Shop',
              phone: '77011234567',
              organizationId: 17,
              profileId: 17,
              zone: 'Asia/Almaty',
            },
      ),
    { cert, key },
  );
  closers.push(gateway.close);
  return gateway;
}

it.each([
  ['that is self-signed', certificates.selfSigned, 'is self-signed'],
  ['of an unknown authority', certificates.valid, 'cannot be verified'],
])('a certificate %s is rejected before anything is sent', async (_, cert, words) => {
  const gateway = await gatewayWith(cert);
  const creating = clientOf(gateway.url).cashier(session);
  const order = { amount: 1500 };
  const failure = await failureOf(
    creating.then((cashier) => cashier.createQr(order, { key: 'k', isNew: true })),
  );
  expect(failure).toMatchObject({ code: 'payments_unavailable', exitCode: 1, fields: {} });
  expect(failure.message).toContain(`The certificate of ${gateway.url} ${words}`);
  expect(failure.hint).toContain('NODE_EXTRA_CA_CERTS=/path/ca.pem');
  expect(gateway.seen).toEqual([]);
});

it('a client that trusts the authority rejects certificates that are expired or for a different host', async () => {
  const authority = join(folder, 'ca.pem');
  await writeFile(authority, certificates.authority);
  const env = {
    HOME: folder,
    NODE_EXTRA_CA_CERTS: authority,
    MSGSITE_TOKEN_SN: session.tokenSN,
    MSGSITE_VTOKEN_SECRET: session.vtokenSecret,
  };
  const status = async (cert: string) => {
    const gateway = await gatewayWith(cert);
    const words = ['pay', 'status', '--gateway', gateway.url];
    const process = startMsgsite(words, { env, cwd: folder });
    const exitCode = await process.exit();
    return { exitCode, gateway, text: process.stdout() + process.stderr() };
  };
  const [valid, expired, other] = await Promise.all(
    [certificates.valid, certificates.expired, certificates.otherHost].map(status),
  );
  expect(valid).toMatchObject({
    exitCode: 0,
    text: expect.stringContaining('✓ Signed in\nGateway  https://'),
  });
  expect(expired?.text).toContain(`The certificate of ${expired?.gateway.url} has expired.`);
  expect(other?.text).toContain('is for a different host name');
  expect([expired?.exitCode, other?.exitCode]).toEqual([1, 1]);
  expect([expired?.gateway.seen, other?.gateway.seen]).toEqual([[], []]);
});

const origin = 'https://pay.example.kz';
const coded = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });

it.each([
  ['CERT_NOT_YET_VALID', 'unsent', 'The certificate of https://pay.example.kz is not valid yet.'],
  ['CERT_REVOKED', 'unsent', 'has been revoked'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'unsent', 'was signed by an unknown authority'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'unsent', 'cannot be verified'],
  ['CERT_SIGNATURE_FAILURE', 'unsent', 'cannot be verified'],
  ['ENOTFOUND', 'unsent', 'cannot be reached: the host name is unknown.'],
  ['EAI_AGAIN', 'unsent', 'cannot be resolved now'],
  ['ENETUNREACH', 'unsent', 'the network is unreachable'],
  ['UND_ERR_CONNECT_TIMEOUT', 'unsent', 'the connection timed out'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'unsent', 'does not support HTTPS'],
  ['EPROTO', 'unsent', 'does not support HTTPS'],
  ['HPE_INVALID_CONSTANT', 'answered', 'The response is not HTTP.'],
  ['ECONNRESET', 'broken', 'was lost before it responded'],
  ['UND_ERR_SOCKET', 'broken', 'was lost before it responded'],
  ['EPIPE', 'broken', 'was lost before it responded'],
])('the error %s means that the request was %s', (code, stage, words) => {
  const failure = connectionFailure(coded(code), origin);
  expect([failure.stage, failure.code]).toEqual([stage, 'payments_unavailable']);
  expect(failure.message).toContain(words);
  expect(failure.message).toContain(origin);
  expect(failure.hint).toBeTruthy();
});

it('refused connections to several addresses are reported once', () => {
  const refused = Object.assign(new Error(''), { code: 'ECONNREFUSED' });
  const cause = new AggregateError([refused, refused]);
  expect(connectionFailure(new TypeError('fetch failed', { cause }), origin).message).toContain(
    'the connection was refused',
  );
});
