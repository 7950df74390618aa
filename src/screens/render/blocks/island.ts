import type { ChartWords } from '../charts/build.js';
import { chartWords, type RenderContext } from '../context.js';
import type { Locale } from '../format.js';
import { pageScript } from '../page-script.js';
import type { PageWords } from '../words/en.js';
import { countingOf } from './counts.js';
import { createLabel } from './create.js';
import { navEntries } from './navigation.js';

/** Everything that the page script can say; a page brings what its own script does say. */
type ScriptWords = PageWords & { readonly chart: ChartWords };

/** What the page script has to know beyond what stands in the page. */
export interface PageData {
  readonly locale: Locale;
  /** Names the page among others in the reader's browser (first visit or not). */
  readonly name: string;
  /** Whether the slides of the first visit open by themselves. */
  readonly welcome: boolean;
  readonly words: ScriptWords;
  readonly pageSize: number;
  readonly shortcut: boolean;
  readonly statuses: readonly PageStatus[];
  readonly scenario:
    | {
        readonly control: string;
        readonly reject: string;
        readonly approveTo: string | undefined;
        readonly rejectTo: string | undefined;
      }
    | undefined;
  readonly chart:
    | {
        readonly kind: 'days' | 'groups';
        readonly title: string;
        readonly color: string;
        /** What the rows of each bar carry, in the order of the bars. */
        readonly groups: readonly string[];
        /** Whether bars stand for statuses; else rows say which bar counts them. */
        readonly byStatus: boolean;
        readonly dateKey: string | undefined;
      }
    | undefined;
  readonly registry: string | undefined;
  readonly create: string;
  /** Key and place of the column that carries the status. */
  readonly statusKey: string | undefined;
  readonly statusPlace: number;
  /** Keys of the fields in a row's details, in their order. */
  readonly fields: readonly string[];
}

export interface PageStatus {
  readonly key: string;
  readonly label: string;
  readonly dim: boolean;
}

export function pageData(context: RenderContext): PageData {
  const { screen, locale } = context;
  const { scenario, product, table, search } = screen;
  const registry = navEntries(screen).find(({ view }) => view === 'registry');
  return {
    locale,
    // An author who looks at the page all day has seen them.
    welcome: !context.preview,
    name: `${product.name}/${product.entity}`,
    words: scriptWords(context),
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
    registry: registry && `view-${registry.index}`,
    create: createLabel(context),
    statusKey: table?.statusColumn?.key,
    statusPlace: table?.columns.findIndex(({ type }) => type === 'status') ?? -1,
    fields: table ? screen.drawer.fields.map(({ key }) => key) : [],
  };
}

function scriptWords(context: RenderContext): ScriptWords {
  const all: ScriptWords = { ...context.words.page, chart: chartWords(context) };
  const said = pageScript(context).words.map((name) => [name, all[name]]);
  return Object.fromEntries(said) as ScriptWords; // without those that this script never says
}

function pageChart(context: RenderContext): PageData['chart'] {
  const { chart, table } = context.screen;
  if (!chart || chart.source.kind === 'bars' || !table) return undefined;
  const { source, title, color } = chart;
  return {
    kind: source.kind,
    title: title || context.words.chart,
    color: `c-${color}`,
    groups: countingOf(context).groups.map(({ key }) => key),
    dateKey: source.kind === 'days' ? source.dateKey : undefined,
    byStatus: countingOf(context).byStatus,
  };
}
