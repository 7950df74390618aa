import {
  type Build,
  type ChartItem,
  type ChartSetting,
  noDrawing,
  round,
  scaleOf,
} from './build.js';
import { plot, plotHeight } from './columns.js';

/** A line over its area. Points without a number interrupt nothing: the line joins their neighbours. */
export function lineChart<T>(
  build: Build<T>,
  items: readonly ChartItem[],
  setting: ChartSetting,
): T {
  const drawn = items.flatMap(({ value }, index) => (value === undefined ? [] : { value, index }));
  if (drawn.length === 0) return noDrawing(build, setting);
  const { low, high } = lineScale(items);
  const slot = 100 / items.length;
  const x = (index: number): number => round(slot * (index + 0.5));
  const y = (value: number): number => round(((high - value) / (high - low)) * 100);
  const path = drawn.map(({ value, index }) => `${x(index)} ${y(value)}`).join('L');
  const [first, last] = [drawn[0]?.index ?? 0, drawn.at(-1)?.index ?? 0];
  const line = build(
    'svg',
    {
      width: '100%',
      height: plotHeight,
      viewBox: '0 0 100 100',
      preserveAspectRatio: 'none',
      class: 'stretched',
    },
    build('path', { class: 'area', d: `M${x(first)} 100L${path}L${x(last)} 100z` }),
    build('path', { class: 'line', d: `M${path}` }),
  );
  const dots = drawn.map(({ value, index }) =>
    build('circle', {
      class: items[index]?.tone ? `dot bar t-${items[index]?.tone}` : 'dot bar',
      'data-item': index,
      cx: `${x(index)}%`,
      cy: round((y(value) * plotHeight) / 100),
      r: 3,
    }),
  );
  const grid = [0, plotHeight / 2, plotHeight];
  return plot(build, items, setting, { grid, shapes: [line, ...dots] });
}

/** A line need not start at zero: where its values lie close together, the scale closes in on them. */
function lineScale(items: readonly ChartItem[]): { readonly low: number; readonly high: number } {
  const values = items.flatMap(({ value }) => (value === undefined ? [] : [value]));
  // A list of any length: as arguments of one call they could be too many.
  const [first = 0] = values;
  const min = values.reduce((least, value) => Math.min(least, value), first);
  const max = values.reduce((most, value) => Math.max(most, value), first);
  const spread = max - min;
  if (min <= 0 || spread === 0 || spread > max / 2) return scaleOf(items);
  return { low: min - spread * 0.35, high: max + spread * 0.15 };
}
