import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../helpers/test-server.js';
import { createPayCli, type PayCli } from './pay-cli.js';

let cli: PayCli;
let receiver: Server;
/** The received webhooks as `<event> <payment>`, in order. */
let received: string[];

beforeEach(async () => {
  cli = await createPayCli();
  received = [];
  receiver = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      const { event, paymentId } = JSON.parse(text);
      received.push(`${event} ${paymentId}`);
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const events = ['payment.success', 'payment.failed', 'payment.expired'];
  const subscription = { url: `http://127.0.0.1:${port}/`, events };
  await writeFile(cli.env.MSGSITE_WEBHOOKS ?? '', JSON.stringify([subscription]));
  await cli.signIn();
});
afterEach(async () => {
  receiver.close();
  await cli.remove();
});

function serve(): Promise<TestServer> {
  return startTestServer({ data: cli.env.MSGSITE_DATA ?? '', only: 'gateway', env: cli.env });
}

const expected = (documents: readonly { paymentId: string; outcome: string }[]) =>
  documents.map(({ outcome, paymentId }) => `payment.${outcome} ${paymentId}`).sort();

it('tills and a server on one storage send one webhook per payment and agree on its outcome', async () => {
  const server = await serve();
  const waiting = [1500, 1501, 1502, 1504, 1508].flatMap((amount) => [
    cli.json(`qr --amount ${amount}`),
    cli.json(`invoice --phone 87015554433 --amount ${amount}`),
  ]);
  const results = await Promise.all(waiting);
  for (const { exitCode, document } of results) {
    const code = { success: 0, failed: 5, expired: 6 }[document.outcome as string];
    expect([document.state, exitCode]).toEqual(['ended', code]);
  }
  await expect.poll(() => received.length, { timeout: 10_000 }).toBe(results.length);
  await server.close();
  expect([...received].sort()).toEqual(expected(results.map(({ document }) => document)));
  const { document: open } = await cli.json('payments --state open');
  expect(open.payments).toEqual([]);
});

it('a server resumes watching an open payment of a till, and a till that of a stopped server', async () => {
  const slow = { env: { MSGSITE_SANDBOX_SPEED: '20' } };
  const left = (await cli.json('qr --amount 1500 --no-wait', slow)).document;
  const unwatched = await cli.run('payments');
  expect(unwatched.stderr).toContain('No process watches open payments');
  const server = await serve();
  expect((await cli.run('payments')).stderr).toBe('');
  const followed = await cli.json(`wait ${left.paymentId}`, slow);
  expect(followed.document).toMatchObject({ outcome: 'success' });
  expect(followed.document.webhooks).toBeUndefined();
  await expect.poll(() => received).toEqual([`payment.success ${left.paymentId}`]);

  const { tokenSN, vtokenSecret } = JSON.parse(await readFile(cli.sessionFile, 'utf8'));
  const response = await fetch(`${server.gateway}/api/qr/create`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Token-SN': tokenSN,
      'X-Vtoken-Secret': vtokenSecret,
    },
    body: JSON.stringify({ amount: 1506 }),
  });
  const { Data } = (await response.json()) as { Data: { QrOperationId: number } };
  await server.close();
  const taken = await cli.json(`wait ${Data.QrOperationId}`);
  expect(taken).toMatchObject({ exitCode: 6, document: { webhooks: { delivered: 1 } } });
  expect(received.at(-1)).toBe(`payment.expired ${Data.QrOperationId}`);
});
