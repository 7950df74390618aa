import type { Rule } from './rule.js';

/** Characters of a summary that are checked; the contract allows 280, so a longer one is an error already. @internal */
const longestSummary = 560;

/** Sentences that read well. */
const advisedCount = 2;

/** A sentence ends with its mark and a space before a capital, or at the end of the text. */
function countSentences(summary: string): number {
  const text = summary.trim().slice(0, longestSummary);
  // So few marks end no sentence too many. Capitals of all languages take long to compile, for a single file.
  const marks = text.match(/[.!?…]+/g) ?? [];
  if (marks.length <= advisedCount) return marks.length;
  const ends = text.match(/(?<![.!?…])[.!?…]+[»"”')\]]*(?=\s+[«"“(]?\p{Lu}|$)/gu) ?? [];
  return Math.max(ends.length, text === '' ? 0 : 1);
}

export const advisedSentences: Rule = {
  id: 'advised-sentences',
  severity: 'info',
  summary: 'A longer summary than reads well',
  documentation:
    'Advice, not a rule: the summary by AI says in one or two sentences what the agent has done. A longer one is not read before the decision is made.',
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
    if (count > advisedCount)
      report('/scenario/aiSummary', `${count} sentences; one or two read better.`);
  },
};
