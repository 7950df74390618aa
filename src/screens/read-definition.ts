import {
  type ActivityDefinition,
  type AiDefinition,
  type AnalyticsChartDefinition,
  type AnalyticsDefinition,
  type ArtifactDefinition,
  artifactTypes,
  type BannerDefinition,
  type BarDefinition,
  type BarHintDefinition,
  type BreakdownDefinition,
  type BreakdownItemDefinition,
  type CalendarDefinition,
  type CalendarEventDefinition,
  type CardDefinition,
  type ChartDefinition,
  type ColumnDefinition,
  type CompareDefinition,
  type ComparePairDefinition,
  type ConclusionDefinition,
  chartColors,
  columnTypes,
  type DashboardDefinition,
  type DocumentDefinition,
  type DocumentLinkDefinition,
  type DrawerDefinition,
  type DrawerFieldDefinition,
  type FieldDefinition,
  type FindingDefinition,
  type FragmentDefinition,
  fragmentOps,
  type InboxDefinition,
  type KpiDefinition,
  languages,
  type MapDefinition,
  type MapPointDefinition,
  type NavDefinition,
  type NotificationDefinition,
  type PointDefinition,
  type ProductDefinition,
  type ScenarioDefinition,
  type ScreenDefinition,
  type SearchDefinition,
  type SectionDefinition,
  type SeriesDefinition,
  type SlideDefinition,
  type StatDefinition,
  type StatusDefinition,
  type StepsDefinition,
  sectionTypes,
  type TableDefinition,
  type TimelineDefinition,
  type TimelineEventDefinition,
  tones,
  type UserDefinition,
  type WizardDefinition,
  type WizardFieldDefinition,
  type WizardStepDefinition,
} from './definition.js';
import {
  dictionary,
  flag,
  list,
  number,
  oneOf,
  openObject,
  quantity,
  type Reader,
  record,
  text,
} from './readers.js';

const texts = list(text);
const tone = oneOf(tones);

const field = record<FieldDefinition>({ label: text, value: text }, ['label', 'value']);

const point = record<PointDefinition>({ label: text, value: quantity, tone }, ['label']);

const product = record<ProductDefinition>(
  {
    name: text,
    purpose: text,
    entity: text,
    createLabel: text,
    primary_user: text,
    language: oneOf(languages),
    view: oneOf(['operational', 'management']),
  },
  ['name', 'entity'],
);

const nav = record<NavDefinition>(
  {
    label: text,
    icon: text,
    view: oneOf(['documents', 'registry']),
    docType: text,
    group: text,
    count: number,
  },
  ['label'],
);

const kpi = record<KpiDefinition>({ value: text, label: text, hint: text, note: text }, [
  'value',
  'label',
]);

const scenario = record<ScenarioDefinition>(
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

const status: Reader<StatusDefinition> = {
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

const chart = record<ChartDefinition>({
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

const activity = record<ActivityDefinition>(
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

const table = record<TableDefinition>(
  { pageSize: number, columns: list(column), rows: list(openObject) },
  ['columns', 'rows'],
);

const drawer = record<DrawerDefinition>(
  {
    titleKey: text,
    fields: list(record<DrawerFieldDefinition>({ key: text, label: text }, ['key', 'label'])),
    flagsLabel: text,
  },
  ['titleKey'],
);

const analyticsChart = record<AnalyticsChartDefinition>(
  {
    type: oneOf(['bar', 'line', 'donut']),
    title: text,
    unit: text,
    total: quantity,
    note: text,
    points: list(point),
  },
  ['type', 'title', 'points'],
);

const card = record<CardDefinition>({ title: text, text, badge: text, tone }, ['title']);

const section = record<SectionDefinition>(
  {
    title: text,
    description: text,
    body: text,
    fields: list(field),
    type: oneOf(sectionTypes),
    width: oneOf(['full', 'half']),
    items: list(card),
    chart: analyticsChart,
  },
  ['title'],
);

const fragment = record<FragmentDefinition>(
  { heading: text, text, was: text, op: oneOf(fragmentOps), flag: text },
  ['text'],
);

const wizardField = record<WizardFieldDefinition>(
  { label: text, value: quantity, prefill: flag, hint: text },
  ['label'],
);

const wizardStep = record<WizardStepDefinition>(
  { title: text, desc: text, fields: list(wizardField) },
  ['title', 'fields'],
);

const finding = record<FindingDefinition>({ title: text, detail: text, value: quantity, tone }, [
  'title',
]);

const calendarEvent = record<CalendarEventDefinition>(
  { date: text, time: text, title: text, note: text, badge: text, tone },
  ['date', 'title'],
);

const mapPoint = record<MapPointDefinition>(
  { label: text, x: number, y: number, status: text, tone, note: text },
  ['label', 'x', 'y'],
);

const timelineEvent = record<TimelineEventDefinition>(
  { time: text, title: text, text, actor: text, tone, current: flag },
  ['time', 'title'],
);

const series = record<SeriesDefinition>(
  { kpi: number, title: text, unit: text, total: quantity, note: text, points: list(point) },
  ['points'],
);

const breakdownItem = record<BreakdownItemDefinition>({
  label: text,
  value: quantity,
  title: text,
  stats: list(record<StatDefinition>({ label: text, value: quantity }, ['label', 'value'])),
});

const breakdown = record<BreakdownDefinition>(
  {
    title: text,
    type: oneOf(['cards', 'share', 'top']),
    unit: text,
    note: text,
    items: list(breakdownItem),
  },
  ['title', 'type', 'items'],
);

const definition = record<ScreenDefinition>(
  {
    archetype: text,
    layout: text,
    product,
    user: record<UserDefinition>({ name: text, role: text }),
    notifications: list(
      record<NotificationDefinition>({ text, time: text, unread: flag }, ['text']),
    ),
    steps: record<StepsDefinition>({ items: texts, current: number }),
    nav: list(nav),
    kpis: list(kpi),
    scenario,
    statuses: dictionary(status),
    chart,
    activity: list(activity),
    table,
    drawer,
    ai: record<AiDefinition>({
      intro: text,
      suggestions: texts,
      answers: dictionary(text),
      fallback: text,
    }),
    banner: record<BannerDefinition>({ text, tone, action: text, actionNav: number }),
    search: record<SearchDefinition>({ placeholder: text, compact: flag, shortcut: flag }),
    conclusion: record<ConclusionDefinition>({ title: text, text }, ['text']),
    compare: record<CompareDefinition>({
      aLabel: text,
      bLabel: text,
      pairs: list(
        record<ComparePairDefinition>({ label: text, a: text, b: text }, ['label', 'a', 'b']),
      ),
    }),
    sections: list(section),
    onboarding: list(record<SlideDefinition>({ icon: text, title: text, text }, ['title', 'text'])),
    filterKeys: texts,
    document: record<DocumentDefinition>({ title: text, source: text, fragments: list(fragment) }, [
      'title',
      'fragments',
    ]),
    artifact: record<ArtifactDefinition>(
      { type: oneOf(artifactTypes), title: text, version: text, preview: text, actions: texts },
      ['title', 'preview'],
    ),
    wizard: record<WizardDefinition>({ current: number, steps: list(wizardStep) }, ['steps']),
    inbox: record<InboxDefinition>({ titleKey: text, subKey: text, timeKey: text, bodyKey: text }, [
      'bodyKey',
    ]),
    analytics: record<AnalyticsDefinition>(
      { summary: text, period: text, charts: list(analyticsChart), findings: list(finding) },
      ['charts', 'findings'],
    ),
    calendar: record<CalendarDefinition>(
      { title: text, range: text, events: list(calendarEvent) },
      ['events'],
    ),
    map: record<MapDefinition>({ title: text, points: list(mapPoint), lines: list(list(number)) }, [
      'points',
    ]),
    timeline: record<TimelineDefinition>({ title: text, events: list(timelineEvent) }, ['events']),
    dashboard: record<DashboardDefinition>(
      { range: text, series: list(series), breakdowns: list(breakdown) },
      ['series'],
    ),
    width: oneOf(['full', 'reading']),
  },
  ['product'],
);

const documentLinks = list(
  record<DocumentLinkDefinition>({ label: text, type: text, status: text, format: text }, [
    'label',
  ]),
);

/**
 * What can be used of a parsed JSON document, as a definition. A valid document comes back as it is
 * (unknown properties left out); of any other, parts of the wrong kind are missing or empty.
 */
export function readDefinition(value: unknown): ScreenDefinition {
  return definition.read(value) ?? definition.empty;
}

/** The agent's checks of a row. */
export function readFlags(value: unknown): readonly string[] {
  return texts.read(value) ?? [];
}

/** The output documents of a row. */
export function readDocumentLinks(value: unknown): readonly DocumentLinkDefinition[] {
  return documentLinks.read(value) ?? [];
}
