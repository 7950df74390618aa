import type { FreeSectionDefinition, ScreenDefinition } from '#screen-definition';
import { pointer } from '../../json/pointers.js';
import { normalisePoints } from './chart.js';
import type { Degrade } from './degradation.js';

export type ScreenSection = ReturnType<typeof normaliseSections>[number];

/** The sections with the types that are shown, and the points of those that are charts. */
export function normaliseSections(definition: ScreenDefinition, degrade: Degrade) {
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
  { type = 'text', items = [], chart }: FreeSectionDefinition,
): boolean {
  const payloads = {
    text: true,
    cards: items.length > 0,
    chart: chart !== undefined && chart.points.length > 0,
    kpis: kpis.length > 0,
    table: table !== undefined && table.columns.length > 0,
    chat: ai !== undefined,
  };
  return payloads[type];
}
