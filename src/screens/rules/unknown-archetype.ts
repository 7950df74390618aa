import { wordRemedies } from '../check/remedies.js';
import { archetypes } from '../normalise/archetype.js';
import { quote } from '../text/quote.js';
import { didYouMean } from '../text/suggest.js';
import type { Rule } from './rule.js';

export const unknownArchetype: Rule = {
  id: 'unknown-archetype',
  severity: 'warning',
  summary: 'The archetype is not known, so the queue table is shown',
  documentation:
    'The registry of archetypes is open: an id that the runtime does not know is no error, but the screen falls back to the queue table and the block made for the archetype is not shown. Ids are written in lower case.',
  examples: () => ({
    bad: { archetype: 'kanban' },
    finds: ['/archetype'],
    good: { archetype: 'cockpit' },
  }),
  check({ data, degradations }, report) {
    for (const { path, detail } of degradations('archetype-unknown')) {
      const hint = didYouMean(detail, archetypes);
      report(
        path,
        `No archetype is called ${quote(detail)}; the queue table is shown.${hint}`,
        () => wordRemedies(data, path, detail, archetypes),
      );
    }
  },
};
