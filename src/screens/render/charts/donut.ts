import { type Html, html } from '../../../base/html.js';
import type { Locale } from '../format.js';
import { type ChartItem, round } from './build.js';
import { formatPercent } from './numbers.js';

/** Radius of a circle with a circumference of 100, so that lengths on the ring are in per cent. */
const ringRadius = 15.9155;
/** Number of series colours, which are repeated. */
const seriesColors = 7;

/** Maximum length of a value that fits between a label and its share beside the ring, in characters. */
const longValue = 10;

export interface DonutSetting {
  /** The chart's text alternative in one sentence. */
  readonly summary: string;
  readonly locale: Locale;
  /** The text in the middle of the ring. */
  readonly total?: string | undefined;
}

/** Draws shares of a whole as a ring, with a list of labels, values and shares. */
export function donutChart(
  items: readonly ChartItem[],
  { summary, locale, total }: DonutSetting,
): Html {
  const shares = sharesOf(items.map(({ value }) => value));
  let start = 0;
  const parts = items.map((item, index) => {
    const [share, color] = [
      shares[index],
      item.tone ? `t-${item.tone}` : `s${index % seriesColors}`,
    ];
    const arc = share && share.exact > 0 && ring(share, start, color);
    start += share?.exact ?? 0;
    return { arc, line: legendLine(item, share, color, locale) };
  });
  const middle =
    total !== undefined &&
    html`<text class="total" x="21" y="21" text-anchor="middle" dy=".35em">${total}</text>`;
  const isWide = items.some(({ text }) => text.length > longValue);
  return html`<div class="donut${isWide && ' stacked'}"><svg class="donut-ring" role="img" aria-label="${summary}" viewBox="0 0 42 42">${parts.map(({ arc }) => arc)}${middle}</svg><ul class="legend">${parts.map(({ line }) => line)}</ul></div>`;
}

function ring(share: Share, start: number, color: string): Html {
  return html`<circle class="ring ${color}" cx="21" cy="21" r="${ringRadius}" stroke-dasharray="${dashes(share.exact)}" stroke-dashoffset="${round(25 - start)}"></circle>`;
}

function legendLine(
  { label, text, hint = [] }: ChartItem,
  share: Share | undefined,
  color: string,
  locale: Locale,
): Html {
  const part = share ? formatPercent(share.text, locale) : '–';
  return html`<li><svg class="key" aria-hidden="true" width="10" height="10"><rect class="${color}" width="10" height="10" rx="3"></rect></svg><span class="bar-label">${label || '–'}</span><span class="bar-value">${text || '–'}</span><span class="share">${part}</span>${hint.map((line) => html`<span class="bar-hint">${line}</span>`)}</li>`;
}

/** Returns the length of a part and of the rest of the ring, with a narrow gap between parts. */
function dashes(share: number): string {
  const length = Math.max(share < 100 ? share - 0.8 : share, 0.4);
  return `${round(length)} ${round(100 - length)}`;
}

/** A share of a whole: exact for drawing, and rounded as text. */
interface Share {
  /** Per cent, 0 to 100. */
  readonly exact: number;
  /** `63`, `<1`, `>99`. */
  readonly text: string;
}

/**
 * Returns the share of each value in the sum. The largest remainder method makes the rounded shares add up to 100 per
 * cent. Shares below one per cent are written as "<1" and rounded together. Negative values have no share.
 */
export function sharesOf(values: readonly (number | undefined)[]): readonly (Share | undefined)[] {
  const highest = values.reduce((max: number, value = 0) => Math.max(max, value), 0);
  // Divide by the highest value first, because the sum of very large numbers is infinite.
  const parts = values.map((value = 0) => (value > 0 ? value / highest : 0));
  const sum = parts.reduce((all, part) => all + part, 0);
  const exact = parts.map((part) => (sum > 0 ? (part / sum) * 100 : 0));
  const rounded = roundToWhole(exact);
  return values.map((value, index) => {
    if (value === undefined || value < 0 || sum === 0) return undefined;
    const share = exact[index] ?? 0;
    return { exact: share, text: wordShare(share, rounded[index] ?? 0) };
  });
}

function wordShare(exact: number, rounded: number): string {
  if (exact > 0 && exact < 1) return '<1';
  return exact < 100 && rounded === 100 ? '>99' : String(rounded);
}

/** Rounds shares to add up to 100, including the shares below one. The largest remainders are rounded up first. */
function roundToWhole(exact: readonly number[]): readonly number[] {
  const tiny = exact.reduce((sum, share) => sum + (share < 1 ? share : 0), 0);
  const rounded = exact.map((share) => (share < 1 ? 0 : Math.floor(share)));
  const missing = 100 - Math.round(tiny) - rounded.reduce((sum, share) => sum + share, 0);
  const cut = exact
    .map((share, index) => ({ index, remainder: share % 1, isWhole: share >= 1 }))
    .filter(({ isWhole }) => isWhole)
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index);
  for (const { index } of cut.slice(0, Math.max(0, missing))) {
    rounded[index] = (rounded[index] ?? 0) + 1;
  }
  return rounded;
}
