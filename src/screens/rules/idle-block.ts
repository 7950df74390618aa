import type { Archetype, ScreenDefinition } from '../definition/definition.js';
import type { Rule } from './rule.js';

const owners: Partial<Record<keyof ScreenDefinition, Archetype>> = {
  compare: 'compare',
  sections: 'custom',
  document: 'document',
  artifact: 'copilot',
  wizard: 'wizard',
  inbox: 'inbox',
  analytics: 'analytics',
  calendar: 'calendar',
  map: 'map',
  timeline: 'timeline',
  dashboard: 'dashboard',
};

export const idleBlock: Rule = {
  id: 'idle-block',
  severity: 'info',
  summary: 'A block of another archetype is never shown',
  documentation:
    'A block that belongs to one archetype is drawn only by that archetype. Keeping the blocks of several archetypes in one definition is allowed, and handy while trying them out, but everything that is not drawn still has to be kept right.',
  examples: () => {
    const events = [
      { date: '2026-03-02', title: 'Report' },
      { date: '2026-03-09', title: 'Payment' },
    ];
    return {
      bad: { archetype: 'queue', calendar: { events } },
      finds: ['/calendar'],
      good: { archetype: 'calendar', calendar: { events } },
    };
  },
  check({ definition, screen }, report) {
    for (const [block, owner] of Object.entries(owners)) {
      if (!Object.hasOwn(definition, block) || screen.archetype === owner) continue;
      report(
        `/${block}`,
        `"${block}" is shown by archetype "${owner}" only, and this screen is shown as "${screen.archetype}".`,
        { atKey: true },
      );
    }
  },
};
