import { drawLargeQr, drawQr, type QrDrawing, type QrStyle, smallestQr } from '../qr.js';
import type { TerminalSize } from '../streams.js';

/** The layout of an open payment's screen. */
export interface CodeLayout {
  /** The position of the text relative to the code; `alone` without a code. */
  readonly kind: 'beside' | 'above' | 'line' | 'alone';
  readonly qr?: QrDrawing;
  /** Columns of the text. */
  readonly columns: number;
  /** Rows of the text. */
  readonly rows: number;
  /** True if the top and bottom lines are shown. */
  readonly hasFrame: boolean;
  readonly hasLink: boolean;
  /** The size that the code needs, if it does not fit. */
  readonly needed?: TerminalSize;
  /** The position of a notice; undefined if there is no room. */
  readonly noticeIn?: 'words' | 'link' | 'free' | undefined;
}

/** Columns of the text beside a code: comfortable, and at least. */
const beside = { good: 30, least: 16 } as const;
/** Columns between the code and the text. */
const gap = 2;
/** The top and bottom lines. */
const frame = 2;
/** Rows of text above a code. */
const above = 3;

/** Returns the possible layouts, the best first. The last ones leave room for only a little text. */
function attempts({ columns, rows }: TerminalSize, link: string) {
  const linkRows = Math.ceil(link.length / columns);
  const wide = columns - beside.good - gap;
  const framed = { hasFrame: true, hasLink: false };
  return [
    { kind: 'beside', columns: wide, rows: rows - frame - linkRows, hasFrame: true, hasLink: true },
    { kind: 'beside', columns: wide, rows: rows - frame, ...framed },
    { kind: 'above', columns, rows: rows - frame - above, ...framed },
    { kind: 'beside', columns: wide, rows, hasFrame: false, hasLink: false },
    { kind: 'line', columns, rows: rows - frame, ...framed },
    { kind: 'line', columns, rows: rows - 1, hasFrame: false, hasLink: false },
    {
      kind: 'beside',
      columns: columns - beside.least - gap,
      rows,
      hasFrame: false,
      hasLink: false,
    },
  ] as const;
}

/** Returns the best layout. Everything else shrinks before the code is left out. */
export function layOutCode(
  link: string | undefined,
  size: TerminalSize,
  style: QrStyle,
): CodeLayout {
  const alone = {
    kind: 'alone',
    ...size,
    hasFrame: true,
    hasLink: false,
    noticeIn: 'free',
  } as const;
  // The row for notices always exists.
  const words = Math.max(1, size.rows - frame - 1);
  if (link === undefined) return { ...alone, rows: words };
  for (const attempt of attempts(size, link)) {
    const qr = (attempt.hasFrame ? drawLargeQr : drawQr)(link, attempt, style);
    if (!qr) continue;
    const { kind, hasFrame, hasLink } = attempt;
    const columns = kind === 'beside' ? size.columns - qr.columns - gap : size.columns;
    const rows = { beside: attempt.rows, above, line: 1 }[kind];
    const noticeIn = noticeRoom(attempt, qr);
    return { kind, qr, columns, rows, hasFrame, hasLink, noticeIn };
  }
  const { columns, rows } = smallestQr(link);
  return { ...alone, rows: words, needed: { columns, rows: rows + 1 } };
}

/** Returns the position of a notice, for which the code neither moves nor shrinks. */
function noticeRoom(
  { kind, rows, hasLink }: Pick<CodeLayout, 'kind' | 'rows' | 'hasLink'>,
  { lines }: QrDrawing,
): CodeLayout['noticeIn'] {
  if (kind === 'above') return 'words';
  if (lines.length < rows) return kind === 'line' ? 'free' : 'words';
  return hasLink ? 'link' : undefined;
}

/** Returns the columns of the lists beside the screen; 0 in a narrow window. */
export function sideColumns({ columns }: TerminalSize): number {
  return columns >= 100 ? 36 : 0;
}
