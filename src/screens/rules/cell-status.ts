import type { Rule } from './rule.js';
import { checkStatuses } from './unknown-status.js';

export const cellStatus: Rule = {
  id: 'cell-status',
  severity: 'warning',
  summary: 'A row has a status that does not exist',
  documentation:
    'The cell of a status column holds a key of statuses. A row with any other word is shown without colour and stands under no filter tab.',
  examples: () => {
    const screen = (state: string) => ({
      statuses: { new: { label: 'New', tone: 'info' } },
      table: {
        columns: [{ key: 'state', label: 'State', type: 'status', values: ['new'] }],
        rows: [{ state }],
      },
    });
    return { bad: screen('New'), finds: ['/table/rows/0/state'], good: screen('new') };
  },
  check: checkStatuses('/table'),
};
