import { type Html, html } from '../../../base/html.js';
import { type ChartItem, type ChartScale, type ChartSetting, round, scaleOf } from './build.js';
import { plot, plotHeight } from './columns.js';
import { buildHtml } from './html-builder.js';

/** A line over its area. Points without a number interrupt nothing: the line joins their neighbours. */
export function lineChart(items: readonly ChartItem[], setting: ChartSetting): Html {
  const drawn = items.flatMap(({ value, tone }, index) =>
    value === undefined ? [] : { value, tone, index },
  );
  const { low, high } = lineScale(drawn);
  const slot = 100 / items.length;
  const x = (index: number): number => round(slot * (index + 0.5));
  const y = (value: number): number => round(((high - value) / (high - low)) * 100);
  const path = drawn.map(({ value, index }) => `${x(index)} ${y(value)}`).join('L');
  const [first, last] = [drawn[0]?.index ?? 0, drawn.at(-1)?.index ?? 0];
  const line = html`<svg width="100%" height="${plotHeight}" viewBox="0 0 100 100" preserveAspectRatio="none" class="stretched"><path class="area" d="M${x(first)} 100L${path}L${x(last)} 100z"></path><path class="line" d="M${path}"></path></svg>`;
  const dots = drawn.map(
    ({ value, tone, index }) =>
      html`<circle class="dot bar${tone && ` t-${tone}`}" data-item="${index}" cx="${x(index)}%" cy="${round((y(value) * plotHeight) / 100)}" r="3"></circle>`,
  );
  const grid = [0, plotHeight / 2, plotHeight];
  return plot(buildHtml, items, setting, { grid, shapes: [line, ...dots] });
}

/** A line need not start at zero: where its values lie close together, the scale closes in on them. */
function lineScale(points: readonly { readonly value: number }[]): ChartScale {
  // A list of any length: as arguments of one call they could be too many.
  const [first = { value: 0 }] = points;
  const min = points.reduce((least, { value }) => Math.min(least, value), first.value);
  const max = points.reduce((most, { value }) => Math.max(most, value), first.value);
  const spread = max - min;
  if (min <= 0 || spread === 0 || spread > max / 2) return scaleOf(points);
  return { low: min - spread * 0.35, high: max + spread * 0.15 };
}
