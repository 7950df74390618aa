import { pointer } from '../definition/values.js';
import { quote } from '../text/quote.js';
import type { Rule } from './rule.js';

export const advisedCount: Rule = {
  id: 'advised-count',
  severity: 'info',
  summary: 'More or fewer than read well',
  documentation:
    'Advice, not a rule: three to five sections in a group of the navigation, 7 to 31 bars in a chart, 8 to 12 rows in an example table, two or three onboarding slides.',
  examples: () => ({
    bad: { onboarding: [{ title: 'Welcome', text: 'Requests wait in the queue.' }] },
    finds: ['/onboarding'],
    good: {
      onboarding: [
        { title: 'Welcome', text: 'Requests wait in the queue.' },
        { title: 'Decide', text: 'Approve or return them.' },
      ],
    },
  }),
  check({ definition, screen }, report) {
    const advise = (path: string, count: number, low: number, high: number, what: string): void => {
      if (count >= low && count <= high) return;
      report(path, `${count} ${what}; ${low} to ${high} read better.`, { atKey: true });
    };
    for (const { heading, items } of screen.nav) {
      const where = heading === undefined ? 'without a group' : `in the group ${quote(heading)}`;
      const path = pointer('nav', items[0]?.index ?? 0);
      advise(path, items.length, 3, 5, `${items.length === 1 ? 'section' : 'sections'} ${where}`);
    }
    const { chart, table, onboarding } = definition;
    if (screen.chart?.source.kind === 'bars' && chart?.bars?.length) {
      advise('/chart/bars', chart.bars.length, 7, 31, chart.bars.length === 1 ? 'bar' : 'bars');
    }
    if (table)
      advise('/table/rows', table.rows.length, 8, 12, table.rows.length === 1 ? 'row' : 'rows');
    if (onboarding?.length) {
      advise('/onboarding', onboarding.length, 2, 3, onboarding.length === 1 ? 'slide' : 'slides');
    }
  },
};
