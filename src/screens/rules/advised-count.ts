import { pointer, valueAt } from '../../json/pointers.js';
import { plural } from '../check/findings.js';
import { quote } from '../text/quote.js';
import type { Rule } from './rule.js';

/** How many there are, and how many read well. */
type Advice = readonly [count: number, least: number, most: number];

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
  about(path, data) {
    const [, index] = /^\/nav\/(\d+)$/.exec(path) ?? [];
    if (index === undefined) return undefined;
    const group = valueAt(data, ['nav', index, 'group']);
    return typeof group === 'string' ? `/nav/* of ${group}` : '/nav/*';
  },
  check({ definition, screen }, _report, reportKey) {
    const advise = (path: string, what: () => string, [count, low, high]: Advice): void => {
      if (count >= low && count <= high) return;
      reportKey(path, () => `${what()}; ${low} to ${high} read better.`);
    };
    for (const { heading, items } of screen.nav) {
      const count = items.length;
      const where = () =>
        heading === undefined ? 'without a group' : `in the group ${quote(heading)}`;
      const path = pointer('nav', items[0]?.index ?? 0);
      advise(path, () => `${plural(count, 'section')} ${where()}`, [count, 3, 5]);
    }
    const { chart, table, onboarding } = definition;
    const bars = screen.chart?.source.kind === 'bars' ? (chart?.bars?.length ?? 0) : 0;
    if (bars > 0) advise('/chart/bars', () => plural(bars, 'bar'), [bars, 7, 31]);
    const rows = table?.rows.length;
    if (rows !== undefined) advise('/table/rows', () => plural(rows, 'row'), [rows, 8, 12]);
    const slides = onboarding?.length ?? 0;
    if (slides > 0) advise('/onboarding', () => plural(slides, 'slide'), [slides, 2, 3]);
  },
};
