import type { ScreenDefinition } from '#screen-definition';
import { readDefinition } from '../definition/read.js';
import { type Archetype, effectiveArchetype } from './archetype.js';
import {
  normaliseAnalytics,
  normaliseCalendar,
  normaliseDashboard,
  normaliseMap,
  normaliseSections,
  normaliseTimeline,
  normaliseWizard,
} from './archetype-blocks.js';
import { normaliseChart } from './chart.js';
import type { Degradation, Degrade } from './degradation.js';
import { eachFieldReference, keyChecker } from './field-references.js';
import { normaliseBanner, normaliseDrawer, normaliseNav, normaliseSteps } from './frame.js';
import { normaliseStatuses, normaliseTable, type ScreenStatus } from './table.js';

/**
 * Returns the screen for any parsed JSON. The linter and the renderer both use it, so they agree on degradations. Omits
 * parts of the wrong type, which the contract check reports.
 */
export function normaliseScreen(value: unknown): Screen {
  return normaliseDefinition(readDefinition(value));
}

/** A definition with all defaults and degradations applied. */
export type Screen = Readonly<ReturnType<typeof normaliseDefinition>>;

/** Returns the screen for a definition. */
export function normaliseDefinition(definition: ScreenDefinition) {
  const degradations: Degradation[] = [];
  const degrade: Degrade = (code, path, detail) => degradations.push({ code, path, detail });
  const archetype = effectiveArchetype(definition, degrade);
  const statuses = normaliseStatuses(definition);
  const table = normaliseTable(definition, statuses, degrade);
  const checkKey = keyChecker(definition, degrade);
  eachFieldReference(definition, checkKey);
  const { product, search } = definition;
  return {
    archetype,
    width: definition.width ?? defaultWidth(definition, archetype),
    product: {
      ...product,
      language: product.language ?? 'ru',
      view: product.view ?? 'operational',
    },
    user: definition.user,
    notifications: definition.notifications ?? [],
    steps: normaliseSteps(definition, degrade),
    nav: normaliseNav(definition),
    kpis: definition.kpis ?? [],
    scenario: normaliseScenario(definition, statuses, degrade),
    statuses,
    chart: normaliseChart(definition, checkKey, degrade),
    activity: definition.activity ?? [],
    table,
    drawer: normaliseDrawer(definition, table),
    ai: definition.ai,
    banner: normaliseBanner(definition, degrade),
    search: {
      placeholder: search?.placeholder || undefined,
      compact: search?.compact ?? false,
      shortcut: search?.shortcut ?? true,
    },
    conclusion: definition.conclusion,
    compare: definition.compare,
    sections: normaliseSections(definition, degrade),
    /** If undefined, slides are generated from the product. If empty, there are no slides. */
    onboarding: definition.onboarding,
    document: definition.document,
    artifact: definition.artifact,
    wizard: normaliseWizard(definition, degrade),
    inbox: definition.inbox,
    analytics: normaliseAnalytics(definition, degrade),
    calendar: normaliseCalendar(definition, degrade),
    map: normaliseMap(definition, statuses, degrade),
    timeline: normaliseTimeline(definition),
    dashboard: normaliseDashboard(definition, degrade),
    /** Everything in the definition that does not take effect as written. */
    degradations,
  };
}

/** Returns `reading` for a screen that consists only of text sections without fields, and otherwise `full`. */
function defaultWidth(definition: ScreenDefinition, archetype: Archetype): 'full' | 'reading' {
  if (archetype !== 'custom') return 'full';
  const { sections = [], kpis = [], activity = [], table, chart, scenario } = definition;
  const others = table ?? chart ?? scenario;
  const onlyText = sections.every(
    ({ type = 'text', fields = [] }) => type === 'text' && fields.length === 0,
  );
  const bare = others === undefined && kpis.length === 0 && activity.length === 0;
  return onlyText && bare ? 'reading' : 'full';
}

/** Returns the scenario with the statuses that its two actions set, if they exist. */
function normaliseScenario(
  { scenario }: ScreenDefinition,
  statuses: readonly ScreenStatus[],
  degrade: Degrade,
) {
  if (scenario === undefined) return undefined;
  const find = (property: 'approveTo' | 'rejectTo'): ScreenStatus | undefined => {
    const target = scenario[property];
    const status = statuses.find(({ key }) => key === target);
    if (target !== undefined && status === undefined) {
      degrade('status-unknown', `/scenario/${property}`, target);
    }
    return status;
  };
  return { ...scenario, approved: find('approveTo'), rejected: find('rejectTo') };
}
