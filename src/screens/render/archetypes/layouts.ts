import type { Archetype } from '../../definition/definition.js';
import { columns } from '../blocks/columns.js';
import { metricStrip } from '../blocks/metrics.js';
import { activityFeed } from '../blocks/prose.js';
import { scenarioCard } from '../blocks/scenario.js';
import { summaryChart } from '../blocks/summary-chart.js';
import { tableBlock } from '../blocks/table.js';
import type { RenderContext } from '../context.js';
import { type Html, html } from '../html.js';
import { analytics } from './analytics.js';
import { calendar } from './calendar.js';
import { compare } from './compare.js';
import { copilot } from './copilot.js';
import { custom } from './custom.js';
import { dashboard } from './dashboard.js';
import { documentReview } from './document.js';
import { inbox } from './inbox.js';
import { schematicMap } from './map.js';
import { timeline } from './timeline.js';
import { wizard } from './wizard.js';

/** How an archetype lays the blocks of the home view out. */
export interface Layout {
  /** What stands in the middle, below the metrics. */
  readonly body: (context: RenderContext) => Html;
  /** Whether the body itself shows the metrics. */
  readonly ownMetrics?: boolean;
}

function queue(context: RenderContext): Html {
  const lead = columns(context, summaryChart(context), scenarioCard(context));
  return html`${lead}${tableBlock(context)}${activityFeed(context)}`;
}

/** The decision first, then the list with what happens around it. */
function cockpit(context: RenderContext): Html {
  const lead = columns(context, summaryChart(context), scenarioCard(context));
  return html`${lead}${columns(context, tableBlock(context), activityFeed(context), 'columns-2 wide')}`;
}

/** The archetype's own block with the scenario and the feed beside it. */
function beside(body: (context: RenderContext) => Html): (context: RenderContext) => Html {
  return (context) =>
    columns(
      context,
      html`${body(context)}${summaryChart(context)}`,
      html`${scenarioCard(context)}${activityFeed(context)}`,
    );
}

/** A list with a reading pane, where the decision is taken; what the agent did stands above it. */
function reading(body: (context: RenderContext) => Html): (context: RenderContext) => Html {
  return (context) =>
    html`${columns(context, summaryChart(context), scenarioCard(context))}${body(context)}${activityFeed(context)}`;
}

/** The archetype's own block over the full width; chart, scenario and feed follow. */
function above(body: (context: RenderContext) => Html): (context: RenderContext) => Html {
  return (context) =>
    html`${body(context)}${columns(context, summaryChart(context), scenarioCard(context))}${activityFeed(context)}`;
}

/** Every archetype's layout. */
const layouts: Readonly<Record<Archetype, Layout>> = {
  queue: { body: queue },
  cockpit: { body: cockpit },
  dashboard: { body: dashboard, ownMetrics: true },
  compare: { body: reading(compare) },
  custom: { body: custom, ownMetrics: true },
  document: { body: beside(documentReview) },
  copilot: { body: above(copilot) },
  wizard: { body: beside(wizard) },
  inbox: { body: reading(inbox) },
  analytics: { body: above(analytics) },
  calendar: { body: beside(calendar) },
  map: { body: above(schematicMap) },
  timeline: { body: beside(timeline) },
};

/** Metrics where the layout has them, then the archetype's own body. */
export function homeBody(context: RenderContext): Html {
  const { body, ownMetrics = false } = layouts[context.screen.archetype];
  return html`${ownMetrics ? '' : metricStrip(context)}${body(context)}`;
}
