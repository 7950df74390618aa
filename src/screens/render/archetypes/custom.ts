import { type Html, html } from '../../../base/html.js';
import type { ScreenSection } from '../../normalise/archetype-blocks.js';
import { toneBadge, toneSign } from '../blocks/badge.js';
import { chatBody } from '../blocks/chat.js';
import { activityFeed, paragraphs } from '../blocks/prose.js';
import { scenarioCard } from '../blocks/scenario.js';
import { metricStrip, summaryChart } from '../blocks/summary-chart.js';
import { tableBlock } from '../blocks/table.js';
import { chartBody } from '../charts/drawn.js';
import type { RenderContext } from '../context.js';

const onlyOnce = new Set<ScreenSection['shown']>(['table', 'chat']);

/** Draws the sections in order. The assistant and the list appear only in the first section that includes them. */
export function custom(context: RenderContext): Html {
  const { sections } = context.screen;
  context.styles.add('custom').add('prose').add('fields').add('metrics');
  const metrics = sections.some(({ shown }) => shown === 'kpis') ? '' : metricStrip(context);
  const drawn = new Set<ScreenSection['shown']>();
  const blocks = sections.map((section, index) => {
    const repeated = onlyOnce.has(section.shown) && drawn.has(section.shown);
    drawn.add(section.shown);
    return sectionBlock(context, repeated ? { ...section, shown: 'text' } : section, index);
  });
  const items = pairCharts(context, blocks);
  return html`${metrics}<div class="sections">${items}</div>${summaryChart(context)}${scenarioCard(context)}${activityFeed(context)}`;
}

/** Puts two adjacent half-width charts into one row, so that their titles and plots are aligned. */
function pairCharts({ screen, styles }: RenderContext, blocks: readonly Html[]): readonly Html[] {
  const { sections } = screen;
  const rows: Html[] = [];
  let beside = false;
  for (let index = 0; index < blocks.length; index += 1) {
    const [block = html``, next = html``] = blocks.slice(index, index + 2);
    const isPair = !beside && isHalfChart(sections[index]) && isHalfChart(sections[index + 1]);
    rows.push(isPair ? html`<div class="section-pair">${block}${next}</div>` : block);
    if (isPair) {
      styles.add('aligned');
      index += 1;
    } else beside = !beside && sections[index]?.wide === false;
  }
  return rows;
}

function isHalfChart(section: ScreenSection | undefined): boolean {
  return section?.shown === 'chart' && !section.wide;
}

function sectionBlock(context: RenderContext, section: ScreenSection, index: number): Html {
  const { title, description, wide, shown } = section;
  const size = wide ? 'wide' : 'half';
  const pointer = context.at('/sections', index);
  const head = html`<h2>${title}</h2>${description && html`<p class="muted">${description}</p>`}`;
  const text = html`${section.body && html`<div class="prose">${paragraphs(section.body)}</div>`}${fields(section)}`;
  // The list and the metrics are already in cards.
  if (shown === 'table' || shown === 'kpis') {
    const block = shown === 'table' ? tableBlock(context) : metricStrip(context);
    return html`<section class="section ${size}"${pointer}>${head}${text}${block}</section>`;
  }
  const opening =
    shown === 'chart' ? html`<div class="section-head">${head}${text}</div>` : html`${head}${text}`;
  return html`<section class="section card ${size} ${shown}-section" data-find${pointer}>${opening}${payload(context, section)}</section>`;
}

function payload(context: RenderContext, section: ScreenSection): Html {
  if (section.shown === 'cards') return cards(context, section);
  if (section.shown === 'chart') return chart(context, section);
  if (section.shown === 'chat') return chatBody(context);
  const { description, body, fields: items = [] } = section;
  if (description || body || items.length > 0) return html``;
  return html`<p class="muted"${context.ownLang}>${context.words.empty}</p>`;
}

function fields({ fields: items = [] }: ScreenSection): Html {
  if (items.length === 0) return html``;
  const rows = items.map(({ label, value }) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`);
  return html`<dl>${rows}</dl>`;
}

function cards(context: RenderContext, { items = [] }: ScreenSection): Html {
  const list = items.map(
    ({ title, text, badge, tone }) =>
      html`<li class="${tone ? `t-${tone}` : ''}"><div class="card-head"><h3>${title}</h3>${badge ? toneBadge(context, badge, tone) : tone && toneSign(context, tone)}</div>${text && html`<p>${text}</p>`}</li>`,
  );
  return html`<ul class="cards">${list}</ul>`;
}

function chart(context: RenderContext, { chart: item, points, title }: ScreenSection): Html {
  if (!item) return html``;
  const body = chartBody(context, { ...item, points, title: item.title || title });
  return html`${item.title && html`<h3>${item.title}</h3>`}${body}`;
}
