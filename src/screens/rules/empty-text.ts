import { isObject, pointer, valueAt } from '../../json/pointers.js';
import type { Report, Rule } from './rule.js';

/** Where texts are, and what they are called. */
type Texts = readonly [steps: readonly string[], names: readonly string[]];

const blocks: readonly Texts[] = [
  [['product'], ['name', 'entity']],
  [['scenario'], ['headline', 'control']],
];

const lists: readonly Texts[] = [
  [['nav'], ['label']],
  [['kpis'], ['label', 'value']],
  [['statuses'], ['label']],
  [['table', 'columns'], ['label']],
  [['sections'], ['title']],
  [['onboarding'], ['title', 'text']],
];

/** Visits the items of a list, or the statuses: what an object holds by name is gone through like items. */
function eachItem(items: unknown, visit: (item: unknown, key: string | number) => void): void {
  if (Array.isArray(items)) items.forEach(visit);
  else if (isObject(items)) for (const key of Object.keys(items)) visit(items[key], key);
}

/**
 * Looks at texts that are there; what is missing or of the wrong kind is an error already. `key` is the step
 * into a list: a place is only written for what is reported.
 */
function checkTexts(
  parent: unknown,
  [steps, names]: Texts,
  report: Report,
  key?: string | number,
): void {
  if (!isObject(parent)) return;
  for (const name of names) {
    const text = parent[name];
    if (typeof text !== 'string' || text.trim() !== '') continue;
    // An empty name of the product is too short for the schema.
    if (steps[0] === 'product' && text === '') continue;
    const place = key === undefined ? [name] : [key, name];
    report(pointer(...steps, ...place), 'This text is shown to people, but it is empty.');
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
    for (const texts of blocks) checkTexts(valueAt(data, texts[0]), texts, report);
    for (const texts of lists) {
      eachItem(valueAt(data, texts[0]), (item, key) => checkTexts(item, texts, report, key));
    }
  },
};
