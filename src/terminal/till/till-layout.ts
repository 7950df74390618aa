import { drawLargeQr, drawQr, type QrDrawing, type QrStyle, smallestQr } from '../qr.js';
import type { TerminalSize } from '../streams.js';

/** The layout of an open payment's screen. */
export interface CodeLayout {
  /** Position of the text relative to the code, or `alone` if there is no code. */
  readonly kind: 'beside' | 'above' | 'line' | 'alone';
  readonly qr?: QrDrawing;
  /** Width of the text, in columns. */
  readonly columns: number;
  /** Height of the text, in rows. */
  readonly rows: number;
  /** True if the top and bottom lines are shown. */
  readonly hasFrame: boolean;
  readonly hasLink: boolean;
  /** Minimum size of the window, if the code does not fit. */
  readonly needed?: TerminalSize;
  /** Position of a notice; undefined if there is no space for one. */
  readonly noticeIn?: 'words' | 'link' | 'free' | undefined;
}

/** Preferred and minimum width of the text beside a code, in columns. */
const beside = { preferred: 30, min: 16 } as const;
/** Space between the code and the text, in columns. */
const gap = 2;
/** Height of the top and bottom lines, in rows. */
const frame = 2;
/** Height of the text above a code, in rows. */
const above = 3;

/** Returns the possible layouts, best first. The last ones have space for only a little text. */
function attempts({ columns, rows }: TerminalSize, link: string) {
  const linkRows = Math.ceil(link.length / columns);
  const wide = columns - beside.preferred - gap;
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
      columns: columns - beside.min - gap,
      rows,
      hasFrame: false,
      hasLink: false,
    },
  ] as const;
}

/** Returns the best layout. All other parts shrink before the code is omitted. */
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
  // One row is always reserved for notices.
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

/** Returns the position of a notice. The code does not move or shrink for a notice. */
function noticeRoom(
  { kind, rows, hasLink }: Pick<CodeLayout, 'kind' | 'rows' | 'hasLink'>,
  { lines }: QrDrawing,
): CodeLayout['noticeIn'] {
  if (kind === 'above') return 'words';
  if (lines.length < rows) return kind === 'line' ? 'free' : 'words';
  return hasLink ? 'link' : undefined;
}

/** Returns the width of the lists beside the screen, in columns, or 0 in a narrow window. */
export function sideColumns({ columns }: TerminalSize): number {
  return columns >= 100 ? 36 : 0;
}
