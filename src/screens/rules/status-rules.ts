import { pointer } from '../../json/pointers.js';
import { suggestRemoval, wordRemedies, wordSuggestions } from '../findings/remedies.js';
import { didYouMean, quote } from '../text/quote.js';
import type { Report, Rule, RuleContext } from './rule.js';

export const cellStatus: Rule = {
  id: 'cell-status',
  severity: 'warning',
  summary: 'A row has an unknown status',
  documentation:
    'Each cell in a status column contains a key of statuses. A row with any other value is shown without a colour and does not appear in the filter tabs.',
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
  check: checkStatuses('/table', wordSuggestions),
};

export const mapStatus: Rule = {
  id: 'map-status',
  severity: 'warning',
  summary: 'A map point has an unknown status',
  documentation:
    'The status of a map point is a key of statuses and determines the colour of the point. With any other value, the colour depends on the tone of the point.',
  examples: () => {
    const screen = (status: string) => ({
      statuses: { ok: { label: 'Works', tone: 'ok' } },
      map: {
        points: [
          { label: 'Depot', x: 10, y: 10, status },
          { label: 'Shop', x: 60, y: 40, status: 'ok' },
        ],
      },
    });
    return { bad: screen('okay'), finds: ['/map/points/0/status'], good: screen('ok') };
  },
  check: checkStatuses('/map'),
};

export const scenarioStatus: Rule = {
  id: 'scenario-status',
  severity: 'warning',
  summary: 'The scenario leads to an unknown status',
  documentation:
    'approveTo and rejectTo are keys of statuses, not labels. With any other value, the action changes nothing. rejectTo also requires reject, the label of its action.',
  examples: () => {
    const screen = (approveTo: string) => ({
      statuses: { approved: { label: 'Approved', tone: 'ok' } },
      scenario: { headline: 'Approval', control: 'Approve', approveTo },
    });
    return { bad: screen('Approved'), finds: ['/scenario/approveTo'], good: screen('approved') };
  },
  check(context, report) {
    checkStatuses('/scenario')(context, report);
    const { rejectTo, reject } = context.definition.scenario ?? {};
    if (rejectTo !== undefined && !reject) {
      report(
        '/scenario/rejectTo',
        'rejectTo has no effect without scenario.reject, the label of its action.',
        suggestRemoval('/scenario/rejectTo', 'rejectTo'),
      );
    }
  },
};

/** Returns a check that reports unknown statuses in a part of the definition. */
function checkStatuses(part: string, remedies = wordRemedies) {
  return ({ data, degradations, definition }: RuleContext, report: Report): void => {
    const statuses = Object.keys(definition.statuses ?? {});
    for (const { path, detail } of degradations('status-unknown', part)) {
      report(
        path,
        () => unknownStatus(detail, statuses),
        () => remedies(data, path, detail, statuses),
      );
    }
  };
}

function unknownStatus(status: string, statuses: Iterable<string>): string {
  return `Unknown status ${quote(status)}.${didYouMean(status, statuses)}`;
}

export const statusColumn: Rule = {
  id: 'status-column',
  severity: 'warning',
  summary: 'The status column of the table is missing or incomplete',
  documentation:
    "A column of type status contains the status of each row, and its values list the allowed keys of statuses. Without such a column, there are no filter tabs and the scenario's actions change nothing. If there are several, only the first one is used.",
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
        'No column has the type "status", so the scenario\'s actions cannot change rows.',
      );
    }
    for (const { index, values } of columns) {
      const path = pointer('table', 'columns', index);
      if (index !== columns[0]?.index)
        report(
          `${path}/type`,
          'Only the first column of type "status" determines the status of a row.',
        );
      if (statuses.size === 0) {
        report(`${path}/type`, 'This column requires statuses, but the definition has none.');
      } else if (values === undefined) {
        report(path, 'A status column requires values, the list of allowed statuses.');
      } else {
        for (const [position, value] of values.entries()) {
          if (statuses.has(value)) continue;
          const at = `${path}/values/${position}`;
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
