import type {
  DashboardBreakdownDefinition,
  DashboardBreakdownPartDefinition,
  MetricDefinition,
} from '#screen-definition';
import { type Html, html } from '../../../base/html.js';
import { isolateDirection } from '../../../base/text-direction.js';
import { toNumber } from '../../definition/values.js';
import type { ScreenSeries } from '../../normalise/archetype-blocks.js';
import { metric } from '../blocks/summary-chart.js';
import type { ChartItem } from '../charts/build.js';
import { lyingBars } from '../charts/columns.js';
import { buildHtml, chartTotal, colorOf, drawChart, itemsOf } from '../charts/drawn.js';
import { formatValue } from '../charts/numbers.js';
import type { RenderContext } from '../context.js';
import { formatQuantity } from '../format.js';

/** An overview: metrics with their course, and what they consist of. */
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

/** A metric; the series that belong to it are drawn below. */
function metricCard(context: RenderContext, kpi: MetricDefinition, index: number): Html {
  const { screen, at } = context;
  const [first, ...others] = (screen.dashboard?.series ?? []).flatMap((item, place) =>
    item.kpi === index ? seriesBody(context, item, place, kpi) : [],
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
  // What the metric above says already is not said again.
  const heading = title !== kpi?.label && title;
  const number = formatQuantity(total, context.locale).replaceAll('\u00a0', ' ');
  const said = [number, `${number} ${unit}`];
  const place = said.indexOf(kpi?.value.replaceAll('\u00a0', ' ') ?? '');
  const isRepeated = number !== '' && place >= 0;
  // What the metric counts is said here where it does not say so itself.
  const shownTotal = isRepeated ? undefined : total;
  const shownUnit = isRepeated && place > 0 ? undefined : unit;
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
  const place = context.at('/dashboard', 'breakdowns', index);
  const body = { cards, share, top }[type](context, item);
  return html`<section class="card breakdown"${place}><div class="card-head"><h2>${title}</h2>${unit && html`<span class="muted">${unit}</span>`}</div>${body}${note && html`<p class="kpi-note">${note}</p>`}</section>`;
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
  return lyingBars(buildHtml, parts, 'c-primary');
}

/** A part with all that it has: its title stands below its label, or in its place. */
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
