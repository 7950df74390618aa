import { pointer } from '../../json/pointers.js';
import { quote } from '../text/quote.js';
import type { Rule } from './rule.js';

export const navGroupSplit: Rule = {
  id: 'nav-group-split',
  severity: 'warning',
  summary: 'A group of sections is torn apart',
  documentation:
    'Neighbouring sections that name the same group stand under one heading. If other sections come between them, the heading is shown twice. Move the sections of a group together.',
  examples: () => {
    const queue = { label: 'Queue', group: 'Work' };
    const all = { label: 'All', group: 'Work' };
    const templates = { label: 'Templates', group: 'Reference' };
    return {
      bad: { nav: [queue, templates, all] },
      finds: ['/nav/2/group'],
      good: { nav: [queue, all, templates] },
    };
  },
  about: () => '/nav/*/group',
  check({ screen }, report) {
    const seen = new Set<string>();
    for (const { heading, items } of screen.nav) {
      if (heading === undefined) continue;
      if (seen.has(heading)) {
        report(
          pointer('nav', items[0]?.index ?? 0, 'group'),
          `The heading ${quote(heading)} appears twice, because other sections come between. Move them together.`,
        );
      }
      seen.add(heading);
    }
  },
};
