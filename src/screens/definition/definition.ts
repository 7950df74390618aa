import type {
  DocumentFragmentDefinition,
  FreeSectionDefinition,
  ProductDefinition,
  SummaryChartDefinition,
  TableColumnDefinition,
} from '#screen-definition';

// What the code calls the parts of a screen definition as an author writes it (see docs/screens.md).
// The types come from the screen contract; lengths, counts and bounds are the schema's business.

export type {
  AnalyticsDefinition,
  AnalyticsFindingDefinition as FindingDefinition,
  CalendarDefinition,
  CalendarEventDefinition,
  ChartDefinition as AnalyticsChartDefinition,
  ChartPointDefinition as PointDefinition,
  ComparePairDefinition,
  DashboardBreakdownDefinition as BreakdownDefinition,
  DashboardBreakdownPartDefinition as BreakdownItemDefinition,
  DashboardDefinition,
  DashboardSeriesDefinition as SeriesDefinition,
  DocumentFragmentDefinition as FragmentDefinition,
  DrawerDefinition,
  DrawerFieldDefinition,
  FreeSectionDefinition as SectionDefinition,
  MapDefinition,
  MapPointDefinition,
  MetricDefinition as KpiDefinition,
  ProductDefinition,
  ScenarioDefinition,
  ScreenDefinition,
  SectionDefinition as NavDefinition,
  SlideDefinition,
  StatusesStatusDefinition as StatusDefinition,
  SummaryChartBarDefinition as BarDefinition,
  SummaryChartDefinition as ChartDefinition,
  TableColumnDefinition as ColumnDefinition,
  TableRowDefinition as RowDefinition,
  TableRowDocumentDefinition as DocumentLinkDefinition,
  TimelineDefinition,
  TimelineEventDefinition,
  Tone,
  WizardDefinition,
  WizardStepDefinition,
  WizardStepFieldDefinition as WizardFieldDefinition,
} from '#screen-definition';

export type ChartColor = NonNullable<SummaryChartDefinition['color']>;
export type ColumnType = NonNullable<TableColumnDefinition['type']>;
export type FragmentOp = NonNullable<DocumentFragmentDefinition['op']>;
export type Language = NonNullable<ProductDefinition['language']>;
export type SectionType = NonNullable<FreeSectionDefinition['type']>;

/** A number, or a number with its wording ("12 %", "1 200"). */
export type Quantity = string | number;

/** Archetypes that the runtime knows how to lay out. The registry of ids is open. */
export const archetypes = [
  'queue',
  'cockpit',
  'dashboard',
  'compare',
  'custom',
  'document',
  'copilot',
  'wizard',
  'inbox',
  'analytics',
  'calendar',
  'map',
  'timeline',
] as const;
export type Archetype = (typeof archetypes)[number];
