import { pointer } from '../../json/pointers.js';
import { removal } from '../check/remedies.js';
import type { Rule } from './rule.js';

export const timelineCurrent: Rule = {
  id: 'timeline-current',
  severity: 'warning',
  summary: 'Several events of the timeline are current',
  documentation:
    'One event of the timeline is going on now. Where several are marked as current, the first one counts.',
  examples: () => {
    const screen = (filed: object) => ({
      timeline: {
        events: [
          { time: '1 March', title: 'Filed', ...filed },
          { time: '4 March', title: 'Visited', current: true },
          { time: '9 March', title: 'Decided' },
        ],
      },
    });
    return {
      bad: screen({ current: true }),
      finds: ['/timeline/events/1/current'],
      good: screen({}),
    };
  },
  check({ definition, screen }, report) {
    const first = screen.timeline?.current;
    for (const [index, { current }] of (definition.timeline?.events ?? []).entries()) {
      if (current !== true || index === first) continue;
      const path = pointer('timeline', 'events', index, 'current');
      report(path, `Event ${first} is already the current one; only the first counts.`, () => ({
        suggestions: [removal(path, 'current')],
      }));
    }
  },
};
