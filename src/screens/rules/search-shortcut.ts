import { once } from '../../base/single-flight.js';
import type { Remedies } from '../check/fixes.js';
import { removal, replacement } from '../check/remedies.js';
import type { Rule } from './rule.js';

// Latin and Cyrillic letters look alike here, and people use both. For text in lower case.
const shortcut =
  /⌘|(?<![a-z0-9\u0400-\u052f])(?:ctrl|cmd|command|control|контрол|контрл)(?![a-z\u0400-\u052f])/;

/**
 * A name of the shortcut that ends the text, in brackets or not: `(Ctrl+K)`, `⌘K / Ctrl + K`. Nothing repeats without
 * a bound: a definition may hold any text.
 */
const atTheEnd = once(
  () =>
    /[\s\u2013\u2014,;:|·-]{0,8}[([]?(?:\s{0,2}(?:\/|или|or)?\s{0,2}(?:⌘|ctrl|cmd|command|control)\s{0,2}[+-]?\s{0,2}[kк](?![\p{L}\d])){1,3}\s{0,2}[)\]]?\s{0,8}$/iu,
);

/** Where the shortcut is all that the end of the text says, the text does without it. */
function shortcutRemedies(placeholder: string): Remedies {
  const rest = placeholder.replace(atTheEnd(), '');
  if (rest === placeholder || shortcut.test(rest.toLowerCase())) return {};
  const path = '/search/placeholder';
  return { fix: rest === '' ? removal(path, 'placeholder') : replacement(path, rest) };
}

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
      () => shortcutRemedies(placeholder),
    );
  },
};
