import type { Rule } from './rule.js';

// Latin and Cyrillic letters look alike here, and people use both.
const shortcut =
  /⌘|(?<![\p{L}\p{N}])(?:ctrl|cmd|command|control|контрол|контрл)(?![\p{L}])\s*[-+]?\s*[kкл]?(?![\p{L}\p{N}])/iu;

export const searchShortcut: Rule = {
  id: 'search-shortcut',
  severity: 'warning',
  summary: 'The placeholder of the search names the shortcut',
  documentation:
    "The Ctrl+K or Cmd+K shortcut has a badge of its own, which follows the person's keyboard and can be switched off. A shortcut written into the placeholder is shown twice, or wrongly.",
  examples: () => ({
    bad: { search: { placeholder: 'Search (Ctrl+K)' } },
    finds: ['/search/placeholder'],
    good: { search: { placeholder: 'Number, partner or subject' } },
  }),
  check({ definition }, report) {
    const placeholder = definition.search?.placeholder ?? '';
    if (!shortcut.test(placeholder)) return;
    report(
      '/search/placeholder',
      'The placeholder names the shortcut, which has a badge of its own; leave it out.',
    );
  },
};
