import { encode } from 'uqr';
import { halfBlock } from './big-text.js';
import type { ColorDepth } from './capabilities.js';
import type { TerminalSize } from './streams.js';

export interface QrStyle {
  readonly depth: ColorDepth;
  /** Without colours the light squares have to be drawn, which needs to know the background. */
  readonly darkBackground: boolean;
}

/** A drawn code: one string a row, each `columns` wide. */
export interface QrDrawing {
  readonly lines: readonly string[];
  readonly columns: number;
}

interface Modules {
  /** True = black. */
  readonly squares: readonly (readonly boolean[])[];
  /** White squares around it on each side. */
  readonly quiet: number;
  /** Columns of a square; it is half as many rows high. */
  readonly scale: number;
}

/** ISO/IEC 18004 asks for 4 white squares around a code; phones read 2. */
const quietZones = [4, 2] as const;
/** More damage tolerated first; L makes the smallest code. */
const corrections = ['M', 'L'] as const;

/** The best readable code of `text` for the space, or undefined where even the smallest is too large. */
export function drawQr(text: string, space: TerminalSize, style: QrStyle): QrDrawing | undefined {
  return draw(text, space, style, 1);
}

/** The same with squares twice as wide and high where there is room for that: it can be scanned from farther away. */
export function drawLargeQr(
  text: string,
  space: TerminalSize,
  style: QrStyle,
): QrDrawing | undefined {
  return draw(text, space, style, 2) ?? draw(text, space, style, 1);
}

function draw(
  text: string,
  space: TerminalSize,
  style: QrStyle,
  scale: number,
): QrDrawing | undefined {
  for (const quiet of quietZones) {
    for (const ecc of corrections) {
      const squares = encode(text, { ecc, boostEcc: true, border: 0 }).data;
      const { columns, rows } = extent(squares.length, quiet, scale);
      if (columns > space.columns || rows > space.rows) continue;
      return { lines: halfBlocks({ squares, quiet, scale }, style), columns };
    }
  }
  return undefined;
}

/** Columns and rows that the smallest code of `text` needs. */
export function smallestQr(text: string): TerminalSize {
  return extent(encode(text, { ecc: 'L', border: 0 }).size, quietZones[1]);
}

/** Two squares share a character, one above the other; larger ones take more characters. */
function extent(size: number, quiet: number, scale = 1): TerminalSize {
  const side = (size + 2 * quiet) * scale;
  return { columns: side, rows: Math.ceil(side / 2) };
}

function halfBlocks({ squares, quiet, scale }: Modules, style: QrStyle): string[] {
  const { columns, rows } = extent(squares.length, quiet, scale);
  const at = (position: number) => Math.floor(position / scale) - quiet;
  const isBlack = (row: number, column: number) => squares[at(row)]?.[at(column)] ?? false;
  return Array.from({ length: rows }, (_, row) => {
    const cells = Array.from({ length: columns }, (_, column) => ({
      top: isBlack(row * 2, column),
      bottom: isBlack(row * 2 + 1, column),
    }));
    if (style.depth !== 0) return colorLine(cells, style.depth);
    // Whichever of black and white the background is not gets drawn.
    const isDrawn = (black: boolean) => black !== style.darkBackground;
    return cells.map(({ top, bottom }) => halfBlock(isDrawn(top), isDrawn(bottom))).join('');
  });
}

interface Cell {
  readonly top: boolean;
  readonly bottom: boolean;
}

/** Black and white said outright, so that no theme turns them round: 256 and true colour are exact. */
const palettes = {
  16: { black: ['30', '40'], white: '107' },
  256: { black: ['38;5;16', '48;5;16'], white: '48;5;231' },
  true: { black: ['38;2;0;0;0', '48;2;0;0;0'], white: '48;2;255;255;255' },
} as const;

/**
 * Black on white. A cell that is black all over has a black background too: where a font's full
 * block does not fill the cell, no white lines run through the code.
 */
function colorLine(cells: readonly Cell[], depth: Exclude<ColorDepth, 0>): string {
  const { black, white } = palettes[depth];
  let line = `\u001b[${black[0]};${white}m`;
  let isSolid = false;
  for (const { top, bottom } of cells) {
    const solid = top && bottom;
    if (solid !== isSolid) line += `\u001b[${solid ? black[1] : white}m`;
    isSolid = solid;
    line += halfBlock(top, bottom);
  }
  return `${line}\u001b[0m`;
}
