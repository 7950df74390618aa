import type { ScreenDefinition } from '../definition.js';
import { dictionary, list, oneOf, record, text } from '../readers.js';
import {
  analytics,
  artifact,
  calendar,
  compare,
  dashboard,
  documentReview,
  inbox,
  schematicMap,
  section,
  timeline,
  wizard,
} from './archetype-blocks.js';
import {
  ai,
  banner,
  conclusion,
  nav,
  notifications,
  onboarding,
  product,
  search,
  steps,
  user,
} from './frame.js';
import { activity, chart, drawer, kpi, scenario, status, table } from './list.js';
import { texts } from './vocabulary.js';

const definition = record<ScreenDefinition>(
  {
    archetype: text,
    layout: text,
    product,
    user,
    notifications,
    steps,
    nav: list(nav),
    kpis: list(kpi),
    scenario,
    statuses: dictionary(status),
    chart,
    activity: list(activity),
    table,
    drawer,
    ai,
    banner,
    search,
    conclusion,
    compare,
    sections: list(section),
    onboarding,
    filterKeys: texts,
    document: documentReview,
    artifact,
    wizard,
    inbox,
    analytics,
    calendar,
    map: schematicMap,
    timeline,
    dashboard,
    width: oneOf(['full', 'reading']),
  },
  ['product'],
);

/**
 * What can be used of a parsed JSON document, as a definition. A valid document comes back as it is
 * (unknown properties left out); of any other, parts of the wrong kind are missing or empty.
 */
export function readDefinition(value: unknown): ScreenDefinition {
  return definition.read(value) ?? definition.empty;
}
