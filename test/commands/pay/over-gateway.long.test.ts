import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { providerDay } from '../../../src/payments/zoned-time.js';
import { startTestServer, type TestServer } from '../../helpers/test-server.js';
import { createPayCli, type PayCli } from './pay-cli.js';
import { openSandboxBank, type SandboxBank } from './sandbox-bank.js';

const zone = 'Asia/Almaty';

/** Runs the commands of a cashier's shift and returns the exit code and the document of each call. */
async function work(cli: PayCli, { bank, other }: { bank: SandboxBank; other: PayCli }) {
  const today = providerDay(Date.now(), zone);
  const calls: [words: string, exitCode: number, document: unknown][] = [];
  const call = async (words: string) => {
    const { exitCode, document } = await cli.json(words);
    calls.push([words, exitCode, document]);
    return document;
  };
  await call('status');
  await call('login --phone 87011234567 --otp 000000');
  await call('login --phone 87011234567 --otp 123456');
  await call('status');
  const { paymentId: qr } = await call('qr --amount 1500');
  await call('qr --amount 1501');
  const { paymentId: left } = await call('qr --amount 1506 --no-wait');
  await bank.force(left, 'Expired');
  await call(`wait ${left}`);
  await call('wait 1');
  await call('qr --amount 1507');
  await call('invoice client 87015554433');
  await call('invoice client 87010000000');
  const { paymentId: invoice } = await call('invoice --phone 87015554433 --amount 1506 --no-wait');
  await call(`invoice show ${invoice}`);
  await call(`invoice cancel ${invoice}`);
  await call(`wait ${invoice} --type invoice`);
  await call('invoice list');
  await call(`refund ${qr} --amount 500,50 --yes`);
  await call(`refund ${qr} --amount 5000 --yes`);
  await bank.disturb({ faults: ['lost@refunds/create x2'] });
  await call(`refund ${qr} --amount 100 --yes`);
  await bank.disturb({});
  await call('payments --state in_doubt');
  await call('payments --kind refund');
  await call(`refund ${qr} --amount 100 --yes`);
  await call('payments --state in_doubt --kind qr');
  await call('payments');
  await call('payments --state ended --limit 2');
  await call('payments --kind refund --state ended');
  await call('history --limit 3');
  await call('history --from 2026-01-02 --to 2026-01-01');
  await call(`report --day ${today}`);
  const { document: foreign } = await other.json('qr --amount 2506 --no-wait');
  await bank.force(foreign.paymentId, 'Processed');
  await call(`reconcile --day ${today}`);
  await call(`adopt ${foreign.paymentId} --yes`);
  await call(`wait ${foreign.paymentId}`);
  await call(`adopt ${foreign.paymentId} --yes`);
  await call('adopt 999 --type qr --yes');
  await call('adopt --none 0123456789abcdef01234567 --yes');
  await call(`reconcile --day ${today}`);
  // A payment of this amount ends the session at the bank.
  await call('qr --amount 1509 --no-wait');
  await call('invoice list');
  await call('qr --amount 1500 --no-wait');
  await call('logout');
  await call('logout');
  await call('qr --amount 1500');
  return calls;
}

/** Replaces values that differ between shifts, such as IDs, times, keys and paths. */
function alike(calls: readonly unknown[]): unknown {
  const text = JSON.stringify(calls, (name, value: unknown) =>
    ['webhooks', 'cursor', 'sessionFile', 'hint'].includes(name) ? undefined : value,
  );
  return JSON.parse(
    text
      .replace(/\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(\.\d+)?(Z|\+\d{2}:?\d{2})?/g, 'TIME')
      .replace(/"(ClientName|client)":"[^"]+"/g, '"$1":"NAME"')
      .replace(/(qr|receipt)\/[\w-]+/g, '$1/TOKEN')
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID')
      .replace(/"(\w*[a-z]\w*)":-?\d{6,}/g, '"$1":"ID"')
      .replace(/(?<![\w"])\d{6,}|(?<=")[0-9a-f]{16,}(?=")|\d{6,}/g, 'ID'),
  );
}

/**
 * Opens a bank that is slow enough to cancel an invoice, and a second gateway of the same organization, which makes
 * payments that the tested gateway does not have.
 */
async function openShop() {
  const bank = await openSandboxBank(20);
  const other = await createPayCli({ MSGSITE_PROVIDER: bank.url });
  await other.signIn();
  return { bank, other };
}

let shops: readonly Awaited<ReturnType<typeof openShop>>[];
let own: PayCli;
let remote: PayCli;
let server: TestServer;

beforeAll(async () => {
  const [near, far] = [await openShop(), await openShop()];
  shops = [near, far];
  own = await createPayCli({ MSGSITE_PROVIDER: near.bank.url });
  remote = await createPayCli({ MSGSITE_DATA: '/nowhere', MSGSITE_PROVIDER: 'none:' });
  const env = { MSGSITE_PROVIDER: far.bank.url, MSGSITE_POLL_INTERVAL: '0.02' };
  server = await startTestServer({ only: 'gateway', env });
});
afterAll(async () => {
  await server.close();
  for (const cli of [own, remote, ...shops.map(({ other }) => other)]) await cli.remove();
  for (const { bank } of shops) await bank.close();
});

describe('every pay command', () => {
  it('returns the same documents and exit codes with --gateway as with local data', async () => {
    const [near, far] = shops;
    if (!near || !far) throw new Error('A shop is missing.');
    const local = await work(own, near);
    const over: PayCli = {
      ...remote,
      json: (words, call) => remote.json(`${words} --gateway ${server.gateway}`, call),
    };
    const distant = await work(over, far);
    expect(alike(distant)).toEqual(alike(local));
    expect(distant.slice(-5, -3)).toMatchObject([
      ['invoice list', 4, { code: 'session_ended' }],
      ['qr --amount 1500 --no-wait', 4, { code: 'session_ended' }],
    ]);
    expect(await readdir(remote.folder)).toEqual(['config']);
  });

  it('prints the same tables with --gateway as with local data', async () => {
    await remote.run(`login --gateway ${server.gateway} --phone 87011234567 --otp 123456`);
    await own.run('login --phone 87011234567 --otp 123456');
    // Column widths depend on the content, and the provider's numbers differ.
    const heads = (text: string) => text.split('\n', 1)[0]?.replaceAll(/ +/g, ' ');
    for (const words of [
      'payments',
      'payments --kind refund',
      'history',
      'report',
      'invoice list',
    ]) {
      const here = await own.run(words);
      const there = await remote.run(`${words} --gateway ${server.gateway}`);
      expect([words, there.exitCode, heads(there.stdout)]).toEqual([
        words,
        here.exitCode,
        heads(here.stdout),
      ]);
    }
  });
});
