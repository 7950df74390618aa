import type { AnalyticsFindingDefinition } from '#screen-definition';
import { type Html, html } from '../../../base/html.js';
import type { ScreenAnalyticsChart } from '../../normalise/archetype-blocks.js';
import { toneMark } from '../blocks/badge.js';
import { paragraphs } from '../blocks/prose.js';
import { chartTotal, colorOf, drawChart, itemsOf, totalInRing } from '../charts/drawn.js';
import type { RenderContext } from '../context.js';
import { formatQuantity } from '../format.js';

/** A report: what it comes to, the charts, and the findings. */
export function analytics(context: RenderContext): Html {
  const { screen, words, at, ownLang, styles } = context;
  styles.add('analytics').add('aligned').add('prose').add('metrics');
  const { summary, period, charts = [], findings = [] } = screen.analytics ?? {};
  const lead =
    (summary || period) &&
    html`<section class="card summary prose">${period && html`<p class="range"${at('/analytics/period')}>${context.sprite.icon('calendar')}${period}</p>`}${summary && html`<div${at('/analytics/summary')}>${paragraphs(summary)}</div>`}</section>`;
  const list = findings.map((finding, index) => findingItem(context, finding, index));
  return html`${lead}<div class="charts" data-find-group>${charts.map((chart, index) => chartCard(context, chart, index))}</div>${list.length > 0 && html`<section class="card" data-find-group><h2${ownLang}>${words.findings}</h2><ul class="findings">${list}</ul></section>`}`;
}

function chartCard(
  context: RenderContext,
  { type, title, unit, total, note, points }: ScreenAnalyticsChart,
  index: number,
): Html {
  const place = context.at('/analytics', 'charts', index);
  const middle = totalInRing(context, { type, total });
  const drawing = drawChart(context, {
    type,
    title,
    unit,
    items: itemsOf(points, context.locale),
    color: colorOf(index),
    total: middle,
  });
  return html`<section class="card aligned" data-find${place}><h2>${title}</h2>${chartTotal(context, middle === undefined ? total : undefined, unit)}${drawing}${note && html`<p class="kpi-note">${note}</p>`}</section>`;
}

function findingItem(
  context: RenderContext,
  { title, detail, value, tone }: AnalyticsFindingDefinition,
  index: number,
): Html {
  const number = formatQuantity(value, context.locale);
  return html`<li data-find${context.at('/analytics', 'findings', index)}>${toneMark(context, tone)}<div><h3>${title}</h3>${detail && html`<p>${detail}</p>`}</div>${number && html`<strong class="finding-value">${number}</strong>`}</li>`;
}
