import { pointer } from '../../json/pointers.js';
import { removal, replacement } from '../check/remedies.js';
import type { Rule } from './rule.js';

export const fragmentChange: Rule = {
  id: 'fragment-change',
  severity: 'warning',
  summary: 'A fragment of the document does not show its change',
  documentation:
    'was holds the earlier text of a fragment and is compared with text when op is edit. An edit without the earlier text shows no change, and an earlier text with another op is not shown.',
  examples: () => {
    const screen = (edit: object) => ({
      document: { title: 'Lease', fragments: [edit, { text: 'By the 10th.' }] },
    });
    return {
      bad: screen({ text: 'For one year.', op: 'edit' }),
      finds: ['/document/fragments/0/op'],
      good: screen({ text: 'For one year.', was: 'For good.', op: 'edit' }),
    };
  },
  check({ definition }, report, reportKey) {
    for (const [index, { op, was }] of (definition.document?.fragments ?? []).entries()) {
      const path = pointer('document', 'fragments', index);
      if (op === 'edit' && was === undefined) {
        report(`${path}/op`, 'An edit without the earlier text (was) shows no change.');
      } else if (op !== 'edit' && was !== undefined) {
        reportKey(`${path}/was`, 'The earlier text is shown with op "edit" only.', () => ({
          suggestions: [
            ...(op === undefined ? [] : [replacement(`${path}/op`, 'edit')]),
            removal(`${path}/was`, 'was'),
          ],
        }));
      }
    }
  },
};
