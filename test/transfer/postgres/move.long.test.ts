import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createApiClient } from '../../helpers/api-client.js';
import { runCli } from '../../helpers/run-cli.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';
import { createTestDatabase } from '../../helpers/test-database.js';
import { startTestServer } from '../../helpers/test-server.js';
import { createGatewayClient } from '../../payments/gateway-client.js';
import { answer } from '../../webhooks/receiver.js';
import { key, keyedBody, messagesOf, type Populated, paidBody, populate } from '../populate.js';

/** Returns an export without its first line, which contains its time and source. */
async function exportOf(folder: string, words: readonly string[]): Promise<string> {
  const file = join(folder, 'export.jsonl');
  const { exitCode, stderr } = await runCli(['data', 'export', '-o', file, ...words]);
  expect(exitCode, stderr).toBe(0);
  const text = await readFile(file, 'utf8');
  return text.slice(text.indexOf('\n'));
}

/** Checks that clients receive the same responses as before. */
async function expectTheSame(site: string, gateway: string, was: Populated): Promise<void> {
  const api = await createApiClient(site);
  const { ann, bob, revoked, chats, keyed, cashier, paid } = was;
  expect((await api('GET', '/api/auth/me', { token: ann })).body.user.username).toBe('Ann');
  expect((await api('GET', '/api/auth/me', { token: revoked })).status).toBe(401);
  for (const { id, messages } of chats) {
    expect((await messagesOf(api, ann, id)).slice(0, messages.length)).toEqual(messages);
  }
  const again = await api('POST', keyed.path, { token: ann, body: keyedBody, headers: key });
  expect(again.body.message).toEqual(keyed.message);
  const list = (await api('GET', '/api/chats', { token: bob })).body.chats;
  expect(list).toHaveLength(2);
  const pay = await createGatewayClient(gateway);
  const repeated = await pay.post('/api/qr/create', paidBody, { ...cashier, ...key });
  expect(repeated.body).toEqual(paid);
}

it('a deployment can be moved to PostgreSQL and back without visible changes for clients', async () => {
  const folder = await makeTempFolder();
  const was = await populate(folder);
  const url = await createTestDatabase();
  const json = ['--data', was.data];
  const database = ['--database', url, ...json];

  const before = await exportOf(folder, json);
  const moved = await runCli(['data', 'move', ...json, '--to', url, '--json']);
  expect(moved.exitCode, moved.stderr).toBe(0);
  expect(JSON.parse(moved.stdout)).toMatchObject({
    from: was.data,
    // Includes the five demo users and their messages.
    kinds: {
      user: { records: 8 },
      'revoked-token': { records: 1 },
      chat: { records: 8 },
      member: { records: 20 },
      message: { records: 31 },
      'message-key': { records: 1 },
      'cashier-session': { records: 1 },
      payment: { records: 5 },
      'payment-answer': { records: 1 },
      delivery: { records: 8 },
      'sandbox-operation': { records: 5 },
    },
    secrets: ['MSGSITE_JWT_SECRET', 'MSGSITE_GATEWAY_KEY'],
  });
  expect(moved.stdout).not.toContain(':test@');
  expect(await exportOf(folder, database)).toBe(before);

  // Neither servers nor commands can use the old folder.
  const env = was.env;
  await expect(startTestServer({ data: was.data, env })).rejects.toThrow(/was moved to postgres/);
  const replay = await runCli(['webhooks', 'replay', '--all', ...json]);
  expect([replay.exitCode, replay.stderr]).toEqual([1, expect.stringContaining('transfer.json')]);

  was.bad.behave(answer(200));
  const onDatabase = await startTestServer({
    data: was.data,
    env: { ...env, MSGSITE_DATABASE: url },
  });
  await expectTheSame(onDatabase.site, onDatabase.gateway, was);
  const busy = await runCli(['data', 'move', ...database, '--to', join(folder, 'back')]);
  expect([busy.exitCode, busy.stderr]).toEqual([
    1,
    expect.stringMatching(/in use by msgsite serve/),
  ]);
  // An export while the server is running is a consistent snapshot.
  await exportOf(folder, database);

  const api = await createApiClient(onDatabase.site);
  const [chat] = was.chats;
  const path = `/api/chats/${chat?.id}/messages`;
  const posted = await api('POST', path, { token: was.ann, body: { text: 'after' } });
  expect(posted.body.message.id).toBeGreaterThan(31);
  const product = await api('POST', '/api/admin/products', { body: { name: 'New' } });
  const { data: products } = (await api('GET', '/api/products')).body;
  expect(products.filter(({ id }: { id: number }) => id >= product.body.data.id)).toHaveLength(1);
  const pending = await vi.waitFor(
    () => {
      const found = was.bad.received.find(
        ({ headers }) =>
          headers['x-webhook-id'] === was.pendingEvent && headers['x-webhook-attempt'] === '2',
      );
      expect(found).toBeDefined();
      return found;
    },
    { timeout: 20_000 },
  );
  expect(JSON.parse(pending?.body ?? '{}').status).toBe('Rejected');
  // After the evicted cashier signs in again, the open payment ends.
  await (await createGatewayClient(onDatabase.gateway)).signIn();
  await vi.waitFor(
    () => {
      const bodies = was.good.received.map(({ body }) => JSON.parse(body));
      expect(bodies).toContainEqual(expect.objectContaining({ paymentId: was.open }));
    },
    { timeout: 20_000, interval: 100 },
  );
  await onDatabase.close();

  const back = join(folder, 'back');
  const after = await exportOf(folder, database);
  const returned = await runCli(['data', 'move', ...database, '--to', back]);
  expect(returned.exitCode, returned.stderr).toBe(0);
  expect(await exportOf(folder, ['--data', back])).toBe(after);
  const check = await runCli(['data', 'check', '--data', back, '--json']);
  expect(JSON.parse(check.stdout)).toMatchObject({ ok: true, findings: [] });
  const rejected = await runCli(['data', 'move', ...database, '--to', join(folder, 'third')]);
  expect([rejected.exitCode, rejected.stderr]).toEqual([
    1,
    expect.stringContaining(`moved to ${back}`),
  ]);

  const secrets = JSON.parse(await readFile(join(was.data, 'secrets.json'), 'utf8'));
  const onFiles = await startTestServer({
    data: back,
    env: {
      ...env,
      MSGSITE_JWT_SECRET: secrets.jwtSecret,
      MSGSITE_GATEWAY_KEY: secrets.gatewayKey,
    },
  });
  await expectTheSame(onFiles.site, onFiles.gateway, was);
  const last = await (await createApiClient(onFiles.site))('POST', path, {
    token: was.ann,
    body: { text: 'home again' },
  });
  expect(last.body.message.id).toBeGreaterThan(posted.body.message.id);
  await onFiles.close();
});
