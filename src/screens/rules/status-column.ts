import { pointer } from '../definition/values.js';
import { quote } from '../text/quote.js';
import { didYouMean } from '../text/suggest.js';
import type { Report, Rule } from './rule.js';

function checkValues(
  values: readonly string[],
  statuses: ReadonlySet<string>,
  path: string,
  report: Report,
): void {
  for (const [index, value] of values.entries()) {
    if (statuses.has(value)) continue;
    report(
      path + pointer(index),
      () => `${quote(value)} is no key of statuses.${didYouMean(value, statuses)}`,
    );
  }
}

export const statusColumn: Rule = {
  id: 'status-column',
  severity: 'warning',
  summary: 'The table cannot carry the statuses',
  documentation:
    "A row carries its status in a column of type status whose values list the keys it may have; the keys are defined in statuses. Without such a column there are no filter tabs and the scenario's actions change nothing; of several the first one counts.",
  examples: () => ({
    bad: {
      statuses: { new: { label: 'New', tone: 'info' } },
      table: {
        columns: [{ key: 'state', label: 'State', type: 'status', values: ['new', 'done'] }],
        rows: [{ state: 'new' }],
      },
    },
    finds: ['/table/columns/0/values/1'],
    good: {
      statuses: { new: { label: 'New', tone: 'info' } },
      table: {
        columns: [{ key: 'state', label: 'State', type: 'status', values: ['new'] }],
        rows: [{ state: 'new' }],
      },
    },
  }),
  check({ definition }, report) {
    const { table, scenario } = definition;
    if (table === undefined) return;
    const statuses = new Set(Object.keys(definition.statuses ?? {}));
    const columns = [...table.columns.entries()].filter(([, { type }]) => type === 'status');
    const moves = scenario?.approveTo !== undefined || scenario?.rejectTo !== undefined;
    if (columns.length === 0 && moves) {
      report(
        '/table/columns',
        'No column has the type "status", so the actions of the scenario cannot change a row.',
      );
    }
    for (const [index, { values }] of columns) {
      const path = pointer('table', 'columns', index);
      if (index !== columns[0]?.[0])
        report(
          `${path}/type`,
          'Only the first column of type "status" carries the status of a row.',
        );
      if (statuses.size === 0)
        report(`${path}/type`, 'The definition has no statuses for this column to show.');
      else if (values === undefined)
        report(path, 'A status column lists the keys it allows in values.');
      else checkValues(values, statuses, `${path}/values`, report);
    }
  },
};
