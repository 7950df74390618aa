import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import type { PayContext } from '../../../commands/pay/pay-context.js';
import { openPresenter } from '../../../commands/pay/presenter.js';
import { createOutput } from '../../../src/terminal/output.js';
import { openScreen } from '../../helpers/screen.js';

const card = {
  id: '1795230000',
  amount: 1500,
  link: 'https://pay.example/qr/ZwQ4y8W5JMTp5g_X',
  createdAt: 0,
  expiresAt: 180_000,
};

it('the payment screen leaves no code behind if it is left before it was fully drawn', async () => {
  const { stream, text } = openScreen(80, 40);
  const interruption = new AbortController();
  const env = { TERM: 'xterm' };
  const context = {
    stdin: new PassThrough(),
    stdout: stream,
    stderr: stream,
    env,
    output: createOutput({ stdout: stream, stderr: stream, json: false, env }),
    signal: interruption.signal,
  };
  // A gateway that does not return its zone, so that no times can be drawn.
  const gateway = { zone: () => new Promise<string>(() => {}) };
  const pay = { context, gateway } as unknown as PayContext; // only what a presenter uses
  const never = openPresenter(pay, { card, keys: [], onKey: () => {} });
  never.catch(() => {});
  expect(await text()).toMatch(/[▀▄█]/);
  interruption.abort();
  expect(await text()).toBe('$ msgsite pay qr --amount 1500');
});
