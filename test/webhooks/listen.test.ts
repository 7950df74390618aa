import { describe, expect, it, onTestFinished } from 'vitest';
import { startMsgsite } from '../helpers/msgsite-process.js';
import { runCli } from '../helpers/run-cli.js';

describe('webhooks listen', () => {
  it('verifies and prints webhooks, responds with the requested failures, and stops cleanly', async () => {
    const env = { MSGSITE_WEBHOOK_SECRET: 's3cret' };
    const listening = startMsgsite(['webhooks', 'listen', '--json', '--fail', '1'], { env });
    onTestFinished(() => void listening.child.kill('SIGKILL'));
    const [, url = ''] = await listening.waitFor(/"listening":"([^"]+)"/);
    const argv = ['webhooks', 'trigger', 'payment.success', '--url', url];
    expect((await runCli(argv, { env })).exitCode).toBe(1);
    expect((await runCli(argv, { env })).exitCode).toBe(0);
    const wrong = { MSGSITE_WEBHOOK_SECRET: 'another' };
    expect((await runCli(argv, { env: wrong })).exitCode).toBe(1);
    expect((await fetch(url)).status).toBe(405);
    await listening.waitFor(/"number":3.*\n/);
    expect(await listening.end('SIGINT')).toBe(0);
    const lines = listening.stdout().trim().split('\n').slice(1);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { event: 'payment.success', verified: true, answered: 500, attempt: 1 },
      { event: 'payment.success', verified: true, answered: 200 },
      { event: 'payment.success', verified: false, answered: 401 },
    ]);
  });

  it('prints a body that is too deeply nested as text and continues', async () => {
    const listening = startMsgsite(['webhooks', 'listen', '--json']);
    onTestFinished(() => void listening.child.kill('SIGKILL'));
    const [, url = ''] = await listening.waitFor(/"listening":"([^"]+)"/);
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    for (const body of [deep, '{"a":1}']) await fetch(url, { method: 'POST', body });
    await listening.waitFor(/"number":2.*\n/);
    expect(await listening.end('SIGINT')).toBe(0);
    const [first, second] = listening.stdout().trim().split('\n').slice(1);
    expect(JSON.parse(first ?? '')).toMatchObject({ number: 1, body: deep });
    expect(JSON.parse(second ?? '')).toMatchObject({ number: 2, body: { a: 1 } });
  });

  it('reports an invalid port', async () => {
    const signal = AbortSignal.abort();
    const bad = await runCli(['webhooks', 'listen', '--port', '70000'], { signal });
    expect(bad).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--port') });
  });
});
