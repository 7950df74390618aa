import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createPayCli, type PayCli } from './pay-cli.js';
import { openSandboxBank, type SandboxBank } from './sandbox-bank.js';

const program = fileURLToPath(new URL('../../../bin/msgsite.js', import.meta.url));
const codes = { SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof codes;
const signals = Object.keys(codes) as Signal[];

let bank: SandboxBank;
let cli: PayCli;
let paid: string;

beforeAll(async () => {
  bank = await openSandboxBank();
  cli = await createPayCli({ MSGSITE_PROVIDER: bank.url });
  await cli.signIn();
  paid = (await cli.json('qr --amount 1500')).document.paymentId;
});
afterEach(() => bank.disturb({}));
afterAll(async () => {
  await bank.close();
  await cli.remove();
});

/** Sends the signal to a command when the bank has received this call. The bank never responds to it. */
async function interrupt(words: string, operation: string, signal: Signal) {
  await bank.disturb({ faults: [`hang@${operation} x1`] });
  const argv = [program, 'pay', ...words.split(' '), '--json'];
  const env = { PATH: process.env.PATH ?? '', ...cli.env };
  const child = spawn(process.execPath, argv, { cwd: cli.folder, env });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const ended = once(child, 'close');
  while ((await bank.hangsLeft()) > 0 && child.exitCode === null) await sleep(20);
  child.kill(signal);
  const [exitCode] = await ended;
  return { exitCode, document: JSON.parse(stdout), stderr };
}

describe.each(signals)('%s while the bank hangs', (signal) => {
  it.each([
    ['qr --amount 1500', 'qr/create', /QR payment was made.*You can create another one/s],
    [
      'invoice --phone 87015554433 --amount 1500',
      'invoices/create',
      /invoice was sent.*Do not send another one/s,
    ],
    [
      'refund ID --amount 500 --yes',
      'refunds/create',
      /were returned.*It is safe to repeat this command/s,
    ],
  ])(
    'ends `pay %s`, which reports the request in doubt and its key',
    async (words, operation, said) => {
      const { exitCode, document, stderr } = await interrupt(
        words.replace('ID', paid),
        operation,
        signal,
      );
      expect(exitCode, stderr).toBe(codes[signal]);
      expect(document).toEqual({
        error: expect.stringMatching(/^It is not known whether/),
        code: 'in_doubt',
        key: expect.stringMatching(/^[\da-f-]{36}$/),
      });
      expect(stderr).toMatch(said);
      expect(stderr).toContain(document.key);
      expect(stderr).toContain('msgsite pay payments --state in_doubt');
    },
  );

  it.each([
    ['history', 'operations/history'],
    ['login --phone 87015554433', 'sign-in/start'],
  ])('ends `pay %s`', async (words, operation) => {
    const { exitCode, document } = await interrupt(words, operation, signal);
    expect(exitCode).toBe(codes[signal]);
    expect(document).toEqual({ error: 'Interrupted.', code: 'interrupted' });
  });
});

it('an interrupted refund is made only once, even if the command is repeated', async () => {
  const first = await interrupt(`refund ${paid} --amount 300 --yes`, 'refunds/create', 'SIGINT');
  const again = await interrupt(`refund ${paid} --amount 300 --yes`, 'refunds/create', 'SIGINT');
  expect(again.document.key).toBe(first.document.key);
});
