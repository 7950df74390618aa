import type { ChartWords } from '../charts/build.js';
import { chartWords, type RenderContext } from '../context.js';
import type { Locale } from '../format.js';
import type { PageWords } from '../words/en.js';
import { type CountGroup, countingOf } from './counts.js';
import { createLabel } from './create.js';
import { navEntries } from './navigation.js';

/** What the page script has to know beyond what stands in the page. */
export interface PageData {
  readonly locale: Locale;
  /** Names the page among others in the reader's browser (first visit or not). */
  readonly name: string;
  /** Whether the slides of the first visit open by themselves. */
  readonly welcome: boolean;
  readonly words: PageWords & ChartWords;
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
        readonly groups: readonly CountGroup[];
        /** Whether the groups are the statuses, so that a decision moves a row to another group. */
        readonly byStatus: boolean;
        readonly dateKey: string | undefined;
      }
    | undefined;
  readonly registry: string | undefined;
  readonly create: string;
  /** Key of the column that carries the status. */
  readonly statusKey: string | undefined;
}

export interface PageStatus {
  readonly key: string;
  readonly label: string;
  readonly dim: boolean;
}

export function pageData(context: RenderContext): PageData {
  const { screen, locale, words } = context;
  const { scenario, product, table, search } = screen;
  const registry = navEntries(screen).find(({ view }) => view === 'registry');
  return {
    locale,
    // An author who looks at the page all day has seen them.
    welcome: !context.preview,
    name: `${product.name}/${product.entity}`,
    words: { ...words.page, ...chartWords(context) },
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
  };
}

function pageChart(context: RenderContext): PageData['chart'] {
  const { chart, table } = context.screen;
  if (!chart || chart.source.kind === 'bars' || !table) return undefined;
  const { source, title, color } = chart;
  return {
    kind: source.kind,
    title: title || context.words.chart,
    color: `c-${color}`,
    groups: countingOf(context).groups,
    dateKey: source.kind === 'days' ? source.dateKey : undefined,
    byStatus: source.kind === 'groups' && source.groupBy === table.statusColumn?.key,
  };
}
