import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { withSpinner } from '../../src/terminal/spinner.js';

/** What is written to a terminal of so many columns while something short is waited for. */
async function writtenTo(columns: number): Promise<string> {
  const cursor = { cursorTo() {}, clearLine() {}, moveCursor() {} };
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns, ...cursor });
  let written = '';
  stream.on('data', (chunk) => {
    written += chunk;
  });
  const passed = await withSpinner(stream, 'Asking the provider', async () => 'passed on');
  expect(passed).toBe('passed on');
  return written;
}

test('says what is waited for', async () => {
  expect(await writtenTo(80)).toContain('Asking the provider');
});

test('stays still where the terminal does not know its width', async () => {
  expect(await writtenTo(0)).toBe('');
});
