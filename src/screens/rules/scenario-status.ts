import { quote } from '../text/quote.js';
import { didYouMean } from '../text/suggest.js';
import type { Rule } from './rule.js';

export const scenarioStatus: Rule = {
  id: 'scenario-status',
  severity: 'warning',
  summary: 'The scenario leads to a status that does not exist',
  documentation:
    'approveTo and rejectTo name keys of statuses (not their labels). With any other word the action changes nothing. rejectTo also needs an action to start it: the label in reject.',
  examples: () => ({
    bad: {
      statuses: { approved: { label: 'Approved', tone: 'ok' } },
      scenario: { headline: 'Approval', control: 'Approve', approveTo: 'Approved' },
    },
    finds: ['/scenario/approveTo'],
    good: {
      statuses: { approved: { label: 'Approved', tone: 'ok' } },
      scenario: { headline: 'Approval', control: 'Approve', approveTo: 'approved' },
    },
  }),
  check({ degradations, definition }, report) {
    const statuses = Object.keys(definition.statuses ?? {});
    for (const { path, detail } of degradations('status-unknown', '/scenario')) {
      report(path, () => `${quote(detail)} is no key of statuses.${didYouMean(detail, statuses)}`);
    }
    const { rejectTo, reject } = definition.scenario ?? {};
    if (rejectTo !== undefined && !reject) {
      report(
        '/scenario/rejectTo',
        'rejectTo has no effect, because no action leads to it: scenario.reject is missing.',
      );
    }
  },
};
