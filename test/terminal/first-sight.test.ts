import { expect, it } from 'vitest';
import { showFirstSight } from '../../commands/pay/presenter.js';
import { openScreen } from '../helpers/screen.js';

const card = { link: 'https://pay.example/qr/ZwQ4y8W5JMTp5g_X' };
const style = { depth: 0, darkBackground: true } as const;

it.each([
  ['beside its text', 80, 40],
  ['in the whole window', 80, 17],
  ['below its text', 40, 30],
])(
  'the first view of a payment shows only the code, %s, and disappears when the screen is drawn',
  async (_, ...size) => {
    const { stream, text } = openScreen(...size);
    const restore = showFirstSight(stream, card, style);
    const shown = await text();
    expect(shown).toMatch(/[▀▄█]/);
    expect(shown.replaceAll(/[▀▄█ \n]/g, '')).toBe('$msgsitepayqr--amount1500');
    restore();
    expect(await text()).toBe('$ msgsite pay qr --amount 1500');
  },
);

it('the first view of a payment clears the window if its size has changed in the meantime', async () => {
  const { stream, text } = openScreen(80, 40);
  const restore = showFirstSight(stream, card, style);
  await text();
  stream.columns = 70;
  restore();
  expect(await text()).toBe('');
});

it.each<[string, { readonly link?: string }, number, number]>([
  ['without a link', {}, 80, 40],
  ['in a window that is too small', card, 40, 8],
])('the first view of a payment is empty %s', async (_, payment, ...size) => {
  const { stream, text } = openScreen(...size);
  showFirstSight(stream, { link: undefined, ...payment }, style)();
  expect(await text()).toBe('$ msgsite pay qr --amount 1500');
});
