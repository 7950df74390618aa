import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { makeTempFolder } from '../helpers/temp-folder.js';
import {
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from '../helpers/test-server.js';
import { createGatewayClient } from './gateway-client.js';

const phone = '77011234567';
const servers: TestServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** Starts a gateway with rate limits. Returns the three steps of a sign-in. */
async function open(options: TestServerOptions = {}) {
  const server = await startTestServer({ only: 'gateway', ...options });
  servers.push(server);
  const { post } = await createGatewayClient(server.gateway);
  const send = (processId: string, phoneNumber = phone) =>
    post('/api/auth/send-phone', { phoneNumber, processId });
  const verify = (processId: string, otp: string) =>
    post('/api/auth/verify-otp', { processId, otp });
  const init = async (): Promise<string> => (await post('/api/auth/init')).body.processId;
  /** Starts a sign-in. Returns its process after the code has been sent. */
  async function begin(phoneNumber = phone): Promise<string> {
    const processId = await init();
    expect((await send(processId, phoneNumber)).status).toBe(200);
    return processId;
  }
  /** Sends five wrong codes, which ends the process. */
  async function guess(processId: string): Promise<void> {
    for (let tries = 0; tries < 5; tries++) {
      expect((await verify(processId, '000000')).status).toBe(400);
    }
  }
  return { server, init, send, verify, begin, guess };
}

const refused = { status: 400, body: { success: false, error: expect.any(String) } };

it('requests with invented processes or repeated steps do not block the sign-in of a cashier', async () => {
  const { send, begin, verify } = await open();
  for (let index = 0; index < 12; index++) {
    expect(await send(`invented-${index}`)).toMatchObject(refused);
  }
  const processId = await begin();
  // The provider rejects a repeated step and sends no code.
  for (let index = 0; index < 12; index++) expect(await send(processId)).toMatchObject(refused);
  await begin();
  expect((await verify(processId, '123456')).status).toBe(200);
});

it('sign-ins without a code are not stored', async () => {
  const data = await makeTempFolder();
  const { init, send } = await open({ data });
  for (let index = 0; index < 5; index++) {
    await init();
    expect(await send(`invented-${index}`)).toMatchObject(refused);
  }
  const kept = await readdir(join(data, 'payments', 'sign-ins'), { recursive: true }).catch(
    () => [],
  );
  expect(kept.filter((name) => name.endsWith('.json'))).toEqual([]);
});

it('a phone can receive ten codes in a burst, then one per minute', async () => {
  const { init, send, begin } = await open();
  for (let index = 0; index < 10; index++) await begin();
  const refusal = await send(await init());
  expect(refusal).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await send(await init(), '77010000000')).status).toBe(200);
});

it('a phone is locked after 20 wrong codes in several processes, even for the correct code', async () => {
  const { begin, guess, init, send, verify } = await open();
  const spare = await begin();
  for (let index = 0; index < 4; index++) await guess(await begin());
  for (const answer of [await verify(spare, '123456'), await send(await init())]) {
    expect(answer).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    const seconds = Number(answer.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(3600);
  }
  const other = await begin('77010000000');
  expect((await verify(other, '123456')).status).toBe(200);
});

it('correct codes, and codes for unknown or closed processes, are not counted as wrong', async () => {
  const { begin, guess, verify } = await open();
  for (let index = 0; index < 12; index++) {
    expect(await verify(`invented-${index}`, '123456')).toMatchObject(refused);
  }
  const [first, second, third, fourth] = [
    await begin(),
    await begin(),
    await begin(),
    await begin(),
  ];
  await guess(first);
  // Five wrong codes close the process. Later codes are not checked.
  for (let index = 0; index < 8; index++) {
    expect(await verify(first, '123456')).toMatchObject(refused);
  }
  await guess(second);
  await guess(third);
  expect((await verify(fourth, '123456')).status).toBe(200);
  await guess(await begin());
  expect((await verify(await begin('77010000000'), '000000')).status).toBe(400);
});

it('the gateway checks at most 20 concurrent codes of a phone', async () => {
  const { begin, verify } = await open();
  const processes: string[] = [];
  for (let index = 0; index < 6; index++) processes.push(await begin());
  const codes = processes.flatMap((id) => Array.from({ length: 5 }, () => verify(id, '000000')));
  const statuses = (await Promise.all(codes)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 400)).toHaveLength(20);
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
});

it('the gateway checks at most five concurrent codes of a process', async () => {
  const { begin, verify } = await open();
  const processId = await begin();
  const answers = await Promise.all(Array.from({ length: 12 }, () => verify(processId, '000000')));
  const judged = answers.filter(({ body }) => body.details?.StatusCode !== undefined);
  expect(judged).toHaveLength(5);
});

it('wrong codes in a process that started before a restart are counted for its phone', async () => {
  const data = await makeTempFolder();
  const before = await open({ data });
  const old = await before.begin();
  await before.server.close();
  servers.length = 0;
  const { begin, guess, verify, send, init } = await open({ data });
  await guess(old);
  for (let index = 0; index < 3; index++) await guess(await begin());
  expect((await send(await init())).status).toBe(429);
  expect((await verify(old, '123456')).status).toBe(429);
});
