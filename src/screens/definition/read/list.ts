import {
  type ActivityDefinition,
  type BarDefinition,
  type BarHintDefinition,
  type ChartDefinition,
  type ColumnDefinition,
  chartColors,
  columnTypes,
  type DocumentLinkDefinition,
  type DrawerDefinition,
  type DrawerFieldDefinition,
  type KpiDefinition,
  type ScenarioDefinition,
  type StatusDefinition,
  type TableDefinition,
} from '../definition.js';
import { flag, list, number, oneOf, openObject, type Reader, record, text } from '../readers.js';
import { field, texts, tone } from './vocabulary.js';

// Readers of the work itself: metrics, scenario, statuses, chart, list, drawer, activity.

export const kpi = record<KpiDefinition>({ value: text, label: text, hint: text, note: text }, [
  'value',
  'label',
]);

export const scenario = record<ScenarioDefinition>(
  {
    headline: text,
    control: text,
    reject: text,
    confirmText: text,
    aiSummary: text,
    approveTo: text,
    rejectTo: text,
    actions: texts,
  },
  ['headline', 'control'],
);

export const status: Reader<StatusDefinition> = {
  ...record<StatusDefinition>({ label: text, tone, dim: flag }, ['label', 'tone']),
  empty: { label: '', tone: 'info' },
};

const bar = record<BarDefinition>(
  {
    label: text,
    value: number,
    hint: record<BarHintDefinition>({ title: text, rows: list(field) }),
  },
  ['value'],
);

export const chart = record<ChartDefinition>({
  title: text,
  total: text,
  unit: text,
  color: oneOf(chartColors),
  link: text,
  groupBy: text,
  bucket: oneOf(['day']),
  dateKey: text,
  bars: list(bar),
});

export const activity = record<ActivityDefinition>(
  {
    title: text,
    time: text,
    ago: text,
    tone,
    who: text,
    tags: texts,
    summary: text,
    link: text,
  },
  ['title'],
);

const column = record<ColumnDefinition>(
  {
    key: text,
    label: text,
    type: oneOf(columnTypes),
    sub: text,
    values: texts,
    source: text,
    align: oneOf(['left', 'right']),
    sortable: flag,
    width: text,
  },
  ['key', 'label'],
);

export const table = record<TableDefinition>(
  { pageSize: number, columns: list(column), rows: list(openObject) },
  ['columns', 'rows'],
);

export const drawer = record<DrawerDefinition>(
  {
    titleKey: text,
    fields: list(record<DrawerFieldDefinition>({ key: text, label: text }, ['key', 'label'])),
    flagsLabel: text,
  },
  ['titleKey'],
);

const documentLinks = list(
  record<DocumentLinkDefinition>({ label: text, type: text, status: text, format: text }, [
    'label',
  ]),
);

/** The agent's checks of a row. */
export function readFlags(value: unknown): readonly string[] {
  return texts.read(value) ?? [];
}

/** The output documents of a row. */
export function readDocumentLinks(value: unknown): readonly DocumentLinkDefinition[] {
  return documentLinks.read(value) ?? [];
}
