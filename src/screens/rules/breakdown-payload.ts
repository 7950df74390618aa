import { pointer } from '../../json/pointers.js';
import type { Rule } from './rule.js';

export const breakdownPayload: Rule = {
  id: 'breakdown-payload',
  severity: 'warning',
  summary: 'A part of a breakdown has nothing to show',
  documentation:
    'In a breakdown of type cards a part shows its title and stats; in types share and top it shows its label and value, with title and stats below them. A card without title, label and stats is empty; a share without a value has no part in the whole.',
  examples: () => {
    const points = [
      { label: 'Mon', value: 3 },
      { label: 'Tue', value: 5 },
    ];
    const dashboard = (part: object) => ({
      series: [{ points }],
      breakdowns: [
        { title: 'By city', type: 'share', items: [{ label: 'Almaty', value: 3 }, part] },
      ],
    });
    return {
      bad: { dashboard: dashboard({ title: 'Astana', stats: [] }) },
      finds: ['/dashboard/breakdowns/0/items/1'],
      good: {
        kpis: [{ value: '8', label: 'Open' }],
        dashboard: dashboard({ label: 'Astana', value: 5 }),
      },
    };
  },
  check({ definition }, report) {
    for (const [index, { type, items }] of (definition.dashboard?.breakdowns ?? []).entries()) {
      for (const [place, item] of items.entries()) {
        const path = pointer('dashboard', 'breakdowns', index, 'items', place);
        const { title, stats, label, value } = item;
        if (type === 'cards' && title === undefined && label === undefined && stats === undefined) {
          report(path, 'A card shows title and stats; this part has neither.');
        } else if (type !== 'cards' && (label === undefined || value === undefined)) {
          const missing = label === undefined ? 'label' : 'value';
          report(
            path,
            `A part of type "${type}" shows label and value; this one has no ${missing}.`,
          );
        }
      }
    }
  },
};
