import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLog } from '../../src/base/open-log.js';
import { createOutput } from '../../src/terminal/output.js';
import { startMsgsite } from '../helpers/msgsite-process.js';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { createPayCli, type PayCli } from './pay/pay-cli.js';

/** Clears the screen, sets a title, colors text with a C1 code, forges a line and reverses the text direction. */
const hostile = 'x\u001b[2J\u001b[31m\u001b]0;t\u0007\u009b31m\r\nError:\u202e\u2066\u061c\u200fy';

const steering = /(?!\n)[\p{Cc}\p{Bidi_Control}]/u;

function expectHarmless({ stdout, stderr }: { stdout: string; stderr: string }) {
  expect(stdout).not.toMatch(steering);
  expect(stderr).not.toMatch(steering);
  // Hostile text must not begin a line.
  expect(`${stdout}\n${stderr}`).not.toMatch(/^Error:\\u202e/m);
}

/** Responses of a bank in which every text is hostile. */
const answers: Readonly<Record<string, unknown>> = {
  'sign-in/start': { processId: hostile, view: 'EnterPhoneNumber', body: {} },
  'sign-in/phone': { processId: hostile, desc: hostile, view: 'EnterOtp', body: {} },
};
const operation = {
  Id: 1,
  QrOperationId: 1,
  Status: hostile,
  StatusDesc: hostile,
  StatusDescription: hostile,
  ClientName: hostile,
  Name: hostile,
  ClientMobile: hostile,
  OperationType: hostile,
  TransactionDate: hostile,
  OrderNumber: hostile,
  ReceiptUrl: hostile,
  QrToken: `https://pay.example/${hostile}`,
  Amount: 1500,
  AvailableAmount: 1,
};

let bank: Server;
let cli: PayCli;
beforeAll(async () => {
  bank = createServer((request, response) => {
    request.resume();
    const path = (request.url ?? '').replace(/^\/|\?.*$/g, '');
    const known = Object.entries(answers).find(([name]) => path.endsWith(name))?.[1];
    const list = /history/.test(path) ? { Operations: [operation], HasMore: false } : operation;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(known ?? { StatusCode: 0, Data: list }));
  });
  bank.listen(0, '127.0.0.1');
  await once(bank, 'listening');
  cli = await createPayCli();
  await cli.signIn();
});
afterAll(async () => {
  bank.close();
  bank.closeAllConnections();
  await cli.remove();
});

function ask(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { port } = bank.address() as AddressInfo; // a TCP server has one
  const provider = { MSGSITE_PROVIDER: `http://127.0.0.1:${port}` };
  return runCli(words, { cwd: cli.folder, env: { ...cli.env, ...provider, ...env } });
}

describe('hostile text', () => {
  it.each([
    'pay login --phone 87011234567',
    'pay qr --amount 1500 --no-wait',
    'pay qr --amount 1500 --timeout 0.2',
    'pay invoice --phone 87011234567 --amount 1500 --no-wait',
    'pay invoice client 87011234567',
    'pay invoice show 1',
    'pay invoice cancel 2',
    'pay invoice list',
    'pay history',
    'pay history --csv',
    'pay refund 1 --amount 1 --yes',
    'pay payments',
    'pay status',
  ])('in the bank’s response to `%s` does not control the terminal', async (words) => {
    for (const json of [[], ['--json']]) {
      if (words.includes('--csv') && json.length > 0) continue;
      const said = await ask([...words.split(' '), ...json]);
      // RFC 4180 ends records with CRLF.
      expectHarmless({ ...said, stdout: said.stdout.replaceAll('\r\n', '\n') });
      // The JSON remains valid and contains the bank's text.
      if (json.length > 0) expect(() => JSON.parse(said.stdout)).not.toThrow();
    }
  });

  it.each([
    [hostile],
    ['pay', hostile],
    ['pay', 'qr', `--${hostile}`],
    ['pay', 'qr', '--amount', hostile],
    ['pay', 'wait', hostile],
    ['pay', 'invoice', '--phone', hostile, '--amount', '1'],
    ['pay', 'payments', '--state', hostile],
    ['pay', 'payments', '--data', `./${hostile}/\u0007`],
    ['pay', 'history', '--from', hostile],
    ['pay', 'status', '--session', hostile],
    ['data', 'check', '--data', hostile],
    ['data', 'export', '--data', hostile],
    ['data', 'import', hostile],
    ['data', 'move', '--to', `xy:${hostile}`],
    ['data', 'migrate', '--database', hostile],
    ['serve', '--port', hostile, '--host', hostile],
    ['sandbox', '--host', hostile],
    ['webhooks', 'list', '--since', hostile],
    ['webhooks', 'trigger', hostile],
    ['webhooks', 'trigger', 'payment.success', '--url', `http://127.0.0.1:9/${hostile}`],
    ['webhooks', 'replay', '--from', hostile],
    ['webhooks', 'replay', '--delivery', hostile],
    ['webhooks', 'verify', '--headers', hostile],
    ['webhooks', 'listen', '--host', hostile],
    ['users', 'list', '--q', hostile],
    ['users', 'show', `${hostile.replace(/\s/g, '')}@shop.example`],
    ['users', 'delete', hostile, '--yes'],
    ['render-screen', hostile],
    ['completion', hostile],
  ])('in command line arguments does not control the terminal (case %#)', async (...words) => {
    for (const more of [[], ['--json'], ['--verbose']]) {
      const said = await ask([...words, ...more]);
      expectHarmless(said);
    }
  });

  it('in files and file names of the data folder does not control the terminal', async () => {
    const data = join(await makeTempFolder(), 'data');
    await mkdir(join(data, 'payments', 'open'), { recursive: true });
    await writeFile(
      join(data, 'payments', 'open', `qr-1${hostile.replaceAll('/', '')}.jsonl`),
      '{',
    );
    await writeFile(join(data, 'site.jsonl'), `{"${hostile}`);
    for (const words of ['data check', 'pay payments', 'webhooks list', 'data export']) {
      for (const more of [[], ['--json']]) {
        expectHarmless(await ask([...words.split(' '), '--data', data, ...more]));
      }
    }
  });

  it('in settings does not control the terminal', async () => {
    const file = join(await makeTempFolder(), 'webhooks.json');
    await writeFile(file, JSON.stringify({ [hostile]: hostile }));
    for (const env of [
      { MSGSITE_WEBHOOKS: file },
      { MSGSITE_LOG_LEVEL: hostile },
      { MSGSITE_PROVIDER: hostile },
      { MSGSITE_JWT_SECRET_FILE: hostile },
    ]) {
      const said = await ask(['pay', 'status'], env as Record<string, string>);
      expect(said.exitCode).toBe(2);
      expectHarmless(said);
    }
  });

  it.each([[], ['--json']])(
    'in a received webhook does not control the terminal with the flags %j',
    async (...flags) => {
      const listening = startMsgsite(['webhooks', 'listen', '--count', '1', ...flags]);
      const [, port] = await listening.waitFor(/127\.0\.0\.1:(\d+)/);
      const body = JSON.stringify({ paymentId: hostile, type: hostile, status: hostile });
      const client = connect(Number(port), '127.0.0.1');
      const length = Buffer.byteLength(body);
      client.write('POST /x HTTP/1.1\r\nHost: x\r\nX-Webhook-Event: \u009b31m\r\n', 'latin1');
      client.write(`Content-Length: ${length}\r\n\r\n${body}`);
      client.on('error', () => {});
      await listening.exit();
      client.destroy();
      expectHarmless({ stdout: listening.stdout(), stderr: listening.stderr() });
    },
  );

  it('is preserved in JSON for scripts', async () => {
    const { stdout } = await ask(['pay', 'login', '--phone', '87011234567', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ processId: hostile, desc: hostile });
  });
});

function gather(more: object = {}) {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  return { stream: Object.assign(stream, more), text: () => text };
}

describe('colors of the output', () => {
  it('come only from the program', () => {
    const [stdout, stderr] = [gather({ isTTY: true }), gather({ isTTY: true })];
    const streams = { stdout: stdout.stream, stderr: stderr.stream };
    const output = createOutput({ ...streams, json: false, env: {} });
    output.result({}, () => output.colors.red(output.colors.bold('own \u001b[31mforeign')));
    output.note(`${output.messageColors.dim('own')} \u001b[32mforeign`);
    expect(stdout.text()).toBe('\u001b[31m\u001b[1mown \\u001b[31mforeign\u001b[22m\u001b[39m\n');
    expect(stderr.text()).toBe('\u001b[2mown\u001b[22m \\u001b[32mforeign\n');
  });
});

describe.each([false, true])('a log with pretty: %s', (pretty) => {
  it('contains nothing that controls the terminal in which it is read', async () => {
    const { stream, text } = gather();
    const { log, close } = await openLog({ destination: stream, pretty, level: 'info' });
    log.info({ path: hostile, nested: { [hostile]: hostile }, err: new Error(hostile) }, hostile);
    await close();
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pretty log contains colors.
    expect(text().replace(/\u001b\[\d+m/g, '')).not.toMatch(steering);
    expect(text()).not.toContain('\u001b[2J');
    expect(text()).toContain('\\u202e');
  });
});
