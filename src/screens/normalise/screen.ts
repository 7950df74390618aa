import type {
  Archetype,
  Language,
  ProductDefinition,
  ScreenDefinition,
} from '../definition/definition.js';
import type {
  ScreenAnalytics,
  ScreenCalendar,
  ScreenDashboard,
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

/**
 * What is shown as it is written. Without `onboarding` default slides are made from the product; where
 * it is empty there are none.
 */
type AsWritten = {
  readonly [Part in
    | 'user'
    | 'ai'
    | 'conclusion'
    | 'compare'
    | 'onboarding'
    | 'document'
    | 'artifact'
    | 'inbox']: ScreenDefinition[Part] | undefined;
};

/** Lists that are shown as they are written. */
type Lists = {
  readonly [Part in 'notifications' | 'kpis' | 'activity']: NonNullable<ScreenDefinition[Part]>;
};

/** A definition with every default filled in and every degradation decided: what the page shows. */
export interface Screen extends AsWritten, Lists {
  readonly archetype: Archetype;
  readonly width: 'full' | 'reading';
  readonly product: ProductDefinition & {
    readonly language: Language;
    readonly view: 'operational' | 'management';
  };
  readonly steps: ScreenSteps | undefined;
  readonly nav: readonly NavGroup[];
  readonly scenario: ScreenScenario | undefined;
  readonly statuses: readonly ScreenStatus[];
  readonly chart: ScreenChart | undefined;
  readonly table: ScreenTable | undefined;
  readonly drawer: ScreenDrawer;
  readonly banner: ScreenBanner | undefined;
  readonly search: {
    readonly placeholder: string | undefined;
    readonly compact: boolean;
    readonly shortcut: boolean;
  };
  readonly sections: readonly ScreenSection[];
  readonly wizard: ScreenWizard | undefined;
  readonly analytics: ScreenAnalytics | undefined;
  readonly calendar: ScreenCalendar | undefined;
  readonly map: ScreenMap | undefined;
  readonly timeline: ScreenTimeline | undefined;
  readonly dashboard: ScreenDashboard | undefined;
  /** Everything in the definition that does not take effect as written. */
  readonly degradations: readonly Degradation[];
}
