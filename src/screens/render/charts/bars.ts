import { type Html, html } from '../../../base/html.js';
import { type ChartItem, lyingWidth } from './build.js';

/** More characters than this do not fit under a column. */
const longLabel = 9;

/** Whether the labels are short enough to stand under columns; else bars lie down. */
export function fitsColumns(items: readonly ChartItem[]): boolean {
  return items.length > 14 || items.every(({ label }) => label.length <= longLabel);
}

/** Horizontal bars: a list that is its own text equivalent. */
export function lyingBars(items: readonly ChartItem[], color: string): Html {
  const highest = items.reduce((max, { value = 0 }) => Math.max(max, value), 0);
  const lines = items.map(({ label, value = 0, text, tone, hint = [] }) => {
    const track = html`<svg class="track" aria-hidden="true" width="100%" height="8"><rect class="ground" width="100%" height="8" rx="4"></rect><rect class="bar${tone && ` t-${tone}`}" width="${lyingWidth(value, highest)}" height="8" rx="4"></rect></svg>`;
    return html`<li><span class="bar-label">${label || '–'}</span><span class="bar-value">${text || '–'}</span>${track}${hint.map((line) => html`<span class="bar-hint">${line}</span>`)}</li>`;
  });
  return html`<ul class="bars ${color}">${lines}</ul>`;
}
