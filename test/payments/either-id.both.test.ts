import { describe, expect, it, onTestFinished } from 'vitest';
import { formatTenge } from '../../src/words/formats.js';
import { createPayCli } from '../commands/pay/pay-cli.js';
import { startTestServer } from '../helpers/test-server.js';
import { createGatewayClient } from './gateway-client.js';
import { openScriptedBank } from './scripted-bank.js';

/** Returns the bank's second ID of an invoice. */
const otherOf = (id: string) => `90071992547${id.padStart(6, '0')}`;

const openBank = () =>
  openScriptedBank({
    created: (id) => ({ QrOperationId: otherOf(id) }),
    status: (id) => ({ Status: 'RemotePaymentCreated', QrOperationId: id }),
  });

/** Signs in a cashier at a gateway and creates an invoice for 4,000 tenge. */
async function openShop() {
  const bank = await openBank();
  const server = await startTestServer({
    only: 'gateway',
    env: { MSGSITE_PROVIDER: bank.module },
  });
  onTestFinished(() => server.close());
  const client = await createGatewayClient(server.gateway);
  const { headers } = await client.signIn();
  const order = { amount: 4_000, phoneNumber: '77017654321' };
  const { body } = await client.post('/api/invoice/create', order, headers);
  return { client, headers, id: String(body.Data.Id) };
}

async function openCli() {
  const bank = await openBank();
  const cli = await createPayCli({ MSGSITE_PROVIDER: bank.module });
  onTestFinished(() => cli.remove());
  await cli.signIn();
  return { bank, cli };
}

describe('GET /api/payments/:payment', () => {
  it('finds an invoice by either of the provider’s IDs', async () => {
    const { client, headers, id } = await openShop();
    for (const name of [id, otherOf(id), `invoice:${otherOf(id)}`]) {
      const { status, body: found } = await client.get(`/api/payments/${name}`, headers);
      expect([status, found.payment?.paymentId]).toEqual([200, id]);
    }
    expect((await client.get(`/api/payments/qr:${otherOf(id)}`, headers)).status).toBe(404);
    expect((await client.get('/api/payments/90071992547000000', headers)).status).toBe(404);
    const stranger = await client.signIn('77021112233');
    const theirs = await client.get(`/api/payments/${otherOf(id)}`, stranger.headers);
    expect(theirs.status).toBe(404);
  });

  it('adds up the refunds of an invoice by either of its IDs', async () => {
    const { client, headers, id } = await openShop();
    const refund = (qrOperationId: string) =>
      client.post('/api/refund/create', { qrOperationId, returnAmount: 3_000 }, headers);
    expect((await refund(otherOf(id))).status).toBe(200);
    const refused = await refund(id);
    expect([refused.status, refused.body.code]).toEqual([409, 'refused']);
    expect(refused.body.error).toContain(`${formatTenge(1_000)} of payment`);
  });
});

describe('pay', () => {
  it('waits for an invoice by either of its IDs and adopts it only once', async () => {
    const { cli } = await openCli();
    const words = 'invoice --phone 87015554433 --amount 900 --no-wait';
    const { document: made } = await cli.json(words);
    const other = otherOf(made.paymentId);
    const waited = await cli.json(`wait ${other} --timeout 0.2`);
    expect(waited.document).toMatchObject({ paymentId: made.paymentId, state: 'open' });
    const adopted = await cli.json(`adopt ${other} --yes`);
    expect(adopted.document).toMatchObject({
      isNew: false,
      payment: { paymentId: made.paymentId },
    });
    const { document: list } = await cli.json('payments');
    expect(list.payments).toHaveLength(1);
  });

  it('adopts an operation only once if the provider’s answer contains the ID of a stored payment', async () => {
    const { bank, cli } = await openCli();
    const operation = { Status: 'RemotePaymentCreated', Id: 77, QrOperationId: 7_700, Amount: 5 };
    bank.script = { status: () => operation };
    const first = await cli.json('adopt 77 --type invoice --yes');
    expect(first.document).toMatchObject({ isNew: true, payment: { paymentId: '77' } });
    const again = await cli.json('adopt 7700 --type invoice --yes');
    expect(again.document).toMatchObject({ isNew: false, payment: { paymentId: '77' } });
  });
});
