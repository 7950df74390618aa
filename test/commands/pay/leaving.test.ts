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

it('the payment screen erases the code if it is closed before it was drawn completely', async () => {
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
  // The gateway never returns its time zone, so the screen cannot be drawn completely.
  const gateway = { zone: () => new Promise<string>(() => {}) };
  const pay = { context, gateway } as unknown as PayContext; // only the parts that a presenter uses
  const never = openPresenter(pay, { card, keys: [], onKey: () => {} });
  never.catch(() => {});
  expect(await text()).toMatch(/[▀▄█]/);
  interruption.abort();
  expect(await text()).toBe('$ msgsite pay qr --amount 1500');
});
