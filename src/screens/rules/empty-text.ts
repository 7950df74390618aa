import { isObject, pointer, valueAt } from '../../json/pointers.js';
import type { Report, Rule } from './rule.js';

const blocks: readonly (readonly [string, readonly string[]])[] = [
  ['product', ['name', 'entity']],
  ['scenario', ['headline', 'control']],
];

const lists: readonly (readonly [readonly string[], readonly string[]])[] = [
  [['nav'], ['label']],
  [['kpis'], ['label', 'value']],
  [['statuses'], ['label']],
  [['table', 'columns'], ['label']],
  [['sections'], ['title']],
  [['onboarding'], ['title', 'text']],
];

/** A list, or the statuses: what an object holds by name is gone through like items. */
function itemsOf(data: unknown, steps: readonly string[]): object {
  const items = valueAt(data, steps);
  return typeof items === 'object' && items !== null ? items : [];
}

/** Looks at texts that are there; what is missing or of the wrong kind is an error already. */
function checkTexts(
  parent: unknown,
  steps: readonly string[],
  names: readonly string[],
  report: Report,
): void {
  if (!isObject(parent)) return;
  for (const name of names) {
    const text = parent[name];
    if (typeof text !== 'string' || text.trim() !== '') continue;
    // An empty name of the product is too short for the schema.
    if (steps[0] === 'product' && text === '') continue;
    report(pointer(...steps, name), 'This text is shown to people, but it is empty.');
  }
}

export const emptyText: Rule = {
  id: 'empty-text',
  severity: 'warning',
  summary: 'A text that people should see is empty',
  documentation:
    'The contract asks for the property but not for anything in it, so that an empty label is valid; on the screen it is a heading, a button or a tab without a name.',
  examples: () => ({
    bad: { scenario: { headline: 'Approval', control: ' ' } },
    finds: ['/scenario/control'],
    good: { scenario: { headline: 'Approval', control: 'Approve' } },
  }),
  check({ data }, report) {
    for (const [block, names] of blocks) {
      checkTexts(valueAt(data, [block]), [block], names, report);
    }
    for (const [steps, names] of lists) {
      for (const [key, item] of Object.entries(itemsOf(data, steps))) {
        checkTexts(item, [...steps, key], names, report);
      }
    }
  },
};
