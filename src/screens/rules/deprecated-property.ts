import { pointer } from '../../json/pointers.js';
import type { Rule } from './rule.js';

export const deprecatedProperty: Rule = {
  id: 'deprecated-property',
  severity: 'warning',
  summary: 'A deprecated property is used',
  documentation:
    'layout was renamed to archetype; filterKeys is not needed because the filters follow from statuses; nav[].count is not needed because the runtime counts by itself. Deprecated properties are still accepted but may be dropped.',
  examples: () => ({
    bad: { layout: 'cockpit', filterKeys: ['new'], nav: [{ label: 'Queue', count: 4 }] },
    finds: ['/layout', '/filterKeys', '/nav/0/count'],
    good: { archetype: 'cockpit', nav: [{ label: 'Queue' }] },
  }),
  check({ definition }, _report, reportKey) {
    const { layout, filterKeys, nav = [] } = definition;
    if (layout !== undefined)
      reportKey('/layout', 'layout is deprecated; write archetype instead.');
    if (filterKeys !== undefined) {
      reportKey(
        '/filterKeys',
        'filterKeys is deprecated; filters follow from statuses, so remove it.',
      );
    }
    for (const [index, { count }] of nav.entries()) {
      if (count === undefined) continue;
      reportKey(
        pointer('nav', index, 'count'),
        'count is deprecated; the runtime counts by itself, so remove it.',
      );
    }
  },
};
