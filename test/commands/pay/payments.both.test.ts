import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CliResult } from '../../helpers/run-cli.js';
import { createPayCli, type PayCli } from './pay-cli.js';

let cli: PayCli;
beforeAll(async () => {
  cli = await createPayCli();
  await cli.signIn();
});
afterAll(() => cli.remove());

describe('pay qr', () => {
  it.each([
    ['1500', 0, 'success', 'Processed'],
    ['1501', 5, 'failed', 'CancelledByUser'],
    ['1502', 5, 'failed', 'Rejected'],
    ['1503', 5, 'failed', 'Error'],
    ['1504', 6, 'expired', 'Expired'],
    ['1505', 6, 'expired', 'QrTokenDiscarded'],
    ['1506', 6, 'expired', 'Expired'],
    ['1507', 0, 'success', 'Processed'],
    ['1508', 0, 'success', 'Processed'],
  ])('for %s exits with code %d', async (amount, exitCode, outcome, status) => {
    const waited = await cli.json(`qr --amount ${amount}`);
    expect(waited.exitCode).toBe(exitCode);
    expect(waited.document).toMatchObject({
      type: 'qr',
      amount: Number(amount),
      state: 'ended',
      outcome,
      status,
      qrToken: expect.stringContaining('https://'),
    });
  });

  it('accepts exactly one amount, as an argument or a flag', async () => {
    const { exitCode, document } = await cli.json('qr 1500');
    expect([exitCode, document.amount]).toEqual([0, 1500]);
    const twice = await cli.json('qr 1500 --amount 1600');
    expect([twice.exitCode, twice.document.code]).toEqual([2, 'usage']);
    expect((await cli.json('qr some')).exitCode).toBe(2);
    expect((await cli.json('qr 1500 1600')).exitCode).toBe(2);
  });

  it('prints the payment immediately and the result at the end without a terminal', async () => {
    const { exitCode, stdout, stderr } = await cli.run('qr --amount "1 500,50"');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^Payment {2}\d+\nAmount {3}1 500,50 ₸\nLink {5}https:\/\/\S+\n/);
    expect(stdout).toMatch(/✓ PAID {2}1 500,50 ₸\nThe customer has paid\./);
    expect(stderr).toContain('○ Waiting for the customer to scan');
    expect(stdout + stderr).not.toContain('\u001b');
  });

  it('exits immediately with --no-wait, and pay wait follows the payment', async () => {
    const { document } = await cli.json('qr --amount 1500 --no-wait');
    expect(document).toMatchObject({ state: 'open', outcome: null, status: 'QrTokenCreated' });
    const waited = await cli.json(`wait ${document.paymentId}`);
    expect(waited).toMatchObject({ exitCode: 0, document: { outcome: 'success' } });
    const again = await cli.run(`wait ${document.paymentId}`);
    expect(again.exitCode).toBe(0);
    expect(again.stdout).toContain('✓ PAID');
  });

  it('exits with code 1 if the provider declines', async () => {
    const { exitCode, document } = await cli.json('qr --amount 1510');
    expect(exitCode).toBe(1);
    expect(document).toMatchObject({ code: 'provider_error', error: expect.any(String) });
  });

  it.each([
    ['qr', '--amount is missing'],
    ['qr --amount 0', 'is not a valid amount'],
    ['qr --amount 15,005', 'is not a valid amount'],
    ['qr --amount 1500 --timeout 0', 'Invalid time for --timeout'],
    ['wait abc', 'is not a valid payment ID'],
  ])('%s is a usage error', async (words, message) => {
    const { exitCode, stderr } = await cli.run(words);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });

  it('pay wait rejects an unknown payment', async () => {
    const { exitCode, stderr } = await cli.run('wait 5');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Payment 5 is not stored here');
  });
});

describe('the wait for an open payment', () => {
  const slow = { MSGSITE_SANDBOX_SPEED: '1' };

  it('stops after --timeout with exit code 7 and the command to resume', async () => {
    const { exitCode, stdout, stderr } = await cli.run('qr --amount 1500 --timeout 0.1', {
      env: slow,
    });
    expect(exitCode).toBe(7);
    expect(stdout).toContain('? UNKNOWN');
    expect(stderr).toMatch(/Resume waiting: msgsite pay wait \d+/);
  });

  it('stops with exit code 130 when interrupted, and the payment stays open', async () => {
    const interruption = new AbortController();
    const { exitCode, document } = await cli.json('qr --amount 1500', {
      env: slow,
      signal: interruption.signal,
      onStderr: (text) => text.includes('Waiting for the customer') && interruption.abort(),
    });
    expect(exitCode).toBe(130);
    expect(document).toMatchObject({ state: 'open', outcome: null });
    const { document: open } = await cli.json('payments --state open');
    const ids = open.payments.map(({ paymentId }: { paymentId: string }) => paymentId);
    expect(ids).toContain(document.paymentId);
  });

  it('reports that the session has ended, and continues after a new sign-in', async () => {
    let waiting: Promise<CliResult> | undefined;
    await new Promise<void>((resolve) => {
      const onStderr = (text: string) => {
        if (text.includes('Run msgsite pay login in another window')) resolve();
      };
      waiting = cli.run('qr --amount 1509', { onStderr });
    });
    await cli.signIn();
    expect((await waiting)?.exitCode).toBe(0);
  });
});

describe('pay invoice', () => {
  const phone = '--phone "+7 (701) 555-44-33"';

  it.each([
    ['1500', 0, 'success'],
    ['1501', 5, 'failed'],
    ['1504', 6, 'expired'],
  ])('for %s exits with code %d', async (amount, exitCode, outcome) => {
    const waited = await cli.json(`invoice ${phone} --amount ${amount} --comment "For tea"`);
    expect(waited.exitCode).toBe(exitCode);
    expect(waited.document).toMatchObject({ type: 'invoice', outcome, clientPhone: '77015554433' });
  });

  it('prints the name of the customer', async () => {
    const { stdout } = await cli.run(`invoice ${phone} --amount 1500 --no-wait`);
    const client = (await cli.json('invoice client 87015554433')).document.Data.ClientName;
    expect(stdout).toContain(`Customer ${client}`);
  });

  it('rejects a phone number that belongs to no customer', async () => {
    const { exitCode, stderr } = await cli.run('invoice --phone 77010000404 --amount 1500');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('no customer with this number');
  });

  it('can be shown, listed and cancelled', async () => {
    const slow = { env: { MSGSITE_SANDBOX_SPEED: '1' } };
    const { document } = await cli.json(`invoice ${phone} --amount 2500 --no-wait`, slow);
    const shown = await cli.json(`invoice show ${document.paymentId}`, slow);
    expect(shown.document.Data).toMatchObject({ Status: 'RemotePaymentCreated', Amount: 2500 });
    const cancelled = await cli.json(`invoice cancel ${document.paymentId}`, slow);
    expect(cancelled.document.Data.Status).toBe('RemotePaymentCanceled');
    expect((await cli.run(`invoice cancel ${document.paymentId}`, slow)).exitCode).toBe(1);
    // No other process watches the payment, so the cancelling command stores its outcome.
    const ended = await cli.json(`wait ${document.paymentId}`, slow);
    expect(ended).toMatchObject({ exitCode: 5, document: { status: 'RemotePaymentCanceled' } });
    const { stdout } = await cli.run('invoice list');
    expect(stdout).toMatch(/ID +TYPE +AMOUNT/);
    expect(stdout).toContain(document.paymentId);
  });

  it('accepts the name of a subcommand as a flag value', async () => {
    const { exitCode } = await cli.run(`invoice --comment show ${phone} --amount 1500 --no-wait`);
    expect(exitCode).toBe(0);
    const { stdout } = await cli.run('invoice show --help');
    expect(stdout).toContain('Usage: msgsite pay invoice show');
  });

  it.each([
    ['invoice --amount 5', '--phone is missing'],
    [`invoice ${phone}`, '--amount is missing'],
    ['invoice show', 'missing required argument'],
  ])('%s is a usage error', async (words, message) => {
    const { exitCode, stderr } = await cli.run(words);
    expect(exitCode).toBe(2);
    expect(stderr.toLowerCase()).toContain(message);
  });
});

describe('webhooks of a payment that no server watches', () => {
  it('are sent by the waiting command, and the next serve retries failed ones', async () => {
    const bodies: unknown[] = [];
    const receiver = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk) => {
        text += chunk;
      });
      request.on('end', () => {
        bodies.push(JSON.parse(text));
        response.statusCode = request.url === '/broken' ? 500 : 204;
        response.end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const { port } = receiver.address() as AddressInfo;
    const events = ['payment.success'];
    const subscriptions = ['fine', 'broken'].map((path) => ({
      url: `http://127.0.0.1:${port}/${path}`,
      events,
    }));
    await writeFile(cli.env.MSGSITE_WEBHOOKS ?? '', JSON.stringify(subscriptions));
    const { exitCode, stderr } = await cli.run('qr --amount 700');
    receiver.close();
    await writeFile(cli.env.MSGSITE_WEBHOOKS ?? '', '[]');
    expect(exitCode).toBe(0);
    expect(bodies).toHaveLength(2);
    expect(bodies[0]).toMatchObject({ event: 'payment.success', amount: 700 });
    expect(stderr).toContain(`http://127.0.0.1:${port}/broken`);
    expect(stderr).toContain('next msgsite serve');
  });
});
