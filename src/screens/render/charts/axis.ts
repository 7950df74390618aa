import { type Build, type ChartItem, percent } from './build.js';

/** Pixels at the text size of an axis: an average letter, a wide one, a square character, a space. */
const [letter, wideLetter, square, space] = [7, 11, 12.5, 3.5];
const wideLetters = 'MWmw@%ЖМФШЩЫЮжмфшщыю';

/** Characters of a label; no drawing has room for more. */
const maxLabelLength = 200;

/** Shortens a text to the length of a label. */
function shorten(text: string): string {
  if (text.length <= maxLabelLength) return text;
  // Keep whole characters: the cut may split a surrogate pair.
  return `${[...text.slice(0, maxLabelLength)].slice(0, -1).join('')}…`;
}

/** Estimates the width of a text at the size of an axis (11.5 px) in pixels, rather too wide than too narrow. */
export function textWidth(text: string): number {
  let width = 0;
  for (const sign of shorten(text)) {
    const code = sign.codePointAt(0) ?? 0;
    // From U+1100 Korean letters; from U+2600 symbols and ideographs.
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
    .reduce((most, word) => Math.max(most, textWidth(word)), 0);
}

/** Widths of a drawing in pixels from which it shows more; the first is the minimum. */
export const widths = [120, 200, 280, 400, 600, 960] as const;

const lineHeight = 15;
const roomForLines = 3;
/** Pixels between neighbouring labels or values. */
const gap = 4;

/** The labels to show, and the most lines that one of them takes. */
interface Choice {
  readonly indexes: readonly number[];
  readonly lines: number;
}

/** Draws the labels below a plot: for each width, the evenly spaced ones that fit, including the first and the last. */
export function axisLabels<T>(build: Build<T>, items: readonly ChartItem[]): readonly T[] {
  const choices = widths.map((width) => chooseLabels(items, width));
  const rows: T[] = [];
  for (let from = 0; from < choices.length; ) {
    const choice = choices[from] ?? { indexes: [], lines: 1 };
    let to = from + 1;
    while (JSON.stringify(choices[to]) === JSON.stringify(choice)) to += 1;
    const height = choice.lines * lineHeight;
    const boxes = choice.indexes.flatMap((_, place) => labelBox(build, items, choice, place));
    const name = `axis-labels ${shownBetween(from, to)}`;
    const frame = { class: name, 'aria-hidden': 'true', height };
    rows.push(build('svg', frame, ...boxes));
    from = to;
  }
  return rows;
}

/** Returns the classes of an element that is shown from one width up to another, exclusive. */
function shownBetween(from: number, to: number): string {
  return [from > 0 && `from-${from}`, to < widths.length && `to-${to}`].filter(Boolean).join(' ');
}

/** Chooses as many labels as fit into the width. Two always fit in half of it each; they are cut if they must be. */
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

/** Returns indexes from the first to the last, evenly spaced. */
function spread(length: number, count: number): readonly number[] {
  if (count < 2) return [0];
  return Array.from({ length: count }, (_, place) =>
    Math.round((place * (length - 1)) / (count - 1)),
  );
}

/** Returns the most lines that a label takes, or infinity if a word is wider than its box. */
function linesOf(
  items: readonly ChartItem[],
  indexes: readonly number[],
  plotWidth: number,
): number {
  return indexes.reduce((most, index, place) => {
    const { share } = boxOf(items.length, indexes, place);
    const [room, label] = [share * plotWidth - gap, items[index]?.label ?? ''];
    if (wordWidth(label) > room) return Number.POSITIVE_INFINITY;
    const width = textWidth(label);
    return Math.max(most, width <= room ? 1 : Math.ceil((width * 1.1) / room));
  }, 1);
}

interface Box {
  /** Start and width as parts of the plot's width. */
  readonly start: number;
  readonly share: number;
  readonly side: 'start' | '' | 'end';
}

/**
 * Returns the box of a label. The first and the last labels align with the edges of the plot if some labels are
 * left out.
 */
function boxOf(length: number, indexes: readonly number[], place: number): Box {
  const middleOf = (at: number): number => ((indexes[at] ?? 0) + 0.5) / length;
  const before = place === 0 ? 0 : (middleOf(place - 1) + middleOf(place)) / 2;
  const isLast = place === indexes.length - 1;
  const after = isLast ? 1 : (middleOf(place) + middleOf(place + 1)) / 2;
  if (indexes.length < length && (place === 0 || isLast)) {
    return { start: before, share: after - before, side: place === 0 ? 'start' : 'end' };
  }
  const middle = middleOf(place);
  const half = Math.min(middle - before, after - middle);
  return { start: middle - half, share: half * 2, side: '' };
}

function labelBox<T>(
  build: Build<T>,
  items: readonly ChartItem[],
  { indexes }: Choice,
  place: number,
): T[] {
  const label = items[indexes[place] ?? 0]?.label ?? '';
  if (label === '') return [];
  const { start, share, side } = boxOf(items.length, indexes, place);
  const box = { x: percent(start), width: percent(share) };
  const text = build('div', { class: side ? `axis ${side}` : 'axis' }, shorten(label));
  return [build('foreignObject', box, text)];
}

/** Values are slightly bolder than the labels of an axis. */
const bolder = 1.1;

/**
 * Draws the values at their points in drawings that have room for all of them. `heightFor` returns the base
 * line of each, in pixels from the top.
 */
export function valueLabels<T>(
  build: Build<T>,
  items: readonly ChartItem[],
  heightFor: (item: ChartItem, index: number) => number,
): readonly T[] {
  const widest = items.reduce((most, { text }) => Math.max(most, textWidth(text)), 0);
  const needed = (widest * bolder + gap) * items.length;
  const from = widths.findIndex((width) => width >= needed);
  if (from < 0) return [];
  const labels = items.flatMap((item, index) => {
    if (item.text === '') return [];
    const place = { x: percent((index + 0.5) / items.length), y: heightFor(item, index) };
    return build('text', place, item.text);
  });
  return [build('g', { class: `point-values ${shownBetween(from, widths.length)}` }, ...labels)];
}
