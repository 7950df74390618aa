import type {
  BreakdownDefinition,
  BreakdownItemDefinition,
  KpiDefinition,
} from '../../definition/definition.js';
import { toNumber } from '../../definition/values.js';
import type { ScreenSeries } from '../../normalise/archetype-blocks.js';
import { columns } from '../blocks/columns.js';
import { metric } from '../blocks/metrics.js';
import { activityFeed } from '../blocks/prose.js';
import { scenarioCard } from '../blocks/scenario.js';
import { summaryChart } from '../blocks/summary-chart.js';
import { lyingBars } from '../charts/columns.js';
import { chartTotal, colorOf, drawChart } from '../charts/drawn.js';
import { buildHtml } from '../charts/html-builder.js';
import type { RenderContext } from '../context.js';
import { formatQuantity } from '../format.js';
import { type Html, html } from '../html.js';

/** An overview: metrics with their course, what they consist of, and what happened last. */
export function dashboard(context: RenderContext): Html {
  const { screen, words, ownLang, at, styles } = context;
  styles.add('dashboard').add('metrics').add('range').add('fields');
  const series = screen.dashboard?.series ?? [];
  const cards = [
    ...screen.kpis.map((_, index) => metricCard(context, index)),
    ...series.map((item, index) =>
      item.kpi === undefined ? seriesCard(context, item, index) : '',
    ),
  ];
  const range = screen.dashboard?.range;
  const breakdowns = screen.dashboard?.breakdowns ?? [];
  return html`${range && html`<p class="range"${at('/dashboard/range')}>${context.sprite.icon('calendar')}${range}</p>`}<section class="metric-cards" aria-labelledby="metrics-title"><h2 class="vh" id="metrics-title"${ownLang}>${words.metrics}</h2>${cards}</section>${breakdowns.length > 0 && html`<div class="breakdowns">${breakdowns.map((item, index) => breakdown(context, item, index))}</div>`}${columns(context, summaryChart(context), scenarioCard(context))}${activityFeed(context)}`;
}

/** A metric; the series that belong to it are drawn below. */
function metricCard(context: RenderContext, index: number): Html {
  const { screen, at } = context;
  const kpi = screen.kpis[index];
  if (!kpi) return html``;
  const series = (screen.dashboard?.series ?? []).map((item, place) =>
    item.kpi === index ? seriesBody(context, item, place, kpi) : '',
  );
  const drawn = series.some((item) => item !== '');
  return html`<div class="card metric-card${drawn ? ' drawn' : ''}"${at('/kpis', index)}><div>${metric(kpi)}</div>${series}</div>`;
}

function seriesCard(context: RenderContext, series: ScreenSeries, index: number): Html {
  return html`<div class="card metric-card drawn">${seriesBody(context, series, index, undefined)}</div>`;
}

function seriesBody(
  context: RenderContext,
  { title, unit, total, note, points }: ScreenSeries,
  index: number,
  kpi: KpiDefinition | undefined,
): Html {
  const shown = title || kpi?.label || context.words.chart;
  // What the metric above says already is not said again.
  const heading = title !== kpi?.label && title;
  const number = formatQuantity(total, context.locale).replaceAll('\u00a0', ' ');
  const said = [number, `${number} ${unit}`];
  const repeated = kpi !== undefined && said.includes(kpi.value.replaceAll('\u00a0', ' '));
  const chart = drawChart(context, { type: 'line', title: shown, points, color: colorOf(index) });
  return html`<div class="series"${context.at('/dashboard', 'series', index)}>${heading && html`<h3>${heading}</h3>`}${repeated ? '' : chartTotal(context, total, unit)}${chart}${note && html`<p class="kpi-note">${note}</p>`}</div>`;
}

function breakdown(context: RenderContext, item: BreakdownDefinition, index: number): Html {
  const { title, note, unit, type } = item;
  const place = context.at('/dashboard', 'breakdowns', index);
  const body =
    type === 'cards'
      ? cards(context, item)
      : type === 'share'
        ? share(context, item)
        : top(context, item);
  return html`<section class="card breakdown"${place}><div class="card-head"><h2>${title}</h2>${unit && html`<span class="muted">${unit}</span>`}</div>${body}${note && html`<p class="kpi-note">${note}</p>`}</section>`;
}

function cards(context: RenderContext, { items }: BreakdownDefinition): Html {
  const list = items.map(({ label, value, title, stats = [] }) => {
    const rows = stats.map(
      (stat) =>
        html`<div><dt>${stat.label}</dt><dd>${formatQuantity(stat.value, context.locale)}</dd></div>`,
    );
    return html`<li>${title && html`<h3>${title}</h3>`}${label && html`<p class="kpi-label">${label}</p>`}${value !== undefined && html`<p class="kpi-value">${formatQuantity(value, context.locale)}</p>`}${rows.length > 0 && html`<dl class="stats">${rows}</dl>`}</li>`;
  });
  return html`<ul class="stat-cards">${list}</ul>`;
}

function share(context: RenderContext, { items, title }: BreakdownDefinition): Html {
  const points = items.map((item) => ({
    label: nameOf(item),
    text: formatQuantity(item.value, context.locale),
    value: toNumber(item.value),
    tone: undefined,
  }));
  return drawChart(context, { type: 'donut', title, points });
}

function top(context: RenderContext, { items }: BreakdownDefinition): Html {
  context.styles.add('chart').add('bars').add('series');
  const bars = items.map((item) => ({
    label: nameOf(item),
    value: toNumber(item.value),
    text: formatQuantity(item.value, context.locale),
    hint: (item.stats ?? []).map(
      (stat) => `${stat.label}: ${formatQuantity(stat.value, context.locale)}`,
    ),
  }));
  return lyingBars(buildHtml, bars, { color: 'c-primary' });
}

function nameOf({ label, title }: BreakdownItemDefinition): string {
  return label || title || '';
}
