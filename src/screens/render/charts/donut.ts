import { type Html, html } from '../../../base/html.js';
import type { Locale } from '../format.js';
import { type ChartItem, round } from './build.js';
import { formatPercent } from './numbers.js';
import { type Share, sharesOf } from './shares.js';

/** A radius whose circumference is 100, so that lengths on the ring are per cent. */
const radius = 15.9155;
/** Colours of the series repeat after these. */
const seriesColors = 7;

/** Characters of a value that have no room between a label and its share beside the ring. */
const longValue = 10;

export interface DonutSetting {
  /** The text equivalent in one sentence. */
  readonly summary: string;
  readonly locale: Locale;
  /** What stands in the middle. */
  readonly total?: string | undefined;
}

/** Shares of a whole as a ring, with a list that names each part, its value and its share. */
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
  // Long values need the width of the whole card.
  const isWide = items.some(({ text }) => text.length > longValue);
  return html`<div class="donut${isWide && ' stacked'}"><svg class="donut-ring" role="img" aria-label="${summary}" viewBox="0 0 42 42">${parts.map(({ arc }) => arc)}${middle}</svg><ul class="legend">${parts.map(({ line }) => line)}</ul></div>`;
}

function ring(share: Share, start: number, color: string): Html {
  return html`<circle class="ring ${color}" cx="21" cy="21" r="${radius}" stroke-dasharray="${dashes(share.exact)}" stroke-dashoffset="${round(25 - start)}"></circle>`;
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

/** The length of a part and of the rest of the ring; a narrow gap parts neighbours. */
function dashes(share: number): string {
  const length = Math.max(share < 100 ? share - 0.8 : share, 0.4);
  return `${round(length)} ${round(100 - length)}`;
}
