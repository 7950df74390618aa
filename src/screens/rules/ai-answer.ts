import { nearest } from '../../base/nearest.js';
import { pointer } from '../../json/pointers.js';
import { wordSuggestions } from '../check/remedies.js';
import { quote } from '../text/quote.js';
import type { Rule } from './rule.js';

export const aiAnswer: Rule = {
  id: 'ai-answer',
  severity: 'warning',
  summary: 'A suggested question has no answer',
  documentation:
    'A person who picks a suggestion gets the answer stored under exactly the same words in ai.answers, or else ai.fallback. A suggestion with neither is a dead end.',
  examples: () => {
    const screen = (question: string) => ({
      ai: { suggestions: ['What is late?'], answers: { [question]: 'Two requests.' } },
    });
    return {
      bad: screen('What is late'),
      finds: ['/ai/suggestions/0'],
      good: screen('What is late?'),
    };
  },
  check({ data, definition }, report) {
    const { suggestions = [], answers = {}, fallback } = definition.ai ?? {};
    if (fallback) return;
    const known = Object.keys(answers);
    for (const [index, suggestion] of suggestions.entries()) {
      if (Object.hasOwn(answers, suggestion)) continue;
      const path = pointer('ai', 'suggestions', index);
      report(
        path,
        () => {
          const near = nearest(suggestion, known);
          const hint = near === undefined ? '' : ` The nearest answer is for ${quote(near)}.`;
          return `There is no answer to ${quote(suggestion)} and no fallback.${hint}`;
        },
        () => wordSuggestions(data, path, suggestion, known),
      );
    }
  },
};
