import { pointer, valueAt } from '../../json/pointers.js';
import { plural } from '../findings/finding.js';
import { quote } from '../text/quote.js';
import type { Rule } from './rule.js';

/** The actual count, and the advised range. */
type Advice = readonly [count: number, least: number, most: number];

export const advisedCount: Rule = {
  id: 'advised-count',
  severity: 'info',
  summary: 'A count is outside the advised range',
  documentation:
    'A screen reads best with three to five sections in a navigation group, 7 to 31 bars in a chart, 8 to 12 rows in an example table, and two or three onboarding slides.',
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
    const advise = (path: string, what: () => string, [count, low, high]: Advice): void => {
      if (count >= low && count <= high) return;
      reportKey(path, () => `${what()}; ${low} to ${high} are advised.`);
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

// Approximately the letters and digits of any script. The exact class \p{L} takes a millisecond to compile.
const wordSign = /[0-9A-Za-z\u00aa-\u00ba\u00c0-\u1fff\u2c00-\u2dff\u3040-\uffdc]/;

function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => wordSign.test(word)).length;
}

export const advisedWords: Rule = {
  id: 'advised-words',
  severity: 'info',
  summary: 'A text has more words than advised',
  documentation:
    'Short texts are easier to scan. Use one to three words in the headline of the scenario, up to four in the label of a status, and one or two in the heading of a column. Words without letters or digits do not count.',
  examples: () => ({
    bad: { scenario: { headline: 'Approve all the open contracts', control: 'Approve' } },
    finds: ['/scenario/headline'],
    good: { scenario: { headline: 'Contract approval', control: 'Approve' } },
  }),
  check({ definition }, report) {
    const advise = (path: () => string, text: string, most: number): void => {
      // Too short to have more words.
      if (text.length <= 2 * most) return;
      const count = countWords(text);
      if (count <= most) return;
      const range = most === 2 ? 'one or two' : `up to ${most}`;
      report(path(), `${count} words; ${range} are advised.`);
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

/** Characters of a summary that are checked. The contract allows 280. @internal */
const maxSummaryLength = 560;

/** The advised number of sentences. */
const advisedSentenceCount = 2;

/** Counts marks that are followed by a space and a capital, or by the end of the text. */
function countSentences(summary: string): number {
  const text = summary.trim().slice(0, maxSummaryLength);
  // The exact pattern takes long to compile; it is not needed if there are few marks.
  const marks = text.match(/[.!?…]+/g) ?? [];
  if (marks.length <= advisedSentenceCount) return marks.length;
  const ends = text.match(/(?<![.!?…])[.!?…]+[»"”')\]]*(?=\s+[«"“(]?\p{Lu}|$)/gu) ?? [];
  return Math.max(ends.length, text === '' ? 0 : 1);
}

export const advisedSentences: Rule = {
  id: 'advised-sentences',
  severity: 'info',
  summary: 'The AI summary has more sentences than advised',
  documentation:
    'The AI summary says in one or two sentences what the agent has done. People do not read a longer summary before they decide.',
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
    if (count > advisedSentenceCount)
      report('/scenario/aiSummary', `${count} sentences; one or two are advised.`);
  },
};
