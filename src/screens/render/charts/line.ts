import { type Html, html } from '../../../base/html.js';
import { say } from '../format.js';
import { type ChartItem, type ChartSetting, percent, round } from './build.js';
import { buildHtml } from './html-builder.js';
import { pixelsTo, plot, plotHeight, plotTop } from './plot.js';
import { type ChartScale, heightOf, lineScale, zeroScale } from './scale.js';
import { arePercent, canBeLabelled, tickTexts } from './ticks.js';
import { valueLabels } from './value-labels.js';

interface LineSetting extends ChartSetting {
  /** Says that the scale starts elsewhere than at zero. */
  readonly notFromZero: string;
}

interface Point {
  readonly value: number;
  readonly tone: string | undefined;
  readonly index: number;
}

/** A line; over its area where the scale has its zero. It has a gap where a point has no number. */
export function lineChart(items: readonly ChartItem[], setting: LineSetting): Html {
  const scale = scaleOf(items, setting);
  const runs = runsOf(items);
  const withArea = scale.low <= 0 && scale.high >= 0;
  const x = (index: number): number => round(((index + 0.5) / items.length) * 100);
  const y = (value: number): number => round((1 - heightOf(value, scale)) * 100);
  const lines = runs.map((run) => {
    const path = run.map(({ value, index }) => `${x(index)} ${y(value)}`).join('L');
    const [first, last] = [run[0]?.index ?? 0, run.at(-1)?.index ?? 0];
    const area = `M${x(first)} ${y(0)}L${path}L${x(last)} ${y(0)}z`;
    return html`${withArea && html`<path class="area" d="${area}"></path>`}<path class="line" d="M${path}"></path>`;
  });
  const line = html`<svg y="${plotTop}" width="100%" height="${plotHeight}" viewBox="0 0 100 100" preserveAspectRatio="none" class="stretched">${lines}</svg>`;
  const dots = runs.flat().map(({ value, tone, index }) => {
    const place = html`cx="${percent((index + 0.5) / items.length)}" cy="${pixelsTo(value, scale)}"`;
    return html`<circle class="dot bar${tone && ` t-${tone}`}" data-item="${index}" ${place} r="3"></circle>`;
  });
  const valueHeights = items.map(({ value }, index) => {
    if (value === undefined) return plotTop + plotHeight - 5;
    return pixelsTo(value, scale) + (isValley(items, index) ? 17 : -8);
  });
  const values = valueLabels(buildHtml, items, (_, index) => valueHeights[index] ?? 0);
  const shapes = [line, ...dots, ...values];
  const below = valueHeights.some((height) => height > plotTop + plotHeight);
  const start = tickTexts(items, scale, setting)[0] ?? '';
  const remark = withArea ? '' : say(setting.notFromZero, { low: start }, setting.locale);
  return plot(buildHtml, items, setting, { scale, shapes, below, remark });
}

/** A scale that closes in on the values where its labels are still short, else from zero. */
function scaleOf(items: readonly ChartItem[], setting: ChartSetting): ChartScale {
  const most = arePercent(items, setting.unit) ? 100 : undefined;
  const scale = lineScale(items, most);
  return canBeLabelled(scale, setting) ? scale : zeroScale(items);
}

/** Whether the line comes down to a point and goes up again: its value stands below it. */
function isValley(items: readonly ChartItem[], index: number): boolean {
  const value = items[index]?.value ?? 0;
  const [before = value, after = value] = [items[index - 1]?.value, items[index + 1]?.value];
  return value <= before && value <= after && (value < before || value < after);
}

/** The points that follow each other without one that has no number between them. */
function runsOf(items: readonly ChartItem[]): readonly (readonly Point[])[] {
  const runs: Point[][] = [];
  let run: Point[] | undefined;
  for (const [index, { value, tone }] of items.entries()) {
    if (value === undefined) {
      run = undefined;
      continue;
    }
    if (!run) {
      run = [];
      runs.push(run);
    }
    run.push({ value, tone, index });
  }
  return runs;
}
