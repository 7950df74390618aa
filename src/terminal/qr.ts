import { encode } from 'uqr';
import { halfBlock } from './big-text.js';
import type { ColorDepth } from './capabilities.js';
import type { TerminalSize } from './streams.js';

export interface QrStyle {
  readonly depth: ColorDepth;
  /** Determines which squares are drawn if there are no colours. */
  readonly darkBackground: boolean;
}

/** A drawn code: one string per row, each of `columns` columns. */
export interface QrDrawing {
  readonly lines: readonly string[];
  readonly columns: number;
}

interface Modules {
  /** True means black. */
  readonly squares: readonly (readonly boolean[])[];
  /** Number of white squares on each side. */
  readonly quiet: number;
  /** Width of a square, in columns. Its height is half as many rows. */
  readonly scale: number;
}

/** Margins in white squares. ISO/IEC 18004 requires 4, but phones can read codes with 2. */
const quietZones = [4, 2] as const;
/** Levels of error correction, best first. L produces the smallest code. */
const corrections = ['M', 'L'] as const;

/** Returns the most readable code of `text` that fits, or undefined if even the smallest code does not fit. */
export function drawQr(text: string, space: TerminalSize, style: QrStyle): QrDrawing | undefined {
  return draw(text, space, style, 1);
}

/** Like `drawQr`, but prefers squares of double size, which can be scanned from farther away. */
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

/** Returns the size of the smallest code of `text`. */
export function smallestQr(text: string): TerminalSize {
  return extent(encode(text, { ecc: 'L', border: 0 }).size, quietZones[1]);
}

/** Returns the size of a code. At scale 1, a character shows two stacked squares. */
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
    // Squares that differ from the background are drawn.
    const isDrawn = (black: boolean) => black !== style.darkBackground;
    return cells.map(({ top, bottom }) => halfBlock(isDrawn(top), isDrawn(bottom))).join('');
  });
}

interface Cell {
  readonly top: boolean;
  readonly bottom: boolean;
}

/** Black and white as absolute colours, so that a theme cannot swap them. */
const palettes = {
  16: { black: ['30', '40'], white: '107' },
  256: { black: ['38;5;16', '48;5;16'], white: '48;5;231' },
  true: { black: ['38;2;0;0;0', '48;2;0;0;0'], white: '48;2;255;255;255' },
} as const;

/**
 * Returns a row in black on white. The background of a fully black cell is black, too. Otherwise, white lines would
 * appear if the full block of a font does not fill the cell.
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
