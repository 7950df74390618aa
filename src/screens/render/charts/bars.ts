import { type Build, type ChartItem, percent } from './build.js';
import { type ChartScale, heightOf, tightScale } from './scale.js';

/** More characters than this do not fit under a column. */
const longLabel = 9;

/** Whether the labels are short enough to stand under columns; else bars lie down. */
export function fitsColumns(items: readonly Pick<ChartItem, 'label'>[]): boolean {
  return items.length > 14 || items.every(({ label }) => label.length <= longLabel);
}

/** Horizontal bars from zero: a list that is its own text equivalent. */
export function lyingBars<T>(build: Build<T>, items: readonly ChartItem[], color: string): T {
  const scale = tightScale(items);
  const lines = items.map(({ label, value, text, tone, hint = [] }) =>
    build(
      'li',
      {},
      build('span', { class: 'bar-label' }, label || '–'),
      build('span', { class: 'bar-value' }, text || '–'),
      ...(value === undefined ? [] : [track(build, value, tone, scale)]),
      ...hint.map((line) => build('span', { class: 'bar-hint' }, line)),
    ),
  );
  return build('ul', { class: `bars ${color}` }, ...lines);
}

function track<T>(build: Build<T>, value: number, tone: string | undefined, scale: ChartScale): T {
  const [zero, end] = [heightOf(0, scale), heightOf(value, scale)];
  const size = { x: percent(Math.min(zero, end)), width: percent(Math.abs(end - zero)) };
  const bar = { class: tone ? `bar t-${tone}` : 'bar', ...size, height: 8, rx: 4 };
  const ground = build('rect', { class: 'ground', width: '100%', height: 8, rx: 4 });
  const shapes = [ground, build('rect', bar)];
  if (scale.low < 0) {
    const x = percent(zero);
    shapes.push(build('line', { class: 'grid zero', x1: x, x2: x, y1: -3, y2: 11 }));
  }
  const frame = { class: 'track', 'aria-hidden': 'true', width: '100%', height: 8 };
  return build('svg', frame, ...shapes);
}
