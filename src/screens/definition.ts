/**
 * A screen definition as an author writes it (see docs/screens.md). Every property is as the screen
 * contract has it; lengths, counts and bounds are the schema's business and not repeated here.
 */

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

export const tones = ['ok', 'warn', 'risk', 'info'] as const;
export type Tone = (typeof tones)[number];

export const chartColors = ['blue', 'green', 'orange', 'salmon', 'pink', 'primary'] as const;
export type ChartColor = (typeof chartColors)[number];

export const languages = ['ru', 'kk', 'en'] as const;
export type Language = (typeof languages)[number];

export const columnTypes = ['text', 'num', 'date', 'status'] as const;
export type ColumnType = (typeof columnTypes)[number];

export const sectionTypes = ['text', 'cards', 'chart', 'kpis', 'table', 'chat'] as const;
export type SectionType = (typeof sectionTypes)[number];

export const artifactTypes = ['document', 'slides', 'report', 'table', 'letter'] as const;
export type ArtifactType = (typeof artifactTypes)[number];

export const fragmentOps = ['keep', 'edit', 'add', 'del'] as const;
export type FragmentOp = (typeof fragmentOps)[number];

/** A number, or a number with its wording ("12 %", "1 200"). */
export type Quantity = string | number;

export interface ScreenDefinition {
  readonly archetype?: string;
  /** Deprecated alias of `archetype`, which wins where both are given. */
  readonly layout?: string;
  readonly product: ProductDefinition;
  readonly user?: UserDefinition;
  readonly notifications?: readonly NotificationDefinition[];
  readonly steps?: StepsDefinition;
  readonly nav?: readonly NavDefinition[];
  readonly kpis?: readonly KpiDefinition[];
  readonly scenario?: ScenarioDefinition;
  readonly statuses?: Readonly<Record<string, StatusDefinition>>;
  readonly chart?: ChartDefinition;
  readonly activity?: readonly ActivityDefinition[];
  readonly table?: TableDefinition;
  readonly drawer?: DrawerDefinition;
  readonly ai?: AiDefinition;
  readonly banner?: BannerDefinition;
  readonly search?: SearchDefinition;
  readonly conclusion?: ConclusionDefinition;
  readonly compare?: CompareDefinition;
  readonly sections?: readonly SectionDefinition[];
  readonly onboarding?: readonly SlideDefinition[];
  /** Deprecated: filters derive from `statuses`. */
  readonly filterKeys?: readonly string[];
  readonly document?: DocumentDefinition;
  readonly artifact?: ArtifactDefinition;
  readonly wizard?: WizardDefinition;
  readonly inbox?: InboxDefinition;
  readonly analytics?: AnalyticsDefinition;
  readonly calendar?: CalendarDefinition;
  readonly map?: MapDefinition;
  readonly timeline?: TimelineDefinition;
  readonly dashboard?: DashboardDefinition;
  readonly width?: 'full' | 'reading';
}

export interface ProductDefinition {
  readonly name: string;
  readonly purpose?: string;
  readonly entity: string;
  readonly createLabel?: string;
  readonly primary_user?: string;
  readonly language?: Language;
  readonly view?: 'operational' | 'management';
}

export interface UserDefinition {
  readonly name?: string;
  readonly role?: string;
}

export interface NotificationDefinition {
  readonly text: string;
  readonly time?: string;
  readonly unread?: boolean;
}

export interface StepsDefinition {
  readonly items?: readonly string[];
  /** Counts from 1. */
  readonly current?: number;
}

export interface NavDefinition {
  readonly label: string;
  readonly icon?: string;
  readonly view?: 'documents' | 'registry';
  readonly docType?: string;
  readonly group?: string;
  /** Deprecated counter. */
  readonly count?: number;
}

export interface KpiDefinition {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
  readonly note?: string;
}

export interface ScenarioDefinition {
  readonly headline: string;
  readonly control: string;
  readonly reject?: string;
  readonly confirmText?: string;
  readonly aiSummary?: string;
  readonly approveTo?: string;
  readonly rejectTo?: string;
  readonly actions?: readonly string[];
}

export interface StatusDefinition {
  readonly label: string;
  readonly tone: Tone;
  readonly dim?: boolean;
}

export interface ChartDefinition {
  readonly title?: string;
  readonly total?: string;
  readonly unit?: string;
  readonly color?: ChartColor;
  readonly link?: string;
  readonly groupBy?: string;
  readonly bucket?: 'day';
  readonly dateKey?: string;
  readonly bars?: readonly BarDefinition[];
}

export interface BarDefinition {
  readonly label?: string;
  readonly value: number;
  readonly hint?: BarHintDefinition;
}

export interface BarHintDefinition {
  readonly title?: string;
  readonly rows?: readonly FieldDefinition[];
}

/** A label and its value, both ready to show. */
export interface FieldDefinition {
  readonly label: string;
  readonly value: string;
}

export interface ActivityDefinition {
  readonly title: string;
  readonly time?: string;
  readonly ago?: string;
  readonly tone?: Tone;
  readonly who?: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly link?: string;
}

export interface TableDefinition {
  readonly pageSize?: number;
  readonly columns: readonly ColumnDefinition[];
  readonly rows: readonly RowDefinition[];
}

export interface ColumnDefinition {
  readonly key: string;
  readonly label: string;
  readonly type?: ColumnType;
  readonly sub?: string;
  readonly values?: readonly string[];
  readonly source?: string;
  readonly align?: 'left' | 'right';
  readonly sortable?: boolean;
  readonly width?: string;
}

/** Cells by column key, plus `_flags` (string[]) and `_docs` (DocumentLinkDefinition[]). */
export type RowDefinition = Readonly<Record<string, unknown>>;

export interface DocumentLinkDefinition {
  readonly label: string;
  readonly type?: string;
  readonly status?: string;
  readonly format?: string;
}

export interface DrawerDefinition {
  readonly titleKey: string;
  readonly fields?: readonly DrawerFieldDefinition[];
  readonly flagsLabel?: string;
}

export interface DrawerFieldDefinition {
  readonly key: string;
  readonly label: string;
}

export interface AiDefinition {
  readonly intro?: string;
  readonly suggestions?: readonly string[];
  readonly answers?: Readonly<Record<string, string>>;
  readonly fallback?: string;
}

export interface BannerDefinition {
  readonly text?: string;
  readonly tone?: Tone;
  readonly action?: string;
  /** Counts from 0 over nav items; group headings are not counted. */
  readonly actionNav?: number;
}

export interface SearchDefinition {
  readonly placeholder?: string;
  readonly compact?: boolean;
  readonly shortcut?: boolean;
}

export interface ConclusionDefinition {
  readonly title?: string;
  readonly text: string;
}

export interface CompareDefinition {
  readonly aLabel?: string;
  readonly bLabel?: string;
  readonly pairs?: readonly ComparePairDefinition[];
}

export interface ComparePairDefinition {
  readonly label: string;
  readonly a: string;
  readonly b: string;
}

export interface SectionDefinition {
  readonly title: string;
  readonly description?: string;
  readonly body?: string;
  readonly fields?: readonly FieldDefinition[];
  readonly type?: SectionType;
  readonly width?: 'full' | 'half';
  readonly items?: readonly CardDefinition[];
  readonly chart?: AnalyticsChartDefinition;
}

export interface CardDefinition {
  readonly title: string;
  readonly text?: string;
  readonly badge?: string;
  readonly tone?: Tone;
}

export interface SlideDefinition {
  readonly icon?: string;
  readonly title: string;
  readonly text: string;
}

export interface DocumentDefinition {
  readonly title: string;
  readonly source?: string;
  readonly fragments: readonly FragmentDefinition[];
}

export interface FragmentDefinition {
  readonly heading?: string;
  readonly text: string;
  readonly was?: string;
  readonly op?: FragmentOp;
  readonly flag?: string;
}

export interface ArtifactDefinition {
  readonly type?: ArtifactType;
  readonly title: string;
  readonly version?: string;
  readonly preview: string;
  readonly actions?: readonly string[];
}

export interface WizardDefinition {
  /** Counts from 0. */
  readonly current?: number;
  readonly steps: readonly WizardStepDefinition[];
}

export interface WizardStepDefinition {
  readonly title: string;
  readonly desc?: string;
  readonly fields: readonly WizardFieldDefinition[];
}

export interface WizardFieldDefinition {
  readonly label: string;
  readonly value?: Quantity;
  readonly prefill?: boolean;
  readonly hint?: string;
}

export interface InboxDefinition {
  readonly titleKey?: string;
  readonly subKey?: string;
  readonly timeKey?: string;
  readonly bodyKey: string;
}

export interface AnalyticsDefinition {
  readonly summary?: string;
  readonly period?: string;
  readonly charts: readonly AnalyticsChartDefinition[];
  readonly findings: readonly FindingDefinition[];
}

export interface AnalyticsChartDefinition {
  readonly type: 'bar' | 'line' | 'donut';
  readonly title: string;
  readonly unit?: string;
  readonly total?: Quantity;
  readonly note?: string;
  readonly points: readonly PointDefinition[];
}

export interface PointDefinition {
  readonly label: string;
  readonly value?: Quantity;
  readonly tone?: Tone;
}

export interface FindingDefinition {
  readonly title: string;
  readonly detail?: string;
  readonly value?: Quantity;
  readonly tone?: Tone;
}

export interface CalendarDefinition {
  readonly title?: string;
  readonly range?: string;
  readonly events: readonly CalendarEventDefinition[];
}

export interface CalendarEventDefinition {
  readonly date: string;
  readonly time?: string;
  readonly title: string;
  readonly note?: string;
  readonly badge?: string;
  readonly tone?: Tone;
}

export interface MapDefinition {
  readonly title?: string;
  readonly points: readonly MapPointDefinition[];
  /** Pairs of indexes into `points`. */
  readonly lines?: readonly (readonly number[])[];
}

export interface MapPointDefinition {
  readonly label: string;
  readonly x: number;
  readonly y: number;
  readonly status?: string;
  readonly tone?: Tone;
  readonly note?: string;
}

export interface TimelineDefinition {
  readonly title?: string;
  readonly events: readonly TimelineEventDefinition[];
}

export interface TimelineEventDefinition {
  readonly time: string;
  readonly title: string;
  readonly text?: string;
  readonly actor?: string;
  readonly tone?: Tone;
  readonly current?: boolean;
}

export interface DashboardDefinition {
  readonly range?: string;
  readonly series: readonly SeriesDefinition[];
  readonly breakdowns?: readonly BreakdownDefinition[];
}

export interface SeriesDefinition {
  /** Index into `kpis`; the place in `series` where it is absent. */
  readonly kpi?: number;
  readonly title?: string;
  readonly unit?: string;
  readonly total?: Quantity;
  readonly note?: string;
  readonly points: readonly PointDefinition[];
}

export interface BreakdownDefinition {
  readonly title: string;
  readonly type: 'cards' | 'share' | 'top';
  readonly unit?: string;
  readonly note?: string;
  readonly items: readonly BreakdownItemDefinition[];
}

export interface BreakdownItemDefinition {
  readonly label?: string;
  readonly value?: Quantity;
  readonly title?: string;
  readonly stats?: readonly StatDefinition[];
}

export interface StatDefinition {
  readonly label: string;
  readonly value: Quantity;
}
