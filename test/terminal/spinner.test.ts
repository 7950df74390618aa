import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { withSpinner } from '../../src/terminal/spinner.js';
import type { OutputStream } from '../../src/terminal/streams.js';

const patient = { timeout: 60_000 };

/** Opens a terminal with this many columns, and records its output. */
function openTerminal(columns: number) {
  const cursor = { cursorTo() {}, clearLine() {}, moveCursor() {} };
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns, ...cursor });
  let written = '';
  stream.on('data', (chunk) => {
    written += chunk;
  });
  return { stream, written: () => written };
}

const on = (stderr: OutputStream, plain = false) => ({ stderr, output: { plain } });

/** Takes longer than the delay of the spinner. */
const slowWork = () => new Promise((resolve) => setTimeout(resolve, 400));

test('the spinner shows the current step and its progress if the work takes a while', async () => {
  const { stream, written } = openTerminal(80);
  const passed = await withSpinner(on(stream), 'Asking the provider', async (say) => {
    await vi.waitFor(() => expect(written()).toContain('Asking the provider'), patient);
    say('Payments', 1500);
    await vi.waitFor(() => expect(written()).toContain('Payments: 1,500'), patient);
    return 'passed on';
  });
  expect(passed).toBe('passed on');
});

test('the spinner shows nothing for quick work', async () => {
  const { stream, written } = openTerminal(80);
  expect(await withSpinner(on(stream), 'Asking the provider', async () => 'done')).toBe('done');
  expect(written()).toBe('');
});

test('the spinner shows nothing in plain mode', async () => {
  const { stream, written } = openTerminal(80);
  await withSpinner(on(stream, true), 'Asking the provider', slowWork);
  expect(written()).toBe('');
});

test('the spinner shows nothing if the width of the terminal is unknown', async () => {
  const { stream, written } = openTerminal(0);
  await withSpinner(on(stream), 'Asking the provider', slowWork);
  expect(written()).toBe('');
});
