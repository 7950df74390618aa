import { pointer } from '../../json/pointers.js';
import { suggestRemoval, wordRemedies, wordSuggestions } from '../findings/remedies.js';
import { didYouMean, quote } from '../text/quote.js';
import type { Report, Rule, RuleContext } from './rule.js';

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
  check: checkStatuses('/table', wordSuggestions),
};

export const mapStatus: Rule = {
  id: 'map-status',
  severity: 'warning',
  summary: 'A point of the map has a status that does not exist',
  documentation:
    'The status of a point is a key of statuses and gives the point its colour. With any other word the point falls back to its own tone.',
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
  summary: 'The scenario leads to a status that does not exist',
  documentation:
    'approveTo and rejectTo name keys of statuses (not their labels). With any other word the action changes nothing. rejectTo also needs an action to start it: the label in reject.',
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
        'rejectTo has no effect, because no action leads to it: scenario.reject is missing.',
        suggestRemoval('/scenario/rejectTo', 'rejectTo'),
      );
    }
  },
};

/** A check that every status named under a part of the definition is a key of statuses. */
function checkStatuses(part: string, remedies = wordRemedies) {
  return ({ data, degradations, definition }: RuleContext, report: Report): void => {
    const statuses = Object.keys(definition.statuses ?? {});
    // Rows repeat their statuses, and what one may mean takes a search.
    const messages = new Map<string, string>();
    const messageOf = (status: string): string => {
      const message = messages.get(status) ?? unknownStatus(status, statuses);
      messages.set(status, message);
      return message;
    };
    for (const { path, detail } of degradations('status-unknown', part)) {
      report(
        path,
        () => messageOf(detail),
        () => remedies(data, path, detail, statuses),
      );
    }
  };
}

/** Says that a status is no key of `statuses`, and which one may be meant. */
function unknownStatus(status: string, statuses: Iterable<string>): string {
  return `${quote(status)} is no key of statuses.${didYouMean(status, statuses)}`;
}

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
