import type { Rule } from './rule.js';

// Latin and Cyrillic letters look alike here, and people use both. For text in lower case.
const shortcut =
  /⌘|(?<![a-z0-9\u0400-\u052f])(?:ctrl|cmd|command|control|контрол|контрл)(?![a-z\u0400-\u052f])/;

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
    if (!shortcut.test(placeholder.toLowerCase())) return;
    report(
      '/search/placeholder',
      'The placeholder names the shortcut, which has a badge of its own; leave it out.',
    );
  },
};
