import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import { expect, it } from 'vitest';
import { stickers } from '../../src/pages/chat/page/message-kinds.js';

it('every sticker has a picture, and every picture is a sticker', () => {
  const cwd = fileURLToPath(new URL('../../public/stickers', import.meta.url));
  expect(globSync('*.svg', { cwd }).sort()).toEqual(stickers.map((name) => `${name}.svg`).sort());
});
