import { type Build, type ChartItem, percent } from './build.js';
import { shorten, textWidth, wordWidth } from './text-width.js';

/**
 * Widths of a drawing in pixels from which more of it is shown; the first is the narrowest there is.
 * chart.css has a container query for each of the others.
 */
export const widths = [120, 200, 280, 400, 600, 960] as const;

const lineHeight = 15;
const roomForLines = 3;
/** Pixels between neighbouring labels. */
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
export function shownBetween(from: number, to: number): string {
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
