import { drawQr, type QrDrawing, type QrStyle, smallestQr } from '../qr.js';
import type { TerminalSize } from '../streams.js';

/** How the screen of an open payment is divided. */
export type LiveLayout =
  /** Facts beside the code, link and keys below both. */
  | { readonly kind: 'beside'; readonly qr: QrDrawing }
  /** Everything beside the code, nothing above or below. */
  | { readonly kind: 'side'; readonly qr: QrDrawing }
  /** So many rows of text above the code; link and keys below it where there is a `foot`. */
  | {
      readonly kind: 'stacked';
      readonly qr: QrDrawing;
      readonly head: number;
      readonly foot: boolean;
    }
  /** No code, and a note on why: so many rows of text, the whole link, and the keys where there is a `foot`. */
  | {
      readonly kind: 'link';
      readonly note: string;
      readonly head: number;
      readonly foot: boolean;
    }
  /** There is nothing to scan; in `large` letters, or in so many rows. */
  | { readonly kind: 'text'; readonly large: boolean; readonly head: number };

/** The text beside a code needs this much to be read well. */
const besideColumns = 32;
/** Where there is no other room for it, the text beside a code gets along with this. */
const sideColumns = 20;
/** Between code and text, and to the left of both. */
const gap = 2;
/** Below the code: the keys. The link is counted apart. */
const footRows = 1;
/** What stands above a code that has no room for text beside it: amount, status, time left. */
const headRows = 4;
/** What the text takes that has the window for itself: large digits, and blank lines. */
const largeRows = 15;

/**
 * Text beside the code where the terminal is wide, above it where it is narrow. Where the code leaves little room, the
 * text shortens, down to one line; no code is drawn only where not even the smallest fits beside that line. Where it can,
 * the last row stays free: a screen that is full has to be painted from its first row.
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

/** The smallest code with what text there is room for. */
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
  const note = `! window too small: needs ${wide} x ${high + 1}, is ${columns} x ${rows}`;
  const left = rows - 1 - rowsOf(link, columns) - rowsOf(note, columns);
  const head = Math.max(0, Math.min(left - footRows, headRows));
  return { kind: 'link', note, head, foot: left > headRows };
}

/** Rows that a text without blanks, or nearly so, takes. */
function rowsOf(text: string, columns: number): number {
  return Math.ceil(text.length / columns);
}
