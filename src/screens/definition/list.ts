import type { ChartColor, ColumnType, FieldDefinition, Tone } from './vocabulary.js';

// The work itself: metrics, scenario, statuses, chart, list, drawer, activity.

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
