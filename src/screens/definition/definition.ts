import type {
  AnalyticsDefinition,
  ArtifactDefinition,
  CalendarDefinition,
  CompareDefinition,
  DashboardDefinition,
  DocumentDefinition,
  InboxDefinition,
  MapDefinition,
  SectionDefinition,
  TimelineDefinition,
  WizardDefinition,
} from './archetype-blocks.js';
import type {
  AiDefinition,
  BannerDefinition,
  ConclusionDefinition,
  NavDefinition,
  NotificationDefinition,
  ProductDefinition,
  SearchDefinition,
  SlideDefinition,
  StepsDefinition,
  UserDefinition,
} from './frame.js';
import type {
  ActivityDefinition,
  ChartDefinition,
  DrawerDefinition,
  KpiDefinition,
  ScenarioDefinition,
  StatusDefinition,
  TableDefinition,
} from './list.js';

export * from './archetype-blocks.js';
export * from './frame.js';
export * from './list.js';
export * from './vocabulary.js';

/**
 * A screen definition as an author writes it (see docs/screens.md). Every property is as the screen
 * contract has it; lengths, counts and bounds are the schema's business and not repeated here.
 */
export interface ScreenDefinition {
  readonly archetype?: string;
  /** Deprecated alias of `archetype`, which wins where both are given. */
  readonly layout?: string;
  readonly product: ProductDefinition;
  readonly user?: UserDefinition;
  readonly notifications?: readonly NotificationDefinition[];
  readonly steps?: StepsDefinition;
  readonly nav?: readonly NavDefinition[];
  readonly kpis?: readonly KpiDefinition[];
  readonly scenario?: ScenarioDefinition;
  readonly statuses?: Readonly<Record<string, StatusDefinition>>;
  readonly chart?: ChartDefinition;
  readonly activity?: readonly ActivityDefinition[];
  readonly table?: TableDefinition;
  readonly drawer?: DrawerDefinition;
  readonly ai?: AiDefinition;
  readonly banner?: BannerDefinition;
  readonly search?: SearchDefinition;
  readonly conclusion?: ConclusionDefinition;
  readonly compare?: CompareDefinition;
  readonly sections?: readonly SectionDefinition[];
  readonly onboarding?: readonly SlideDefinition[];
  /** Deprecated: filters derive from `statuses`. */
  readonly filterKeys?: readonly string[];
  readonly document?: DocumentDefinition;
  readonly artifact?: ArtifactDefinition;
  readonly wizard?: WizardDefinition;
  readonly inbox?: InboxDefinition;
  readonly analytics?: AnalyticsDefinition;
  readonly calendar?: CalendarDefinition;
  readonly map?: MapDefinition;
  readonly timeline?: TimelineDefinition;
  readonly dashboard?: DashboardDefinition;
  readonly width?: 'full' | 'reading';
}
