import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { createApiClient } from '../helpers/api-client.js';
import { verifyJsonFiles } from '../helpers/json-files.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { startTestServer } from '../helpers/test-server.js';
import { createGatewayClient } from '../payments/gateway-client.js';

const env = { MSGSITE_DATABASE: '', MSGSITE_SANDBOX_SPEED: '100', MSGSITE_POLL_INTERVAL: '0.05' };

it('all files in a used data folder are JSON, and every line ends with its checksum', async () => {
  const data = join(await makeTempFolder(), 'data');
  const first = await startTestServer({ data, demo: true, env });
  const api = await createApiClient(first.site);
  const account = { username: 'Ann', email: 'ann@x.kz', password: 'long enough' };
  const { token } = (await api('POST', '/api/auth/register', { body: account })).body;
  const body = { type: 'group', name: 'g' };
  const { chat } = (await api('POST', '/api/chats', { token, body })).body;
  const messages = `/api/chats/${chat.id}/messages`;
  await api('POST', messages, { token, body: { text: 'one\t"two"\n,"crc":"00000000"}' } });
  const gateway = await createGatewayClient(first.gateway);
  const { headers } = await gateway.signIn();
  await gateway.post('/api/qr/create', { amount: 1500 }, headers);
  await first.close();
  const second = await startTestServer({ data, env });
  const kept = await createApiClient(second.site);
  await kept('POST', messages, { token, body: { text: 'three' } });
  await second.close();

  const names = await verifyJsonFiles(data);
  for (const kind of ['site.jsonl', 'secrets.json', 'messaging/messages/journal.', 'payments/']) {
    expect(names.join('\n')).toContain(kind);
  }
  if (existsSync('/usr/bin/jq')) {
    const paths = names.map((name) => join(data, name));
    await promisify(execFile)('jq', ['-e', '.', ...paths], { maxBuffer: 64 * 1024 * 1024 });
  }
});
