import { drawLargeQr, drawQr, type QrDrawing, type QrStyle, smallestQr } from '../qr.js';
import type { TerminalSize } from '../streams.js';

/** How the screen of an open payment is divided. */
export interface CodeLayout {
  /** Where the words are; `alone` where there is no code. */
  readonly kind: 'beside' | 'above' | 'line' | 'alone';
  readonly qr?: QrDrawing;
  /** Columns of the words. */
  readonly columns: number;
  /** Rows of the words. */
  readonly rows: number;
  /** Whether the lines at the top and at the bottom are shown, and the link. */
  readonly hasFrame: boolean;
  readonly hasLink: boolean;
  /** What is needed for the code, where it does not fit. */
  readonly needed?: TerminalSize;
  /** The place for a notice; undefined = there is no room for one. */
  readonly noticeIn?: 'words' | 'link' | 'free' | undefined;
}

/** Words beside a code are read well in so many columns, and still in so many. */
const beside = { good: 30, least: 16 } as const;
/** Columns between code and words. */
const gap = 2;
/** The lines at the top and at the bottom. */
const frame = 2;
/** Rows of words above a code. */
const above = 3;

/** The ways to show a code, the best first; the last ones leave one line of text beside it, and nothing else. */
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

/** Everything is shortened before the code is: it is left out only where its smallest form does not fit. */
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
  // The row for notices is always there.
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

/** Returns the place for a notice. The code neither moves nor shrinks for it. */
function noticeRoom(
  { kind, rows, hasLink }: Pick<CodeLayout, 'kind' | 'rows' | 'hasLink'>,
  { lines }: QrDrawing,
): CodeLayout['noticeIn'] {
  if (kind === 'above') return 'words';
  if (lines.length < rows) return kind === 'line' ? 'free' : 'words';
  return hasLink ? 'link' : undefined;
}

/** Where lists stand beside the screen, and how wide they are. */
export function sideColumns({ columns }: TerminalSize): number {
  return columns >= 100 ? 36 : 0;
}
