import {
  type Build,
  type ChartItem,
  type ChartScale,
  type ChartSetting,
  dataTable,
  round,
  scaleOf,
} from './build.js';

/** Pixels: the plot, and the plot with its labels below. */
export const plotHeight = 116;
const fullHeight = 140;

/** Vertical bars over a base line. */
export function columnChart<T>(
  build: Build<T>,
  items: readonly ChartItem[],
  setting: ChartSetting,
): T {
  const scale = scaleOf(items);
  const slot = 100 / items.length;
  const columns = items.map(({ value = 0, tone }, index) =>
    build('rect', {
      class: tone ? `bar t-${tone}` : 'bar',
      'data-item': index,
      x: `${round(slot * (index + 0.14))}%`,
      width: `${round(slot * 0.72)}%`,
      ...columnBox(value, scale),
      rx: 2,
    }),
  );
  const grid = [scale.high, scale.high / 2, 0].map((value) => topOf(value, scale));
  return plot(build, items, setting, { grid, shapes: columns });
}

interface Drawing<T> {
  /** Pixels from the top at which lines cross the plot. */
  readonly grid: readonly number[];
  readonly shapes: readonly T[];
}

/** Shapes over a grid, with labels below and the numbers behind them as a table. */
export function plot<T>(
  build: Build<T>,
  items: readonly ChartItem[],
  { summary, color, words }: ChartSetting,
  { grid, shapes }: Drawing<T>,
): T {
  const size = { width: '100%', height: fullHeight };
  const drawing = build(
    'svg',
    { class: `columns ${color}`, role: 'img', 'aria-label': summary, ...size },
    ...grid.map((y) => build('line', { class: 'grid', x1: 0, x2: '100%', y1: y, y2: y })),
    ...shapes,
    ...axisLabels(build, items),
  );
  return build('div', { class: 'plot' }, drawing, dataTable(build, items, words));
}

/** Where a column stands in the plot, in pixels from its top. The smallest can still be seen. */
export function columnBox(
  value: number,
  scale: ChartScale,
): { readonly y: number; readonly height: number } {
  const [end, base] = [topOf(value, scale), topOf(0, scale)];
  return { y: Math.min(end, base), height: Math.max(Math.abs(base - end), value === 0 ? 0 : 2) };
}

function topOf(value: number, { low, high }: ChartScale): number {
  return round(((high - value) / (high - low)) * plotHeight);
}

/** How many characters of labels fit below a wide, a middling and a narrow chart. */
const labelRooms = [130, 64, 34] as const;
/** Classes of the labels that only the wider ones show. */
const labelClasses = ['axis l', 'axis m', 'axis'] as const;

/** As many labels as fit; which ones are seen depends on the width that the chart is given. */
function axisLabels<T>(build: Build<T>, items: readonly ChartItem[]): T[] {
  const longest = items.reduce((length, { label }) => Math.max(length, label.length), 1) + 2;
  // Steps double, so that what a narrow chart shows a wide one shows too.
  const steps = labelRooms.map((room) => stepFor((items.length * longest) / room));
  const slot = 100 / items.length;
  return items.flatMap(({ label }, index) => {
    const level = steps.findLastIndex((step) => index % step === 0);
    if (level < 0 || label === '') return [];
    const [className, x] = [labelClasses[level] ?? 'axis', `${round(slot * (index + 0.5))}%`];
    const place = { class: className, x, y: fullHeight - 6, 'text-anchor': 'middle' };
    return build('text', place, label);
  });
}

function stepFor(ratio: number): number {
  return 2 ** Math.max(0, Math.ceil(Math.log2(ratio)));
}
