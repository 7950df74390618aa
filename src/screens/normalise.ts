import type {
  ActivityDefinition,
  AiDefinition,
  AnalyticsDefinition,
  Archetype,
  ArtifactDefinition,
  CompareDefinition,
  ConclusionDefinition,
  DocumentDefinition,
  InboxDefinition,
  KpiDefinition,
  Language,
  NotificationDefinition,
  ProductDefinition,
  ScenarioDefinition,
  ScreenDefinition,
  SlideDefinition,
  TimelineDefinition,
  UserDefinition,
  WizardDefinition,
} from './definition.js';
import { effectiveArchetype } from './normalise/archetype.js';
import {
  clamp,
  type NavGroup,
  normaliseAnalyticsCharts,
  normaliseBanner,
  normaliseDashboard,
  normaliseDrawer,
  normaliseEvents,
  normaliseMap,
  normaliseNav,
  normaliseSections,
  type ScreenAnalyticsChart,
  type ScreenBanner,
  type ScreenDashboard,
  type ScreenDrawer,
  type ScreenEvent,
  type ScreenMap,
  type ScreenSection,
} from './normalise/blocks.js';
import { normaliseChart, type ScreenChart } from './normalise/chart.js';
import type { Degradation, Degrade } from './normalise/degradation.js';
import {
  checkKey,
  normaliseStatuses,
  normaliseTable,
  type ScreenStatus,
  type ScreenTable,
} from './normalise/table.js';
import { readDefinition } from './read-definition.js';
import { pointer } from './values.js';

/** A definition with every default filled in and every degradation decided: what the page shows. */
export interface Screen {
  readonly archetype: Archetype;
  readonly width: 'full' | 'reading';
  readonly product: ProductDefinition & {
    readonly language: Language;
    readonly view: 'operational' | 'management';
  };
  readonly user: UserDefinition | undefined;
  readonly notifications: readonly NotificationDefinition[];
  /** Stages of the creation wizard; `current` counts from 1 and lies within the items. */
  readonly steps: { readonly items: readonly string[]; readonly current: number } | undefined;
  readonly nav: readonly NavGroup[];
  readonly kpis: readonly KpiDefinition[];
  readonly scenario: ScreenScenario | undefined;
  readonly statuses: readonly ScreenStatus[];
  readonly chart: ScreenChart | undefined;
  readonly activity: readonly ActivityDefinition[];
  readonly table: ScreenTable | undefined;
  readonly drawer: ScreenDrawer;
  readonly ai: AiDefinition | undefined;
  readonly banner: ScreenBanner | undefined;
  readonly search: {
    readonly placeholder: string | undefined;
    readonly compact: boolean;
    readonly shortcut: boolean;
  };
  readonly conclusion: ConclusionDefinition | undefined;
  readonly compare: CompareDefinition | undefined;
  readonly sections: readonly ScreenSection[];
  /** Undefined: default slides are made from the product. Empty: there are none. */
  readonly onboarding: readonly SlideDefinition[] | undefined;
  readonly document: DocumentDefinition | undefined;
  readonly artifact: ArtifactDefinition | undefined;
  /** `current` counts from 0 and lies within the steps. */
  readonly wizard: (WizardDefinition & { readonly current: number }) | undefined;
  readonly inbox: InboxDefinition | undefined;
  readonly analytics:
    | (Omit<AnalyticsDefinition, 'charts'> & { readonly charts: readonly ScreenAnalyticsChart[] })
    | undefined;
  readonly calendar:
    | {
        readonly title: string | undefined;
        readonly range: string | undefined;
        readonly events: readonly ScreenEvent[];
      }
    | undefined;
  readonly map: ScreenMap | undefined;
  readonly timeline: (TimelineDefinition & { readonly current: number | undefined }) | undefined;
  readonly dashboard: ScreenDashboard | undefined;
  /** Everything in the definition that does not take effect as written. */
  readonly degradations: readonly Degradation[];
}

export interface ScreenScenario extends ScenarioDefinition {
  /** The statuses after control and reject, where they are known ones. */
  readonly approved: ScreenStatus | undefined;
  readonly rejected: ScreenStatus | undefined;
}

/**
 * Decides what a definition shows: the linter predicts from it, the renderer draws it. Takes any parsed
 * JSON; parts of the wrong kind are left out (the schema's errors are the validator's to report).
 */
export function normaliseScreen(value: unknown): Screen {
  return normaliseDefinition(readDefinition(value));
}

/** The same for a definition that has been read. */
export function normaliseDefinition(definition: ScreenDefinition): Screen {
  const degradations: Degradation[] = [];
  const degrade: Degrade = (code, path, detail) => degradations.push({ code, path, detail });
  const archetype = effectiveArchetype(definition, degrade);
  const statuses = normaliseStatuses(definition);
  const table = normaliseTable(definition, statuses, degrade);
  checkBlockKeys(definition, degrade);
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
    nav: normaliseNav(definition.nav),
    kpis: definition.kpis ?? [],
    scenario: normaliseScenario(definition, statuses, degrade),
    statuses,
    chart: normaliseChart(definition, degrade),
    activity: definition.activity ?? [],
    table,
    drawer: normaliseDrawer(definition, table, degrade),
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
    onboarding: definition.onboarding,
    document: definition.document,
    artifact: definition.artifact,
    wizard: normaliseWizard(definition, degrade),
    inbox: definition.inbox,
    analytics: definition.analytics && {
      ...definition.analytics,
      charts: normaliseAnalyticsCharts(definition, degrade),
    },
    calendar: definition.calendar && {
      title: definition.calendar.title,
      range: definition.calendar.range,
      events: normaliseEvents(definition, degrade),
    },
    map: normaliseMap(definition, statuses, degrade),
    timeline: normaliseTimeline(definition),
    dashboard: normaliseDashboard(definition, degrade),
    degradations,
  };
}

/**
 * `reading` for a screen that is nothing but text sections, else `full`. A section with `fields` is
 * no text, and neither are numbers, charts, lists and tables around the sections.
 */
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

function normaliseSteps({ steps }: ScreenDefinition, degrade: Degrade): Screen['steps'] {
  const items = steps?.items ?? [];
  if (items.length === 0) return undefined;
  const current = steps?.current ?? 1;
  const shown = clamp(Math.floor(current), 1, items.length);
  if (shown !== current) degrade('index-out-of-range', '/steps/current', String(current));
  return { items, current: shown };
}

function normaliseWizard({ wizard }: ScreenDefinition, degrade: Degrade): Screen['wizard'] {
  if (wizard === undefined) return undefined;
  const current = wizard.current ?? 0;
  const shown = clamp(Math.floor(current), 0, wizard.steps.length - 1);
  if (shown !== current) degrade('index-out-of-range', '/wizard/current', String(current));
  return { ...wizard, current: shown };
}

/** The first event marked as current is the one. */
function normaliseTimeline({ timeline }: ScreenDefinition): Screen['timeline'] {
  if (timeline === undefined) return undefined;
  const index = timeline.events.findIndex(({ current }) => current === true);
  return { ...timeline, current: index < 0 ? undefined : index };
}

function normaliseScenario(
  { scenario }: ScreenDefinition,
  statuses: readonly ScreenStatus[],
  degrade: Degrade,
): ScreenScenario | undefined {
  if (scenario === undefined) return undefined;
  const find = (property: 'approveTo' | 'rejectTo'): ScreenStatus | undefined => {
    const wanted = scenario[property];
    const status = statuses.find(({ key }) => key === wanted);
    if (wanted !== undefined && status === undefined) {
      degrade('status-unknown', `/scenario/${property}`, wanted);
    }
    return status;
  };
  return { ...scenario, approved: find('approveTo'), rejected: find('rejectTo') };
}

/** Keys of the compare and inbox blocks lead to row fields. */
function checkBlockKeys(definition: ScreenDefinition, degrade: Degrade): void {
  const { compare, inbox } = definition;
  for (const [index, { a, b }] of (compare?.pairs ?? []).entries()) {
    checkKey(definition, a, pointer('compare', 'pairs', index, 'a'), degrade);
    checkKey(definition, b, pointer('compare', 'pairs', index, 'b'), degrade);
  }
  for (const name of ['titleKey', 'subKey', 'timeKey', 'bodyKey'] as const) {
    checkKey(definition, inbox?.[name], `/inbox/${name}`, degrade);
  }
}
