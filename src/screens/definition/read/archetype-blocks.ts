import {
  type AnalyticsChartDefinition,
  type AnalyticsDefinition,
  type ArtifactDefinition,
  artifactTypes,
  type BreakdownDefinition,
  type BreakdownItemDefinition,
  type CalendarDefinition,
  type CalendarEventDefinition,
  type CardDefinition,
  type CompareDefinition,
  type ComparePairDefinition,
  type DashboardDefinition,
  type DocumentDefinition,
  type FindingDefinition,
  type FragmentDefinition,
  fragmentOps,
  type InboxDefinition,
  type MapDefinition,
  type MapPointDefinition,
  type SectionDefinition,
  type SeriesDefinition,
  type StatDefinition,
  sectionTypes,
  type TimelineDefinition,
  type TimelineEventDefinition,
  type WizardDefinition,
  type WizardFieldDefinition,
  type WizardStepDefinition,
} from '../definition.js';
import { flag, list, number, oneOf, quantity, record, text } from '../readers.js';
import { field, point, texts, tone } from './vocabulary.js';

// Readers of what only one archetype draws from.

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

export const section = record<SectionDefinition>(
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

export const compare = record<CompareDefinition>({
  aLabel: text,
  bLabel: text,
  pairs: list(
    record<ComparePairDefinition>({ label: text, a: text, b: text }, ['label', 'a', 'b']),
  ),
});

export const documentReview = record<DocumentDefinition>(
  { title: text, source: text, fragments: list(fragment) },
  ['title', 'fragments'],
);

export const artifact = record<ArtifactDefinition>(
  { type: oneOf(artifactTypes), title: text, version: text, preview: text, actions: texts },
  ['title', 'preview'],
);

export const wizard = record<WizardDefinition>({ current: number, steps: list(wizardStep) }, [
  'steps',
]);

export const inbox = record<InboxDefinition>(
  { titleKey: text, subKey: text, timeKey: text, bodyKey: text },
  ['bodyKey'],
);

export const analytics = record<AnalyticsDefinition>(
  { summary: text, period: text, charts: list(analyticsChart), findings: list(finding) },
  ['charts', 'findings'],
);

export const calendar = record<CalendarDefinition>(
  { title: text, range: text, events: list(calendarEvent) },
  ['events'],
);

export const schematicMap = record<MapDefinition>(
  { title: text, points: list(mapPoint), lines: list(list(number)) },
  ['points'],
);

export const timeline = record<TimelineDefinition>({ title: text, events: list(timelineEvent) }, [
  'events',
]);

export const dashboard = record<DashboardDefinition>(
  { range: text, series: list(series), breakdowns: list(breakdown) },
  ['series'],
);
