import type { MetricDefinition, SummaryChartBarDefinition } from '#screen-definition';
import { type Html, html } from '../../../base/html.js';
import { isolateDirection } from '../../../base/text-direction.js';
import type { Archetype } from '../../normalise/archetype.js';
import type { ScreenChart } from '../../normalise/chart.js';
import type { Screen } from '../../normalise/normalise.js';
import type { ChartItem } from '../charts/build.js';
import { countDays, dayRanges, latestDay } from '../charts/days.js';
import { drawChart, endsWithUnit } from '../charts/drawn.js';
import { formatValue } from '../charts/numbers.js';
import { maxBars, type RenderContext } from '../context.js';
import type { Locale } from '../format.js';

export function summaryChart(context: RenderContext): Html {
  const { screen, words, at, ownLang } = context;
  const { chart } = screen;
  if (!chart) return html``;
  const title = chart.title || words.chartTitle;
  const items = chartItems(context, chart);
  const color = `c-${chart.color}`;
  const drawing = drawChart(context, { type: 'bar', title, items, unit: chart.unit, color });
  return html`<section class="card chart" id="chart"${at('/chart')}>
<div class="card-head"><h2${chart.title ? '' : ownLang}>${title}</h2>${chartLink(context, chart)}</div>
${totalLine(context, chart)}${listPosition(screen) === 'registry' ? rangeFilter(context) : ''}
<div id="chart-plot" class="chart-plot">${drawing}</div></section>`;
}

function totalLine({ at }: RenderContext, { total, unit }: ScreenChart): Html {
  if (!total && !unit) return html``;
  const number = total && html`<strong${at('/chart/total')}>${total}</strong> `;
  const hasUnit = unit !== undefined && total !== undefined && endsWithUnit(total, unit);
  return html`<p class="chart-total">${number}${unit && !hasUnit && html`<span${at('/chart/unit')}>${unit}</span>`}</p>`;
}

/** Draws the chart's link to the registry, or to the list below the chart if there is no registry. */
function chartLink({ screen, at, sprite, known }: RenderContext, { link }: ScreenChart): Html {
  if (!link) return html``;
  if (!screen.table) return html`<span class="muted"${at('/chart/link')}>${link}</span>`;
  const target = known.registry === undefined ? 'list' : `view-${known.registry}`;
  return html`<a class="more" href="#${target}"${at('/chart/link')}>${link}${sprite.icon('chevron-right')}</a>`;
}

function chartItems(
  { screen, counting, locale }: RenderContext,
  { source }: ScreenChart,
): readonly ChartItem[] {
  if (source.kind === 'groups') return counting.groups;
  if (source.kind === 'bars')
    return source.bars.slice(0, maxBars).map((bar) => barItem(bar, locale));
  const days = (screen.table?.rows ?? []).map(counting.dayOf);
  const latest = latestDay(days);
  return latest === undefined ? [] : countDays(days, 0, latest, locale);
}

/** Converts a bar to a chart item. The lines of its hint appear as written. */
function barItem(
  { label = '', value, hint }: SummaryChartBarDefinition,
  locale: Locale,
): ChartItem {
  const lines = hint
    ? [
        hint.title,
        ...(hint.rows ?? []).map(
          (row) => `${isolateDirection(row.label)}: ${isolateDirection(row.value)}`,
        ),
      ]
    : [];
  return {
    label,
    value,
    text: formatValue(value, locale),
    hint: lines.flatMap((line) => line || []),
  };
}

/**
 * Draws the date range filter of a chart by days, which applies to the chart and the list. It is above the list. If the
 * list is in a different view, it is in the chart, too.
 */
export function rangeFilter({ screen, words, say, ownLang, styles }: RenderContext): Html {
  if (screen.chart?.source.kind !== 'days') return html``;
  styles.add('segments');
  const buttons = dayRanges.map((days) => {
    const label = days === 0 ? words.allTime : say(words.days, { n: days });
    return html`<button type="button" data-range="${days}" aria-pressed="${days === 0 ? 'true' : 'false'}">${label}</button>`;
  });
  return html`<div class="segments js-only" role="group" aria-label="${words.period}"${ownLang}>${buttons}</div>`;
}

/** Archetypes whose layout includes the list. */
const withOwnList = new Set<Archetype>(['queue', 'cockpit', 'compare', 'inbox']);

/**
 * Returns the position of the list: `body` for the archetype's body or a section, `registry` for the registry, or
 * `home` for the end of the home view.
 */
export function listPosition({ archetype, sections, nav }: Screen): 'body' | 'home' | 'registry' {
  const inSection = archetype === 'custom' && sections.some(({ shown }) => shown === 'table');
  if (withOwnList.has(archetype) || inSection) return 'body';
  const registry = nav.some(({ items }) => items.some(({ view }) => view === 'registry'));
  return registry ? 'registry' : 'home';
}

/** Draws the metrics in a strip. */
export function metricStrip({ screen, words, at, ownLang, styles }: RenderContext): Html {
  if (screen.kpis.length === 0) return html``;
  styles.add('metrics');
  const items = screen.kpis.map(
    (kpi, index) => html`<div class="kpi"${at('/kpis', index)}>${metric(kpi)}</div>`,
  );
  return html`<section class="kpis"${at('/kpis')}><h2 class="vh"${ownLang}>${words.metrics}</h2>${items}</section>`;
}

/** Draws a metric: its label, value, hint and note. */
export function metric({ label, value, hint, note }: MetricDefinition): Html {
  return html`<p class="kpi-label">${label}</p><p class="kpi-value">${value}</p>${hint && html`<p class="kpi-hint">${hint}</p>`}${note && html`<p class="kpi-note">${note}</p>`}`;
}
