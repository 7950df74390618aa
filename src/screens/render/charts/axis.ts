import { type Build, type ChartItem, percent } from './build.js';

/** Pixels at the size of an axis: an average letter, a wide one, a sign as wide as high, a space. */
const [letter, wideLetter, square, space] = [7, 11, 12.5, 3.5];
const wideLetters = 'MWmw@%ЖМФШЩЫЮжмфшщыю';

/** Characters of a label: more have no room beside a drawing, however wide it is. */
const longestLabel = 200;

/** A text without what no place beside a drawing has room for. */
function shorten(text: string): string {
  if (text.length <= longestLabel) return text;
  // Whole signs: half of a pair at the end is none.
  return `${[...text.slice(0, longestLabel)].slice(0, -1).join('')}…`;
}

/** About how wide a text is at the size of an axis (11.5 px), in pixels; rather too much than too little. */
export function textWidth(text: string): number {
  let width = 0;
  for (const sign of shorten(text)) {
    const code = sign.codePointAt(0) ?? 0;
    // From the Korean letters on: ideographs, and beyond them pictures.
    const isSquare = (code >= 0x1100 && code < 0x1200) || code >= 0x2600;
    if (isSquare) width += square;
    else if (sign === ' ') width += space;
    else width += wideLetters.includes(sign) ? wideLetter : letter;
  }
  return width;
}

/** The width of the longest part of a text that cannot be broken between words. */
function wordWidth(text: string): number {
  return shorten(text)
    .split(/[\s-]+/u)
    .reduce((most, word) => Math.max(most, textWidth(word)), 0);
}

/**
 * Widths of a drawing in pixels from which more of it is shown; the first is the narrowest there is.
 * chart.css has a container query for each of the others.
 */
const widths = [120, 200, 280, 400, 600, 960] as const;

const lineHeight = 15;
const roomForLines = 3;
/** Pixels between neighbouring labels or values. */
const gap = 4;

/** Which labels are shown, and how many lines they take. */
interface Choice {
  readonly indexes: readonly number[];
  readonly lines: number;
}

/** Labels below a plot: for each width the evenly spaced ones that fit there, first and last included. */
export function axisLabels<T>(build: Build<T>, items: readonly ChartItem[]): readonly T[] {
  const choices = widths.map((width) => chooseLabels(items, width));
  const rows: T[] = [];
  for (let from = 0; from < choices.length; ) {
    const choice = choices[from] ?? { indexes: [], lines: 1 };
    let to = from + 1;
    while (isSame(choice, choices[to])) to += 1;
    const height = choice.lines * lineHeight;
    const boxes = choice.indexes.flatMap((_, place) => labelBox(build, items, choice, place));
    const name = `axis-labels ${shownBetween(from, to)}`;
    const frame = { class: name, 'aria-hidden': 'true', height };
    rows.push(build('svg', frame, ...boxes));
    from = to;
  }
  return rows;
}

/** Classes of what is shown from one of the widths up to, and without, another. */
function shownBetween(from: number, to: number): string {
  return [from > 0 && `from-${from}`, to < widths.length && `to-${to}`].filter(Boolean).join(' ');
}

/** As many labels as fit into the width; two always stand in half of it each, shortened if they must. */
function chooseLabels(items: readonly ChartItem[], width: number): Choice {
  let uneven: Choice | undefined;
  for (let count = Math.min(items.length, Math.floor(width / 24)); count > 2; count -= 1) {
    // From half as many on, the same distance everywhere is better than one label more.
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

/** Places from the first to the last, as far from each other as can be. */
function spread(length: number, count: number): readonly number[] {
  if (count < 2) return [0];
  return Array.from({ length: count }, (_, place) =>
    Math.round((place * (length - 1)) / (count - 1)),
  );
}

/** Lines of the label that takes most; without end where a word is wider than its place. */
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
  /** Parts of the plot's width: where the box begins, and how wide it is. */
  readonly start: number;
  readonly share: number;
  readonly side: 'start' | '' | 'end';
}

/**
 * The place that a label has to itself. The first and the last stand at the edges of the plot where they
 * are wider than the distance of two points.
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

function isSame(choice: Choice, other: Choice | undefined): boolean {
  const { indexes, lines } = other ?? {};
  if (lines !== choice.lines || indexes?.length !== choice.indexes.length) return false;
  return choice.indexes.every((index, at) => index === indexes[at]);
}

/** Values are written a little bolder than the labels of an axis. */
const bolder = 1.1;

/**
 * The values themselves at their points, shown where all of them fit beside each other: in wide drawings,
 * or never where there are many. `heightFor` gives the base line of each, in pixels from the top.
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
