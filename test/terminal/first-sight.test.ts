import { PassThrough } from 'node:stream';
import headless from '@xterm/headless';
import { expect, it } from 'vitest';
import { showFirstSight } from '../../src/terminal/payment/first-sight.js';

const card = { link: 'https://pay.example/qr/ZwQ4y8W5JMTp5g_X' };
const style = { depth: 0, darkBackground: true } as const;

/** A terminal of this size with a line on it already. */
function openScreen(columns: number, rows: number) {
  const screen = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns, rows });
  const written: Promise<void>[] = [];
  const write = (text: string) =>
    written.push(new Promise((resolve) => screen.write(text, () => resolve())));
  // What a terminal does with a line break.
  stream.on('data', (chunk) => write(String(chunk).replaceAll('\n', '\r\n')));
  write('$ msgsite pay qr --amount 1500\r\n');
  return {
    stream,
    async text() {
      await Promise.all(written);
      const { active } = screen.buffer;
      return Array.from({ length: active.length }, (_, row) =>
        (active.getLine(row)?.translateToString(true) ?? '').trimEnd(),
      )
        .join('\n')
        .trimEnd();
    },
  };
}

it.each([
  ['beside its text', 80, 40],
  ['in the whole window', 80, 17],
  ['below its text', 40, 30],
])('is the code and nothing else, %s, and is gone when the screen is drawn', async (_, ...size) => {
  const { stream, text } = openScreen(...size);
  const giveBack = showFirstSight(stream, card, style);
  const shown = await text();
  expect(shown).toMatch(/[▀▄█]/);
  expect(shown.replaceAll(/[▀▄█ \n]/g, '')).toBe('$msgsitepayqr--amount1500');
  giveBack();
  expect(await text()).toBe('$ msgsite pay qr --amount 1500');
});

it('erases the window where its size has changed meanwhile', async () => {
  const { stream, text } = openScreen(80, 40);
  const giveBack = showFirstSight(stream, card, style);
  await text();
  stream.columns = 70;
  giveBack();
  expect(await text()).toBe('');
});

it.each<[string, { readonly link?: string }, number, number]>([
  ['without a link', {}, 80, 40],
  ['in a window that is too small', card, 40, 8],
])('shows nothing of a payment %s', async (_, payment, ...size) => {
  const { stream, text } = openScreen(...size);
  showFirstSight(stream, { link: undefined, ...payment }, style)();
  expect(await text()).toBe('$ msgsite pay qr --amount 1500');
});
