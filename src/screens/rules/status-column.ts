import { pointer } from '../../json/pointers.js';
import { wordSuggestions } from '../check/remedies.js';
import type { Rule } from './rule.js';
import { unknownStatus } from './unknown-status.js';

export const statusColumn: Rule = {
  id: 'status-column',
  severity: 'warning',
  summary: 'The table cannot carry the statuses',
  documentation:
    "A row carries its status in a column of type status whose values list the keys it may have; the keys are defined in statuses. Without such a column there are no filter tabs and the scenario's actions change nothing; of several the first one counts.",
  examples: () => {
    const screen = (values: readonly string[]) => ({
      statuses: { new: { label: 'New', tone: 'info' } },
      table: {
        columns: [{ key: 'state', label: 'State', type: 'status', values }],
        rows: [{ state: 'new' }],
      },
    });
    return {
      bad: screen(['new', 'done']),
      finds: ['/table/columns/0/values/1'],
      good: screen(['new']),
    };
  },
  check({ data, definition }, report) {
    const { table, scenario } = definition;
    if (table === undefined) return;
    const statuses = new Set(Object.keys(definition.statuses ?? {}));
    const columns = table.columns.flatMap(({ type, values }, index) =>
      type === 'status' ? { index, values } : [],
    );
    const moves = scenario?.approveTo !== undefined || scenario?.rejectTo !== undefined;
    if (columns.length === 0 && moves) {
      report(
        '/table/columns',
        'No column has the type "status", so the actions of the scenario cannot change a row.',
      );
    }
    for (const { index, values } of columns) {
      const path = pointer('table', 'columns', index);
      if (index !== columns[0]?.index)
        report(
          `${path}/type`,
          'Only the first column of type "status" carries the status of a row.',
        );
      if (statuses.size === 0) {
        report(`${path}/type`, 'The definition has no statuses for this column to show.');
      } else if (values === undefined) {
        report(path, 'A status column lists the keys it allows in values.');
      } else {
        for (const [place, value] of values.entries()) {
          if (statuses.has(value)) continue;
          const at = `${path}/values/${place}`;
          report(
            at,
            () => unknownStatus(value, statuses),
            () => wordSuggestions(data, at, value, statuses),
          );
        }
      }
    }
  },
};
