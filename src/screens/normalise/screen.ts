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
  SlideDefinition,
  UserDefinition,
} from '../definition/definition.js';
import type {
  ScreenAnalyticsChart,
  ScreenDashboard,
  ScreenEvent,
  ScreenMap,
  ScreenTimeline,
  ScreenWizard,
} from './archetype-blocks.js';
import type { ScreenChart } from './chart.js';
import type { Degradation } from './degradation.js';
import type { NavGroup, ScreenBanner, ScreenDrawer, ScreenSteps } from './frame.js';
import type { ScreenScenario } from './scenario.js';
import type { ScreenSection } from './sections.js';
import type { ScreenStatus, ScreenTable } from './table.js';

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
  readonly steps: ScreenSteps | undefined;
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
  readonly wizard: ScreenWizard | undefined;
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
  readonly timeline: ScreenTimeline | undefined;
  readonly dashboard: ScreenDashboard | undefined;
  /** Everything in the definition that does not take effect as written. */
  readonly degradations: readonly Degradation[];
}
