import type { Rule } from './rule.js';
import { checkStatuses } from './unknown-status.js';

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
      );
    }
  },
};
