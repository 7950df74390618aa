import type { MetricDefinition } from '#screen-definition';
import { type Html, html } from '../../../base/html.js';
import type { RenderContext } from '../context.js';

/** The metric strip. A note stands beside its number, never behind a click. */
export function metricStrip({ screen, words, at, ownLang, styles }: RenderContext): Html {
  if (screen.kpis.length === 0) return html``;
  styles.add('metrics');
  const items = screen.kpis.map(
    (kpi, index) => html`<div class="kpi"${at('/kpis', index)}>${metric(kpi)}</div>`,
  );
  return html`<section class="kpis"${at('/kpis')}><h2 class="vh"${ownLang}>${words.metrics}</h2>${items}</section>`;
}

/** One metric: the number with its label, what it counts, and what it is not. */
export function metric({ label, value, hint, note }: MetricDefinition): Html {
  return html`<p class="kpi-label">${label}</p><p class="kpi-value">${value}</p>${hint && html`<p class="kpi-hint">${hint}</p>`}${note && html`<p class="kpi-note">${note}</p>`}`;
}
