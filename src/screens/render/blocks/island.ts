import { type ChartScript, type PageScript, scripts } from '#screen-assets';
import type { Archetype } from '../../normalise/archetype.js';
import type { RenderContext } from '../context.js';
import type { Words } from '../words/en.js';
import { createLabel } from './dialogs.js';

/** Data of the page script that is not part of the visible page. */
export type PageData = ReturnType<typeof pageData>;

export function pageData(context: RenderContext) {
  const { screen, locale, known } = context;
  const { scenario, product, table, search } = screen;
  return {
    locale,
    /** True if the welcome slides open on the first visit; false in the preview. */
    welcome: !context.preview,
    /** Identifies the page in local storage, where the first visit is recorded. */
    name: `${product.name}/${product.entity}`,
    words: scriptWords(context),
    /** Number of rows per page; 0 if all rows are on one page. */
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
    /** Key and index of the status column. */
    statusKey: table?.statusColumn?.key,
    statusPlace: table?.columns.findIndex(({ type }) => type === 'status') ?? -1,
    /** Keys of the fields in a row's details, in order. */
    fields: table ? screen.drawer.fields.map(({ key }) => key) : [],
  };
}

/** Returns the interface texts that the page script reads. */
function scriptWords(context: RenderContext) {
  const used = pageScript(context).words.map((name) => [name, context.words[name]]);
  return Object.fromEntries(used) as Words; // The script reads no other keys.
}

/** Returns the data of a chart that counts rows. Other charts never change. */
function pageChart({ screen, counting, words }: RenderContext) {
  const { chart, table } = screen;
  if (!chart || chart.source.kind === 'bars' || !table) return undefined;
  const { source, title, unit, color } = chart;
  return {
    kind: source.kind,
    title: title || words.chartTitle,
    unit,
    color: `c-${color}`,
    /** Keys of the groups, in the order of the bars. */
    groups: counting.groups.map(({ key }) => key),
    dateKey: source.kind === 'days' ? source.dateKey : undefined,
    /** True if the bars are statuses. Otherwise, each row has the key of its group. */
    byStatus: counting.byStatus,
  };
}

/** Archetypes whose body needs a script. */
const scripted = new Set<Archetype>([
  'document',
  'copilot',
  'wizard',
  'calendar',
  'map',
  'inbox',
  'compare',
]);

/** Returns the page script with the features that the page needs. The page must have been drawn before. */
export function pageScript(context: RenderContext): PageScript {
  const { ai, archetype } = context.screen;
  const extras = ai !== undefined || scripted.has(archetype);
  return scripts[`${chartScript(context)}${extras ? '+extras' : ''}`];
}

/** Returns the chart features of the script: none, tooltips, or tooltips and counted rows. */
function chartScript({ screen, styles }: RenderContext): ChartScript {
  if (!styles.has('chart')) return 'plain';
  const { source } = screen.chart ?? {};
  if (source === undefined || source.kind === 'bars' || !screen.table) return 'tips';
  return source.kind;
}
