import { type Html, html } from '../../../base/html.js';
import { type ChartItem, round } from './build.js';

/** A radius whose circumference is 100, so that lengths on the ring are per cent. */
const radius = 15.9155;
/** Colours of the series repeat after these. */
const seriesColors = 7;

/** Shares of a whole as a ring, with a list that names each part, its value and its share. */
export function donutChart(items: readonly ChartItem[], summary: string, total?: string): Html {
  const sum = items.reduce((whole, { value = 0 }) => whole + Math.max(0, value), 0);
  let start = 0;
  const parts = items.map(({ label, text, value = 0, tone }, index) => {
    const share = (Math.max(0, value) / sum) * 100;
    const color = tone ? `t-${tone}` : `s${index % seriesColors}`;
    const arc =
      share > 0 &&
      html`<circle class="ring ${color}" cx="21" cy="21" r="${radius}" stroke-dasharray="${dashes(share)}" stroke-dashoffset="${round(25 - start)}"></circle>`;
    start += share;
    const line = html`<li><svg class="key" aria-hidden="true" width="10" height="10"><rect class="${color}" width="10" height="10" rx="3"></rect></svg><span class="bar-label">${label || '–'}</span><span class="bar-value">${text || '–'}</span><span class="share">${Math.round(share)} %</span></li>`;
    return { arc, line };
  });
  const middle =
    total !== undefined &&
    html`<text class="total" x="21" y="21" text-anchor="middle" dy=".35em">${total}</text>`;
  return html`<div class="donut"><svg class="donut-ring" role="img" aria-label="${summary}" viewBox="0 0 42 42">${parts.map(({ arc }) => arc)}${middle}</svg><ul class="legend">${parts.map(({ line }) => line)}</ul></div>`;
}

/** The length of a part and of the rest of the ring; a narrow gap parts neighbours. */
function dashes(share: number): string {
  const length = Math.max(share < 100 ? share - 0.8 : share, 0.4);
  return `${round(length)} ${round(100 - length)}`;
}
