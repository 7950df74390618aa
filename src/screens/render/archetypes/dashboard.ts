import type {
  AnalyticsFindingDefinition,
  DashboardBreakdownDefinition,
  DashboardBreakdownPartDefinition,
  MetricDefinition,
} from '#screen-definition';
import { type Html, html } from '../../../base/html.js';
import { isolateDirection } from '../../../base/text-direction.js';
import { toNumber } from '../../definition/values.js';
import type { ScreenAnalyticsChart, ScreenSeries } from '../../normalise/archetype-blocks.js';
import { toneMark } from '../blocks/badge.js';
import { paragraphs } from '../blocks/prose.js';
import { metric } from '../blocks/summary-chart.js';
import type { ChartItem } from '../charts/build.js';
import { horizontalBars } from '../charts/columns.js';
import { buildHtml, chartBody, chartTotal, colorOf, drawChart, itemsOf } from '../charts/drawn.js';
import { formatValue } from '../charts/numbers.js';
import type { RenderContext } from '../context.js';
import { formatQuantity } from '../format.js';

/** Draws an overview of metrics with their series, and of breakdowns. */
export function dashboard(context: RenderContext): Html {
  const { screen, words, ownLang, at, styles } = context;
  styles.add('dashboard').add('aligned').add('metrics').add('fields');
  const series = screen.dashboard?.series ?? [];
  const cards = [
    ...screen.kpis.map((kpi, index) => metricCard(context, kpi, index)),
    ...series.map(
      (item, index) =>
        item.kpi === undefined &&
        html`<div class="card metric-card aligned">${seriesBody(context, item, index)}</div>`,
    ),
  ];
  const range = screen.dashboard?.range;
  const breakdowns = screen.dashboard?.breakdowns ?? [];
  const metrics =
    cards.some(Boolean) &&
    html`<section class="metric-cards" aria-labelledby="metrics-title"><h2 class="vh" id="metrics-title"${ownLang}>${words.metrics}</h2>${cards}</section>`;
  return html`${range && html`<p class="range"${at('/dashboard/range')}>${context.sprite.icon('calendar')}${range}</p>`}${metrics}${breakdowns.length > 0 && html`<div class="breakdowns">${breakdowns.map((item, index) => breakdown(context, item, index))}</div>`}`;
}

/** Draws a metric and, below it, the series that belong to it. */
function metricCard(context: RenderContext, kpi: MetricDefinition, index: number): Html {
  const { screen, at } = context;
  const [first, ...others] = (screen.dashboard?.series ?? []).flatMap((item, position) =>
    item.kpi === index ? seriesBody(context, item, position, kpi) : [],
  );
  const more = others.length > 0 && html`<div class="more-series">${others}</div>`;
  return html`<div class="card metric-card${first && ' aligned'}"${at('/kpis', index)}><div>${metric(kpi)}</div>${first}${more}</div>`;
}

function seriesBody(
  context: RenderContext,
  { title, unit, total, note, points }: ScreenSeries,
  index: number,
  kpi?: MetricDefinition,
): Html {
  const shown = title || kpi?.label || context.words.chartTitle;
  // Do not repeat the title of the metric above.
  const heading = title !== kpi?.label && title;
  const number = formatQuantity(total, context.locale).replaceAll('\u00a0', ' ');
  const texts = [number, `${number} ${unit}`];
  const match = texts.indexOf(kpi?.value.replaceAll('\u00a0', ' ') ?? '');
  const isRepeated = number !== '' && match >= 0;
  // Omit the total and the unit if the metric above already shows them.
  const shownTotal = isRepeated ? undefined : total;
  const shownUnit = isRepeated && match > 0 ? undefined : unit;
  const items = itemsOf(points, context.locale);
  const color = colorOf(index);
  const chart = drawChart(context, { type: 'line', title: shown, items, unit, color });
  return html`<div class="series"${context.at('/dashboard', 'series', index)}>${heading && html`<h3>${heading}</h3>`}${chartTotal(context, shownTotal, shownUnit)}${chart}${note && html`<p class="kpi-note">${note}</p>`}</div>`;
}

function breakdown(
  context: RenderContext,
  item: DashboardBreakdownDefinition,
  index: number,
): Html {
  const { title, note, unit, type } = item;
  const pointer = context.at('/dashboard', 'breakdowns', index);
  const body = { cards, share, top }[type](context, item);
  return html`<section class="card breakdown"${pointer}><div class="card-head"><h2>${title}</h2>${unit && html`<span class="muted">${unit}</span>`}</div>${body}${note && html`<p class="kpi-note">${note}</p>`}</section>`;
}

function cards(context: RenderContext, { items }: DashboardBreakdownDefinition): Html {
  const list = items.map(({ label, value, title, stats = [] }) => {
    const rows = stats.map(
      (stat) =>
        html`<div><dt>${stat.label}</dt><dd>${formatQuantity(stat.value, context.locale)}</dd></div>`,
    );
    return html`<li>${title && html`<h3>${title}</h3>`}${label && html`<p class="kpi-label">${label}</p>`}${value !== undefined && html`<p class="kpi-value">${formatQuantity(value, context.locale)}</p>`}${rows.length > 0 && html`<dl class="stats">${rows}</dl>`}</li>`;
  });
  return html`<ul class="stat-cards">${list}</ul>`;
}

function share(context: RenderContext, { items, title, unit }: DashboardBreakdownDefinition): Html {
  const parts = items.map((item) => partItem(context, item));
  return drawChart(context, { type: 'donut', title, items: parts, unit });
}

function top(context: RenderContext, { items }: DashboardBreakdownDefinition): Html {
  context.styles.add('chart').add('bars').add('series');
  const parts = items.map((item) => partItem(context, item));
  return horizontalBars(buildHtml, parts, 'c-primary');
}

/** Converts a part to a chart item. The title appears below the label, or replaces a missing label. */
function partItem(
  { locale }: RenderContext,
  { label, title, value, stats = [] }: DashboardBreakdownPartDefinition,
): ChartItem {
  const details = stats.map(
    (stat) =>
      `${isolateDirection(stat.label)}: ${isolateDirection(formatQuantity(stat.value, locale))}`,
  );
  return {
    label: label || title || '',
    value: toNumber(value),
    text: typeof value === 'number' ? formatValue(value, locale) : (value ?? ''),
    hint: label && title && title !== label ? [title, ...details] : details,
  };
}

/** Draws a report with its summary, charts and findings. */
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

function chartCard(context: RenderContext, chart: ScreenAnalyticsChart, index: number): Html {
  const pointer = context.at('/analytics', 'charts', index);
  const body = chartBody(context, { ...chart, color: colorOf(index) });
  return html`<section class="card aligned" data-find${pointer}><h2>${chart.title}</h2>${body}</section>`;
}

function findingItem(
  context: RenderContext,
  { title, detail, value, tone }: AnalyticsFindingDefinition,
  index: number,
): Html {
  const number = formatQuantity(value, context.locale);
  return html`<li data-find${context.at('/analytics', 'findings', index)}>${toneMark(context, tone)}<div><h3>${title}</h3>${detail && html`<p>${detail}</p>`}</div>${number && html`<strong class="finding-value">${number}</strong>`}</li>`;
}
