import type {
  ArtifactType,
  FieldDefinition,
  FragmentOp,
  PointDefinition,
  Quantity,
  SectionType,
  Tone,
} from './vocabulary.js';

// What only one archetype draws from.

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
