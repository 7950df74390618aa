import {
  type Build,
  type ChartItem,
  type ChartScale,
  type ChartSetting,
  dataTable,
  noDrawing,
  round,
  scaleOf,
} from './build.js';

/** Pixels: the plot, and the plot with its labels below. */
export const plotHeight = 116;
const fullHeight = 140;

/** More characters than this do not fit under a column. */
const longLabel = 9;

/** Whether the labels are short enough to stand under columns; else bars lie down. */
export function fitsColumns(items: readonly ChartItem[]): boolean {
  const longest = items.reduce((length, { label }) => Math.max(length, label.length), 0);
  return longest <= longLabel || items.length > 14;
}

/** Vertical bars over a base line, or lying bars where the labels are long. */
export function barChart<T>(
  build: Build<T>,
  items: readonly ChartItem[],
  setting: ChartSetting,
): T {
  if (!items.some(({ value }) => value !== undefined)) return noDrawing(build, setting);
  return fitsColumns(items) ? columnChart(build, items, setting) : lyingBars(build, items, setting);
}

function columnChart<T>(build: Build<T>, items: readonly ChartItem[], setting: ChartSetting): T {
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
  const { high } = scale;
  const grid = [high, high / 2, 0].map((value) => topOf(value, scale));
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
  const drawing = build(
    'svg',
    {
      class: `columns ${color}`,
      role: 'img',
      'aria-label': summary,
      width: '100%',
      height: fullHeight,
    },
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
    return build(
      'text',
      {
        class: labelClasses[level] ?? 'axis',
        x: `${round(slot * (index + 0.5))}%`,
        y: fullHeight - 6,
        'text-anchor': 'middle',
      },
      label,
    );
  });
}

function stepFor(ratio: number): number {
  return 2 ** Math.max(0, Math.ceil(Math.log2(ratio)));
}

/** The length of a lying bar beside the longest one. */
export function lyingWidth(value: number, highest: number): string {
  return `${round((Math.max(0, value) / (highest || 1)) * 100)}%`;
}

/** Horizontal bars: a list that is its own text equivalent. */
export function lyingBars<T>(
  build: Build<T>,
  items: readonly ChartItem[],
  { color }: Pick<ChartSetting, 'color'>,
): T {
  const highest = items.reduce((max, { value = 0 }) => Math.max(max, value), 0);
  const lines = items.map(({ label, value = 0, text, tone, hint = [] }) =>
    build(
      'li',
      {},
      build('span', { class: 'bar-label' }, label || '–'),
      build('span', { class: 'bar-value' }, text || '–'),
      build(
        'svg',
        { class: 'track', 'aria-hidden': 'true', width: '100%', height: 8 },
        build('rect', { class: 'ground', width: '100%', height: 8, rx: 4 }),
        build('rect', {
          class: tone ? `bar t-${tone}` : 'bar',
          width: lyingWidth(value, highest),
          height: 8,
          rx: 4,
        }),
      ),
      ...hint.map((line) => build('span', { class: 'bar-hint' }, line)),
    ),
  );
  return build('ul', { class: `bars ${color}` }, ...lines);
}
