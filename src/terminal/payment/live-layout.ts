import { drawQr, type QrDrawing, type QrStyle, smallestQr } from '../qr.js';
import type { TerminalSize } from '../streams.js';

/** The layout of an open payment's screen. */
export type LiveLayout =
  /** Details are beside the code, and the link and the keys are below both. */
  | { readonly kind: 'beside'; readonly qr: QrDrawing }
  /** All text is beside the code. */
  | { readonly kind: 'side'; readonly qr: QrDrawing }
  /** `head` rows of text are above the code. The link and the keys are below it if there is a `foot`. */
  | {
      readonly kind: 'stacked';
      readonly qr: QrDrawing;
      readonly head: number;
      readonly foot: boolean;
    }
  /** The code does not fit: a note, `head` rows of text, the link, and the keys if there is a `foot`. */
  | {
      readonly kind: 'link';
      readonly note: string;
      readonly head: number;
      readonly foot: boolean;
    }
  /** There is no code: details in large letters, or in `head` rows. */
  | { readonly kind: 'text'; readonly large: boolean; readonly head: number };

/** Preferred width of the text beside a code, in columns. */
const besideColumns = 32;
/** Minimum width of the text beside a code, in columns. */
const sideColumns = 20;
/** Space between the code and the text, in columns. */
const gap = 2;
/** Height of the keys below the code, in rows. */
const footRows = 1;
/** Height of the amount, status and time above a code, in rows. */
const headRows = 4;
/** Height of the details with large digits and blank lines, in rows. */
const largeRows = 15;

/**
 * Returns the layout. The text is beside the code in a wide window, and above it in a narrow one. It shrinks to one
 * line before the code is omitted. If possible, the last row stays free, because a full screen must be drawn from its
 * first row.
 */
export function layOut(link: string | undefined, size: TerminalSize, style: QrStyle): LiveLayout {
  if (link === undefined) {
    const head = Math.max(1, Math.min(size.rows - 1 - footRows, headRows));
    return { kind: 'text', large: size.rows > largeRows, head };
  }
  return roomy(link, size, style) ?? tight(link, size, style) ?? withoutCode(link, size);
}

function roomy(
  link: string,
  { columns, rows }: TerminalSize,
  style: QrStyle,
): LiveLayout | undefined {
  const left = rows - 1 - footRows - rowsOf(link, columns);
  const beside = drawQr(link, { columns: columns - besideColumns - gap, rows: left }, style);
  if (beside) return { kind: 'beside', qr: beside };
  const below = drawQr(link, { columns, rows: left - headRows }, style);
  return below && { kind: 'stacked', qr: below, head: headRows, foot: true };
}

/** Returns the layout of the smallest code with as much text as fits. */
function tight(
  link: string,
  { columns, rows }: TerminalSize,
  style: QrStyle,
): LiveLayout | undefined {
  const beside = drawQr(link, { columns: columns - sideColumns - gap, rows }, style);
  if (beside) return { kind: 'side', qr: beside };
  const smallest = smallestQr(link);
  if (smallest.columns > columns || smallest.rows >= rows) return undefined;
  const above = drawQr(link, smallest, style);
  if (!above) return undefined;
  const spare = rows - above.lines.length;
  const head = Math.min(spare > 1 ? spare - 1 : spare, headRows);
  return { kind: 'stacked', qr: above, head, foot: false };
}

function withoutCode(link: string, { columns, rows }: TerminalSize): LiveLayout {
  const { columns: wide, rows: high } = smallestQr(link);
  const note = `! Window too small: must be ${wide} x ${high + 1}, is ${columns} x ${rows}`;
  const left = rows - 1 - rowsOf(link, columns) - rowsOf(note, columns);
  const head = Math.max(0, Math.min(left - footRows, headRows));
  return { kind: 'link', note, head, foot: left > headRows };
}

/** Returns the number of rows of a text that can be wrapped inside words. */
function rowsOf(text: string, columns: number): number {
  return Math.ceil(text.length / columns);
}
