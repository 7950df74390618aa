import { pointer, valueAt } from '../../json/pointers.js';
import { plural } from '../findings/finding.js';
import { quote } from '../text/quote.js';
import type { Rule } from './rule.js';

/** The actual count and the recommended range. */
type Advice = readonly [count: number, min: number, max: number];

export const advisedCount: Rule = {
  id: 'advised-count',
  severity: 'info',
  summary: 'A count is outside the recommended range',
  documentation:
    'A screen is easiest to read with three to five sections per navigation group, 7 to 31 bars in a chart, 8 to 12 rows in an example table, and two or three onboarding slides.',
  examples: () => ({
    bad: { onboarding: [{ title: 'Welcome', text: 'Requests wait in the queue.' }] },
    finds: ['/onboarding'],
    good: {
      onboarding: [
        { title: 'Welcome', text: 'Requests wait in the queue.' },
        { title: 'Decide', text: 'Approve or return them.' },
      ],
    },
  }),
  about(path, data) {
    const [, index] = /^\/nav\/(\d+)$/.exec(path) ?? [];
    if (index === undefined) return undefined;
    const group = valueAt(data, ['nav', index, 'group']);
    return typeof group === 'string' ? `/nav/* of ${group}` : '/nav/*';
  },
  check({ definition, screen }, _report, reportKey) {
    const advise = (path: string, describe: () => string, [count, min, max]: Advice): void => {
      if (count >= min && count <= max) return;
      reportKey(path, () => `${describe()}; ${min} to ${max} are recommended.`);
    };
    for (const { heading, items } of screen.nav) {
      const count = items.length;
      const where = () =>
        heading === undefined ? 'without a group' : `in the group ${quote(heading)}`;
      const path = pointer('nav', items[0]?.index ?? 0);
      advise(path, () => `${plural(count, 'section')} ${where()}`, [count, 3, 5]);
    }
    const { chart, table, onboarding } = definition;
    const bars = screen.chart?.source.kind === 'bars' ? (chart?.bars?.length ?? 0) : 0;
    if (bars > 0) advise('/chart/bars', () => plural(bars, 'bar'), [bars, 7, 31]);
    const rows = table?.rows.length;
    if (rows !== undefined) advise('/table/rows', () => plural(rows, 'row'), [rows, 8, 12]);
    const slides = onboarding?.length ?? 0;
    if (slides > 0) advise('/onboarding', () => plural(slides, 'slide'), [slides, 2, 3]);
  },
};

// Matches approximately the letters and digits of any script. The exact class \p{L} takes a millisecond to compile.
const wordSign = /[0-9A-Za-z\u00aa-\u00ba\u00c0-\u1fff\u2c00-\u2dff\u3040-\uffdc]/;

function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => wordSign.test(word)).length;
}

export const advisedWords: Rule = {
  id: 'advised-words',
  severity: 'info',
  summary: 'A text has more words than recommended',
  documentation:
    'Short texts are easier to scan. Use up to three words in a scenario headline, up to four in a status label, and one or two in a column heading. Words without letters or digits are not counted.',
  examples: () => ({
    bad: { scenario: { headline: 'Approve all the open contracts', control: 'Approve' } },
    finds: ['/scenario/headline'],
    good: { scenario: { headline: 'Contract approval', control: 'Approve' } },
  }),
  check({ definition }, report) {
    const advise = (path: () => string, text: string, max: number): void => {
      // A text this short cannot have more than `max` words.
      if (text.length <= 2 * max) return;
      const count = countWords(text);
      if (count <= max) return;
      const range = max === 2 ? 'one or two' : `up to ${max}`;
      report(path(), `${count} words; ${range} are recommended.`);
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

/** Maximum checked length of a summary, in characters. The contract allows 280. @internal */
const maxSummaryLength = 560;

/** Maximum recommended number of sentences. */
const maxSentences = 2;

/** Counts punctuation marks that precede a space and a capital letter, or the end of the text. */
function countSentences(summary: string): number {
  const text = summary.trim().slice(0, maxSummaryLength);
  // The exact pattern is slow to compile, and is not needed if there are few punctuation marks.
  const marks = text.match(/[.!?…]+/g) ?? [];
  if (marks.length <= maxSentences) return marks.length;
  const ends = text.match(/(?<![.!?…])[.!?…]+[»"”')\]]*(?=\s+[«"“(]?\p{Lu}|$)/gu) ?? [];
  return Math.max(ends.length, text === '' ? 0 : 1);
}

export const advisedSentences: Rule = {
  id: 'advised-sentences',
  severity: 'info',
  summary: 'The AI summary has more sentences than recommended',
  documentation:
    'The AI summary should describe in one or two sentences what the agent did. People do not read a longer summary before they decide.',
  examples: () => {
    const screen = (aiSummary: string) => ({
      scenario: { headline: 'Approval', control: 'Approve', aiSummary },
    });
    return {
      bad: screen(
        'The agent read the queue. It compared every contract with its template. It found three differences.',
      ),
      finds: ['/scenario/aiSummary'],
      good: screen(
        'The agent compared twelve contracts with their templates and found three differences.',
      ),
    };
  },
  check({ definition }, report) {
    const count = countSentences(definition.scenario?.aiSummary ?? '');
    if (count > maxSentences)
      report('/scenario/aiSummary', `${count} sentences; one or two are recommended.`);
  },
};
