import { removal, replacement } from '../check/remedies.js';
import type { Rule } from './rule.js';

export const currentStep: Rule = {
  id: 'current-step',
  severity: 'warning',
  summary: 'The current step does not exist',
  documentation:
    'wizard.current is the index of a step, counted from 0; steps.current is the number of a stage, counted from 1. Outside the list the nearest step is shown as the current one.',
  examples: () => {
    const steps = [
      { title: 'Item', fields: [{ label: 'Name' }] },
      { title: 'Check', fields: [{ label: 'Comment' }] },
    ];
    return {
      bad: { wizard: { current: 2, steps } },
      finds: ['/wizard/current'],
      good: { wizard: { current: 1, steps } },
    };
  },
  check({ degradations, definition }, report) {
    for (const { path, detail } of degradations('index-out-of-range', '/wizard')) {
      const last = (definition.wizard?.steps.length ?? 0) - 1;
      report(path, `current is ${detail}, but the steps are counted from 0 to ${last}.`, () => ({
        suggestions: last >= 0 ? [replacement(path, last)] : [],
      }));
    }
    for (const { path, detail } of degradations('index-out-of-range', '/steps')) {
      report(
        path,
        `current is ${detail}, but the stages are counted from 1 to ${definition.steps?.items?.length ?? 0}.`,
      );
    }
    const { steps } = definition;
    if (steps?.current !== undefined && (steps.items ?? []).length === 0) {
      report('/steps/current', 'current has no effect, because steps has no items.', () => ({
        suggestions: [removal('/steps/current', 'current')],
      }));
    }
  },
};
