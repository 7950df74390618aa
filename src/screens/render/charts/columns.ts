import { type Build, type ChartItem, type ChartSetting, percent, round } from './build.js';
import { pixelsTo, plot } from './plot.js';
import { type ChartScale, zeroScale } from './scale.js';
import { valueLabels } from './value-labels.js';

/** Vertical bars from zero. */
export function columnChart<T>(
  build: Build<T>,
  items: readonly ChartItem[],
  setting: ChartSetting,
): T {
  const scale = zeroScale(items);
  const slot = 1 / items.length;
  const part = items.length < 5 ? 0.5 : 0.72;
  const columns = items.map(({ value = 0, tone }, index) =>
    build('rect', {
      class: tone ? `bar t-${tone}` : 'bar',
      'data-item': index,
      x: percent(slot * (index + (1 - part) / 2)),
      width: percent(slot * part),
      ...columnBox(value, scale),
      rx: 2,
    }),
  );
  const values = valueLabels(build, items, ({ value = 0 }) => valueHeight(value, scale));
  return plot(build, items, setting, {
    scale,
    shapes: [...columns, ...values],
    below: scale.low < 0,
  });
}

/** The base line of the text of a value, in pixels from the top: beyond the end of its column. */
export function valueHeight(value: number, scale: ChartScale): number {
  return pixelsTo(value, scale) + (value < 0 ? 13 : -5);
}

/** Where a column stands in the drawing, in pixels from its top. The smallest can still be seen. */
export function columnBox(
  value: number,
  scale: ChartScale,
): { readonly y: number; readonly height: number } {
  const [end, base] = [pixelsTo(value, scale), pixelsTo(0, scale)];
  const height = Math.max(Math.abs(base - end), value === 0 ? 0 : 2);
  return { y: value < 0 ? base : round(base - height), height: round(height) };
}
