import { isObject, valueAt } from '../pointers.js';
import { pointer } from '../values.js';
import type { Rule } from './rule.js';

const lists: readonly (readonly [readonly string[], readonly string[]])[] = [
  [['nav'], ['label']],
  [['kpis'], ['label', 'value']],
  [['statuses'], ['label']],
  [['table', 'columns'], ['label']],
  [['sections'], ['title']],
  [['onboarding'], ['title', 'text']],
];

function* shownTexts(data: unknown): Generator<readonly [string, string]> {
  yield* textsOf(data, ['product'], ['name', 'entity']);
  yield* textsOf(data, ['scenario'], ['headline', 'control']);
  for (const [steps, names] of lists) {
    const list = valueAt(data, steps);
    if (typeof list !== 'object' || list === null) continue;
    for (const key of Object.keys(list)) yield* textsOf(data, [...steps, key], names);
  }
}

/** Texts that are there; what is missing or too short for the schema is an error already. */
function* textsOf(
  data: unknown,
  steps: readonly string[],
  names: readonly string[],
): Generator<readonly [string, string]> {
  const parent = valueAt(data, steps);
  if (!isObject(parent)) return;
  for (const name of names) {
    const text = parent[name];
    const refused = steps[0] === 'product' && text === '';
    if (typeof text === 'string' && !refused) yield [pointer(...steps, name), text];
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
    for (const [path, text] of shownTexts(data)) {
      if (text.trim() === '') report(path, 'This text is shown to people, but it is empty.');
    }
  },
};
