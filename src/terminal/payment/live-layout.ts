import { drawQr, type QrDrawing, type QrStyle, smallestQr } from '../qr.js';
import type { TerminalSize } from '../streams.js';

/** How the screen of an open payment is divided. */
export type LiveLayout =
  | { readonly kind: 'beside' | 'below'; readonly qr: QrDrawing }
  | { readonly kind: 'text'; readonly note?: string };

/** The text beside a code needs this much to be read well. */
const besideColumns = 32;
/** Between code and text, and to the left of both. */
const gap = 2;
/** Below the code: the keys. The link is counted apart. */
const footRows = 1;
/** What stands above a code that has no room for text beside it: amount, status, time left. */
const headRows = 4;

/**
 * Text beside the code where the terminal is wide, above it where it is narrow, and no code, with
 * the reason, where not even the smallest fits. The last row stays free: ink repaints a screen that
 * is full to the last row by clearing all of it.
 */
export function layOut(
  link: string | undefined,
  { columns, rows }: TerminalSize,
  style: QrStyle,
): LiveLayout {
  if (link === undefined) return { kind: 'text' };
  const left = rows - 1 - footRows - Math.ceil(link.length / columns);
  const beside = drawQr(link, { columns: columns - besideColumns - gap, rows: left }, style);
  if (beside) return { kind: 'beside', qr: beside };
  const below = drawQr(link, { columns, rows: left - headRows }, style);
  if (below) return { kind: 'below', qr: below };
  const { columns: wide, rows: high } = smallestQr(link);
  const tall = high + (rows - left) + headRows;
  return {
    kind: 'text',
    note: `The window is too small for the QR code (${wide} × ${tall} are needed). Make it larger, or let the client open the link.`,
  };
}
