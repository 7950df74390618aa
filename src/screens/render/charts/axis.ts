import { type Build, type ChartItem, percent } from './build.js';

/** Widths at the text size of an axis, in pixels: an average letter, a wide letter, a square character, a space. */
const [letter, wideLetter, square, space] = [7, 11, 12.5, 3.5];
const wideLetters = 'MWmw@%ЖМФШЩЫЮжмфшщыю';

/** Maximum length of a label, in characters. No drawing has room for more. */
const maxLabelLength = 200;

/** Shortens a text to the maximum length of a label. */
function shorten(text: string): string {
  if (text.length <= maxLabelLength) return text;
  // Drop the last character, because the cut may have split a surrogate pair.
  return `${[...text.slice(0, maxLabelLength)].slice(0, -1).join('')}…`;
}

/** Estimates the width of a text on an axis (11.5 px), in pixels. The estimate is generous. */
export function textWidth(text: string): number {
  let width = 0;
  for (const sign of shorten(text)) {
    const code = sign.codePointAt(0) ?? 0;
    // Korean letters start at U+1100, symbols and ideographs at U+2600.
    const isSquare = (code >= 0x1100 && code < 0x1200) || code >= 0x2600;
    if (isSquare) width += square;
    else if (sign === ' ') width += space;
    else width += wideLetters.includes(sign) ? wideLetter : letter;
  }
  return width;
}

/** Returns the width of a text's longest word. */
function wordWidth(text: string): number {
  return shorten(text)
    .split(/[\s-]+/u)
    .reduce((max, word) => Math.max(max, textWidth(word)), 0);
}

/** Widths of a drawing at which it can show more labels, in pixels. The first one is the minimum width. */
export const widths = [120, 200, 280, 400, 600, 960] as const;

const lineHeight = 15;
const roomForLines = 3;
/** Minimum distance between adjacent labels or values, in pixels. */
const gap = 4;

/** The labels to show, and the maximum number of lines that one of them takes. */
interface Choice {
  readonly indexes: readonly number[];
  readonly lines: number;
}

/** Draws the labels below a plot. At each width, the evenly spaced labels that fit are shown. */
export function axisLabels<T>(build: Build<T>, items: readonly ChartItem[]): readonly T[] {
  const choices = widths.map((width) => chooseLabels(items, width));
  const rows: T[] = [];
  for (let from = 0; from < choices.length; ) {
    const choice = choices[from] ?? { indexes: [], lines: 1 };
    let to = from + 1;
    while (JSON.stringify(choices[to]) === JSON.stringify(choice)) to += 1;
    const height = choice.lines * lineHeight;
    const boxes = choice.indexes.flatMap((_, position) => labelBox(build, items, choice, position));
    const name = `axis-labels ${shownBetween(from, to)}`;
    const frame = { class: name, 'aria-hidden': 'true', height };
    rows.push(build('svg', frame, ...boxes));
    from = to;
  }
  return rows;
}

/** Returns the classes of an element that is shown from the width `from` up to, but not including, the width `to`. */
function shownBetween(from: number, to: number): string {
  return [from > 0 && `from-${from}`, to < widths.length && `to-${to}`].filter(Boolean).join(' ');
}

/** Chooses as many labels as fit into the width. The first and the last are always shown, and cut off if necessary. */
function chooseLabels(items: readonly ChartItem[], width: number): Choice {
  let uneven: Choice | undefined;
  for (let count = Math.min(items.length, Math.floor(width / 24)); count > 2; count -= 1) {
    // Even spacing is better than more labels, unless it halves their number.
    if (uneven && count * 2 <= uneven.indexes.length) break;
    const isEven = (items.length - 1) % (count - 1) === 0;
    if (uneven && !isEven) continue;
    const indexes = spread(items.length, count);
    const lines = linesOf(items, indexes, width);
    if (lines > roomForLines) continue;
    if (isEven) return { indexes, lines };
    uneven = { indexes, lines };
  }
  const few = spread(items.length, Math.min(items.length, 2));
  return uneven ?? { indexes: few, lines: Math.min(roomForLines, linesOf(items, few, width)) };
}

/** Returns evenly spaced indexes from the first to the last item. */
function spread(length: number, count: number): readonly number[] {
  if (count < 2) return [0];
  return Array.from({ length: count }, (_, position) =>
    Math.round((position * (length - 1)) / (count - 1)),
  );
}

/** Returns the maximum number of lines that a label takes, or infinity if a word is wider than its box. */
function linesOf(
  items: readonly ChartItem[],
  indexes: readonly number[],
  plotWidth: number,
): number {
  return indexes.reduce((max, index, position) => {
    const { share } = boxOf(items.length, indexes, position);
    const [room, label] = [share * plotWidth - gap, items[index]?.label ?? ''];
    if (wordWidth(label) > room) return Number.POSITIVE_INFINITY;
    const width = textWidth(label);
    return Math.max(max, width <= room ? 1 : Math.ceil((width * 1.1) / room));
  }, 1);
}

interface Box {
  /** Start and width, as fractions of the plot's width. */
  readonly start: number;
  readonly share: number;
  readonly side: 'start' | '' | 'end';
}

/**
 * Returns the box of a label. If some labels are omitted, the first and the last one are aligned with the edges of the
 * plot.
 */
function boxOf(length: number, indexes: readonly number[], position: number): Box {
  const middleOf = (at: number): number => ((indexes[at] ?? 0) + 0.5) / length;
  const before = position === 0 ? 0 : (middleOf(position - 1) + middleOf(position)) / 2;
  const isLast = position === indexes.length - 1;
  const after = isLast ? 1 : (middleOf(position) + middleOf(position + 1)) / 2;
  if (indexes.length < length && (position === 0 || isLast)) {
    return { start: before, share: after - before, side: position === 0 ? 'start' : 'end' };
  }
  const middle = middleOf(position);
  const half = Math.min(middle - before, after - middle);
  return { start: middle - half, share: half * 2, side: '' };
}

function labelBox<T>(
  build: Build<T>,
  items: readonly ChartItem[],
  { indexes }: Choice,
  position: number,
): T[] {
  const label = items[indexes[position] ?? 0]?.label ?? '';
  if (label === '') return [];
  const { start, share, side } = boxOf(items.length, indexes, position);
  const box = { x: percent(start), width: percent(share) };
  const text = build('div', { class: side ? `axis ${side}` : 'axis' }, shorten(label));
  return [build('foreignObject', box, text)];
}

/** Width of a value in relation to an axis label. Values are slightly bolder. */
const bolder = 1.1;

/**
 * Draws the values at their points, in drawings that are wide enough for all of them. `heightFor` returns the baseline
 * of a value, in pixels from the top.
 */
export function valueLabels<T>(
  build: Build<T>,
  items: readonly ChartItem[],
  heightFor: (item: ChartItem, index: number) => number,
): readonly T[] {
  const widest = items.reduce((max, { text }) => Math.max(max, textWidth(text)), 0);
  const needed = (widest * bolder + gap) * items.length;
  const from = widths.findIndex((width) => width >= needed);
  if (from < 0) return [];
  const labels = items.flatMap((item, index) => {
    if (item.text === '') return [];
    const position = { x: percent((index + 0.5) / items.length), y: heightFor(item, index) };
    return build('text', position, item.text);
  });
  return [build('g', { class: `point-values ${shownBetween(from, widths.length)}` }, ...labels)];
}
