import { describe, expect, it } from 'vitest';
import { drawQr, smallestQr } from '../../src/terminal/qr.js';
import { filledHalves, type HalfCell, readQr } from '../helpers/read-qr.js';

const link = 'https://pay.example/qr/aBcDeFgHiJkLmNoP';
const roomy = { columns: 200, rows: 100 };

/** Returns the cells of a terminal without colours; `ink` is the colour of glyphs. */
function plainCells(lines: readonly string[], ink: 'light' | 'dark'): HalfCell[][] {
  return lines.map((line) =>
    [...line].map((glyph) => {
      const { top, bottom } = filledHalves(glyph);
      return ink === 'light' ? { top, bottom } : { top: !top, bottom: !bottom };
    }),
  );
}

/** Returns the cells of black glyphs on the current background. */
function colorCells(lines: readonly string[], white: string): HalfCell[][] {
  return lines.map((line) => {
    const cells: HalfCell[] = [];
    let paper = false;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one.
    for (const [token] of line.matchAll(/\u001b\[[\d;]*m|./gu)) {
      if (token.startsWith('\u001b')) {
        if (token !== '\u001b[0m') paper = token.includes(white);
        continue;
      }
      const { top, bottom } = filledHalves(token);
      cells.push({ top: paper && !top, bottom: paper && !bottom });
    }
    return cells;
  });
}

describe('drawQr', () => {
  it.each([
    ['true', '48;2;255;255;255'],
    [256, '48;5;231'],
    [16, '107'],
  ] as const)('draws a readable code in black on white with colours (%s)', (depth, white) => {
    const drawing = drawQr(link, roomy, { depth, darkBackground: true });
    expect(readQr(colorCells(drawing?.lines ?? [], white))).toBe(link);
  });

  it.each([
    [true, 'light'],
    [false, 'dark'],
  ] as const)(
    'draws a readable code without colours (dark background: %s)',
    (darkBackground, ink) => {
      const drawing = drawQr(link, roomy, { depth: 0, darkBackground });
      const cells = plainCells(drawing?.lines ?? [], ink);
      expect(readQr(cells)).toBe(link);
      expect(drawing?.lines.join('')).not.toContain('\u001b');
    },
  );

  it('draws a margin of four squares if it fits, and of two squares otherwise', () => {
    const style = { depth: 0, darkBackground: true } as const;
    const wide = drawQr(link, roomy, style);
    const narrow = drawQr(link, smallestQr(link), style);
    expect([wide?.columns, narrow?.columns]).toEqual([37, 33]);
    expect(narrow?.lines.every((line) => line.startsWith('██') && line.endsWith('██'))).toBe(true);
    expect(readQr(plainCells(narrow?.lines ?? [], 'light'))).toBe(link);
  });

  it('draws nothing if the code does not fit', () => {
    const { columns, rows } = smallestQr(link);
    const style = { depth: 0, darkBackground: true } as const;
    expect(drawQr(link, { columns: columns - 1, rows }, style)).toBeUndefined();
    expect(drawQr(link, { columns, rows: rows - 1 }, style)).toBeUndefined();
  });

  it('draws links that are much longer than those of the sandbox', () => {
    const long = `https://pay.example/qr/${'x'.repeat(300)}`;
    const drawing = drawQr(long, roomy, { depth: 0, darkBackground: true });
    expect(readQr(plainCells(drawing?.lines ?? [], 'light'))).toBe(long);
  });
});
