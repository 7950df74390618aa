import { quote } from '../text/quote.js';
import type { Rule } from './rule.js';

export const missingArchetypeBlock: Rule = {
  id: 'missing-archetype-block',
  severity: 'warning',
  summary: 'The archetype has no data to show',
  documentation:
    'Most archetypes draw one block of their own: compare needs compare.pairs and a table, inbox needs inbox and a table, custom needs sections, copilot needs artifact, and document, wizard, analytics, calendar, map and timeline need the block of their name. Without it the screen falls back to the queue table. A dashboard without its block shows the metrics, the chart and the activity, but no trends.',
  examples: () => ({
    bad: { archetype: 'compare' },
    finds: ['/archetype'],
    good: {
      archetype: 'timeline',
      timeline: {
        events: [
          { time: '1 March', title: 'Claim filed' },
          { time: '4 March', title: 'Site visited' },
          { time: '9 March', title: 'Decision' },
        ],
      },
    },
  }),
  check({ degradations, screen, definition }, report) {
    const asked = definition.archetype ?? definition.layout ?? 'queue';
    for (const { path, detail } of degradations('archetype-block-missing')) {
      report(
        path,
        `Archetype ${quote(asked)} needs a filled block "${detail}"; without it the queue table is shown.`,
      );
    }
    if (screen.archetype === 'dashboard' && screen.dashboard === undefined) {
      const path = definition.archetype === undefined ? '/layout' : '/archetype';
      report(
        path,
        'Archetype "dashboard" has no block "dashboard"; no trends are shown, only metrics, chart and activity.',
      );
    }
  },
};
