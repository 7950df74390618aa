import { type ChartScript, type PageScript, scripts } from '#screen-assets';
import type { Archetype } from '../../normalise/archetype.js';
import type { RenderContext } from '../context.js';
import type { Words } from '../words/en.js';
import { createLabel } from './dialogs.js';

/** What the page script has to know beyond what stands in the page. */
export type PageData = ReturnType<typeof pageData>;

export function pageData(context: RenderContext) {
  const { screen, locale, known } = context;
  const { scenario, product, table, search } = screen;
  return {
    locale,
    /** Whether the slides of the first visit open by themselves; who writes the page has seen them. */
    welcome: !context.preview,
    /** Names the page among others in the reader's browser (first visit or not). */
    name: `${product.name}/${product.entity}`,
    words: scriptWords(context),
    /** 0 where one page holds every row. */
    pageSize: table?.paged ? table.pageSize : 0,
    shortcut: search.shortcut,
    statuses: screen.statuses.map(({ key, label, dim }) => ({ key, label: label || key, dim })),
    scenario: scenario && {
      control: scenario.control,
      reject: scenario.reject ?? '',
      approveTo: scenario.approved?.key,
      rejectTo: scenario.rejected?.key,
    },
    chart: pageChart(context),
    registry: known.registry === undefined ? undefined : `view-${known.registry}`,
    create: createLabel(context),
    /** Key and place of the column that carries the status. */
    statusKey: table?.statusColumn?.key,
    statusPlace: table?.columns.findIndex(({ type }) => type === 'status') ?? -1,
    /** Keys of the fields in a row's details, in their order. */
    fields: table ? screen.drawer.fields.map(({ key }) => key) : [],
  };
}

/** Those of the runtime's words that the page's own script says. */
function scriptWords(context: RenderContext) {
  const said = pageScript(context).words.map((name) => [name, context.words[name]]);
  return Object.fromEntries(said) as Words; // without those that this script never says
}

/** What a chart that counts rows has to know; other charts stay as they were drawn. */
function pageChart({ screen, counting, words }: RenderContext) {
  const { chart, table } = screen;
  if (!chart || chart.source.kind === 'bars' || !table) return undefined;
  const { source, title, unit, color } = chart;
  return {
    kind: source.kind,
    title: title || words.chartTitle,
    unit,
    color: `c-${color}`,
    /** What the rows of each bar carry, in the order of the bars. */
    groups: counting.groups.map(({ key }) => key),
    dateKey: source.kind === 'days' ? source.dateKey : undefined,
    /** Whether bars stand for statuses; else rows say which bar counts them. */
    byStatus: counting.byStatus,
  };
}

/** Archetypes whose own part of the page does something. */
const lively = new Set<Archetype>([
  'document',
  'copilot',
  'wizard',
  'calendar',
  'map',
  'inbox',
  'compare',
]);

/** The script of a page that has been drawn, without the parts that it has no use for. */
export function pageScript(context: RenderContext): PageScript {
  const { ai, archetype } = context.screen;
  const extras = ai !== undefined || lively.has(archetype);
  return scripts[`${chartScript(context)}${extras ? '+extras' : ''}`];
}

/** What the script does about charts: nothing, hints beside bars, or counting rows as well. */
function chartScript({ screen, styles }: RenderContext): ChartScript {
  if (!styles.has('chart')) return 'plain';
  const { source } = screen.chart ?? {};
  if (source === undefined || source.kind === 'bars' || !screen.table) return 'tips';
  return source.kind;
}
