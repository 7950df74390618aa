import type { ScreenDefinition, SectionDefinition, SectionType } from '../definition/definition.js';
import { pointer } from '../definition/values.js';
import { normalisePoints, type ScreenPoint } from './chart.js';
import type { Degrade } from './degradation.js';

export interface ScreenSection extends SectionDefinition {
  /** The type that is shown. */
  readonly shown: SectionType;
  readonly wide: boolean;
  readonly points: readonly ScreenPoint[];
}

export function normaliseSections(
  definition: ScreenDefinition,
  degrade: Degrade,
): readonly ScreenSection[] {
  return (definition.sections ?? []).map((section, index) => {
    const asked = section.type ?? 'text';
    const shown = hasPayload(definition, section) ? asked : 'text';
    if (shown !== asked) {
      degrade('section-without-payload', pointer('sections', index, 'type'), asked);
    }
    const path = pointer('sections', index, 'chart', 'points');
    const points =
      shown === 'chart' ? normalisePoints(section.chart?.points ?? [], path, degrade) : [];
    return { ...section, shown, wide: section.width !== 'half', points };
  });
}

function hasPayload(
  { kpis = [], table, ai }: ScreenDefinition,
  { type = 'text', items = [], chart }: SectionDefinition,
): boolean {
  const payloads: Readonly<Record<SectionType, boolean>> = {
    text: true,
    cards: items.length > 0,
    chart: chart !== undefined && chart.points.length > 0,
    kpis: kpis.length > 0,
    table: table !== undefined && table.columns.length > 0,
    chat: ai !== undefined,
  };
  return payloads[type];
}
