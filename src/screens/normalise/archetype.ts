import type { ScreenDefinition } from '#screen-definition';
import type { Degrade } from './degradation.js';

/**
 * The archetypes that the runtime supports, and the blocks that they require. If a block is missing, the queue table is
 * shown.
 */
export const archetypeBlocks = {
  queue: [],
  cockpit: [],
  // A dashboard without its block shows the metrics, the chart and the activity.
  dashboard: [],
  compare: ['compare', 'table'],
  custom: ['sections'],
  document: ['document'],
  copilot: ['artifact'],
  wizard: ['wizard'],
  inbox: ['inbox', 'table'],
  analytics: ['analytics'],
  calendar: ['calendar'],
  map: ['map'],
  timeline: ['timeline'],
} as const satisfies Readonly<Record<string, readonly (keyof ScreenDefinition)[]>>;

export type Archetype = keyof typeof archetypeBlocks;

export const archetypes = Object.keys(archetypeBlocks) as readonly Archetype[];

type ArchetypeBlock = (typeof archetypeBlocks)[Archetype][number];

/** Functions that return true if a block exists and is not empty. */
const filled: Readonly<Record<ArchetypeBlock, (definition: ScreenDefinition) => boolean>> = {
  compare: ({ compare }) => (compare?.pairs ?? []).length > 0,
  table: ({ table }) => (table?.columns ?? []).length > 0,
  sections: ({ sections }) => (sections ?? []).length > 0,
  document: ({ document }) => (document?.fragments ?? []).length > 0,
  artifact: ({ artifact }) => artifact !== undefined,
  wizard: ({ wizard }) => (wizard?.steps ?? []).length > 0,
  inbox: ({ inbox }) => inbox !== undefined,
  analytics: ({ analytics }) =>
    analytics !== undefined && analytics.charts.length + analytics.findings.length > 0,
  calendar: ({ calendar }) => (calendar?.events ?? []).length > 0,
  map: ({ map }) => (map?.points ?? []).length > 0,
  timeline: ({ timeline }) => (timeline?.events ?? []).length > 0,
};

/** Returns the archetype that is shown: the requested one, or `queue` if it is unknown or has no data. */
export function effectiveArchetype(definition: ScreenDefinition, degrade: Degrade): Archetype {
  const { archetype, layout } = definition;
  if (archetype !== undefined && layout !== undefined && archetype !== layout) {
    degrade('layout-ignored', '/layout', layout);
  }
  const requested = archetype ?? layout ?? 'queue';
  const path = archetype === undefined ? '/layout' : '/archetype';
  const known = archetypes.find((id) => id === requested);
  if (known === undefined) {
    degrade('archetype-unknown', path, requested);
    return 'queue';
  }
  const missing = archetypeBlocks[known].find((block) => !filled[block](definition));
  if (missing === undefined) return known;
  degrade('archetype-block-missing', path, missing);
  return 'queue';
}
