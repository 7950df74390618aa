import { removal } from '../check/remedies.js';
import { archetypeBlocks } from '../normalise/archetype.js';
import type { Rule } from './rule.js';

/** Archetypes with the block that they alone draw. A dashboard can do without its own, which is called like it. */
const owned = Object.entries(archetypeBlocks).map(
  ([owner, [block = owner]]) => [owner, block] as const,
);

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
  check({ definition, screen }, _report, reportKey) {
    for (const [owner, block] of owned) {
      if (!Object.hasOwn(definition, block) || screen.archetype === owner) continue;
      reportKey(
        `/${block}`,
        `"${block}" is shown by archetype "${owner}" only, and this screen is shown as "${screen.archetype}".`,
        () => ({ suggestions: [removal(`/${block}`, block)] }),
      );
    }
  },
};
