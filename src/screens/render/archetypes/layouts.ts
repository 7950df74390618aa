import { type Html, html } from '../../../base/html.js';
import type { Archetype } from '../../normalise/archetype.js';
import { activityFeed } from '../blocks/prose.js';
import { scenarioCard } from '../blocks/scenario.js';
import { metricStrip, summaryChart } from '../blocks/summary-chart.js';
import { tableBlock } from '../blocks/table.js';
import type { RenderContext } from '../context.js';
import { calendar, timeline } from './calendar.js';
import { custom } from './custom.js';
import { analytics, dashboard } from './dashboard.js';
import { copilot, documentReview } from './document.js';
import { schematicMap } from './map.js';
import { compare, inbox } from './master-detail.js';
import { wizard } from './wizard.js';

type Block = (context: RenderContext) => Html;

/** Contents of the home view between the metrics and the conclusion, by archetype. */
const bodies: Readonly<Record<Archetype, Block>> = {
  queue: below(tableBlock),
  cockpit,
  dashboard: above(dashboard),
  compare: below(compare),
  custom,
  document: beside(documentReview),
  copilot: above(copilot),
  wizard: beside(wizard),
  inbox: below(inbox),
  analytics: above(analytics),
  calendar: beside(calendar),
  map: above(schematicMap),
  timeline: beside(timeline),
};

/** Archetypes whose body contains the metrics. */
const withOwnMetrics = new Set<Archetype>(['dashboard', 'custom']);

/** Draws the body of the archetype. The metrics precede it, unless the body contains them. */
export function homeBody(context: RenderContext): Html {
  const { archetype } = context.screen;
  const metrics = withOwnMetrics.has(archetype) ? '' : metricStrip(context);
  return html`${metrics}${bodies[archetype](context)}`;
}

/** Draws the summary chart beside the scenario. */
function lead(context: RenderContext): Html {
  return columns(context, summaryChart(context), scenarioCard(context));
}

/** Returns a body with the block at full width below the chart and the scenario. */
function below(block: Block): Block {
  return (context) => html`${lead(context)}${block(context)}${activityFeed(context)}`;
}

/** Returns a body with the block at full width above the chart and the scenario. */
function above(block: Block): Block {
  return (context) => html`${block(context)}${lead(context)}${activityFeed(context)}`;
}

/** Returns a body with the scenario and the feed beside the block. */
function beside(block: Block): Block {
  return (context) => {
    const main = html`${block(context)}${summaryChart(context)}`;
    return columns(context, main, html`${scenarioCard(context)}${activityFeed(context)}`);
  };
}

/** Draws the chart and the scenario, and below them the list beside the activity. */
function cockpit(context: RenderContext): Html {
  const list = columns(context, tableBlock(context), activityFeed(context), 'columns-2 wide');
  return html`${lead(context)}${list}`;
}

/** Draws two columns, the wide one first. If one is empty, the other uses the full width. */
function columns({ styles }: RenderContext, main: Html, side: Html, className = 'columns-2'): Html {
  if (side.text === '') return main;
  if (main.text === '') return side;
  styles.add('columns');
  return html`<div class="${className}"><div class="stack">${main}</div><div class="stack">${side}</div></div>`;
}
