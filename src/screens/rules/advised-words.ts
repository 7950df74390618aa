import { pointer } from '../../json/pointers.js';
import type { Rule } from './rule.js';

// Letters and digits of any script, roughly: all but ASCII signs, punctuation and currency. The class
// \p{L} says it exactly, but takes a millisecond to compile.
const wordSign = /[0-9A-Za-z\u00aa-\u00ba\u00c0-\u1fff\u2c00-\u2dff\u3040-\uffdc]/;

function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => wordSign.test(word)).length;
}

export const advisedWords: Rule = {
  id: 'advised-words',
  severity: 'info',
  summary: 'More words than read well',
  documentation:
    'Advice, not a rule: one to three words in the headline of the scenario, up to four in the label of a status, one or two in the heading of a column. Signs without letters or digits do not count.',
  examples: () => ({
    bad: { scenario: { headline: 'Approve all the open contracts', control: 'Approve' } },
    finds: ['/scenario/headline'],
    good: { scenario: { headline: 'Contract approval', control: 'Approve' } },
  }),
  check({ definition }, report) {
    const advise = (path: () => string, text: string, most: number): void => {
      // So many words and the spaces between them take more room.
      if (text.length <= 2 * most) return;
      const count = countWords(text);
      if (count <= most) return;
      const range = most === 2 ? 'one or two' : `up to ${most}`;
      report(path(), `${count} words; ${range} read better.`);
    };
    const { scenario, statuses = {}, table } = definition;
    if (scenario) advise(() => '/scenario/headline', scenario.headline, 3);
    for (const [key, { label }] of Object.entries(statuses))
      advise(() => pointer('statuses', key, 'label'), label, 4);
    table?.columns.forEach(({ label }, index) => {
      advise(() => pointer('table', 'columns', index, 'label'), label, 2);
    });
  },
};
