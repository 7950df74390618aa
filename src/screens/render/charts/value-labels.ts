import { shownBetween, widths } from './axis.js';
import { type Build, type ChartItem, percent } from './build.js';
import { textWidth } from './text-width.js';

/** Values are written a little bolder than the labels of an axis. */
const bolder = 1.1;
/** Pixels between neighbouring values. */
const gap = 4;

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
