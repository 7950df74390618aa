import { isObject, pointer } from '../../json/pointers.js';
import type { Remedies } from '../check/fixes.js';
import { removal, renaming } from '../check/remedies.js';
import type { Rule } from './rule.js';

/** The runtime reads archetype where there is one, whatever layout says. */
export function layoutRemedies(data: unknown): Remedies {
  if (!isObject(data)) return {};
  if (typeof data.archetype === 'string') return { fix: removal('/layout', 'layout') };
  if (Object.hasOwn(data, 'archetype')) return {};
  return { fix: renaming('/layout', 'layout', 'archetype') };
}

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
  check({ data, definition }, _report, reportKey) {
    const { layout, filterKeys, nav = [] } = definition;
    if (layout !== undefined) {
      reportKey('/layout', 'layout is deprecated; write archetype instead.', () =>
        layoutRemedies(data),
      );
    }
    if (filterKeys !== undefined) {
      reportKey(
        '/filterKeys',
        'filterKeys is deprecated; filters follow from statuses, so remove it.',
        () => ({ fix: removal('/filterKeys', 'filterKeys') }),
      );
    }
    nav.forEach(({ count }, index) => {
      if (count === undefined) return;
      const path = pointer('nav', index, 'count');
      reportKey(path, 'count is deprecated; the runtime counts by itself, so remove it.', () => ({
        fix: removal(path, 'count'),
      }));
    });
  },
};
