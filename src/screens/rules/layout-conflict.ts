import { quote } from '../text/quote.js';
import { layoutRemedies } from './deprecated-property.js';
import type { Rule } from './rule.js';

export const layoutConflict: Rule = {
  id: 'layout-conflict',
  severity: 'warning',
  summary: 'archetype and layout name different layouts',
  documentation:
    'layout is the old name of archetype and is read only where archetype is absent. Where both are given and differ, archetype wins and layout misleads whoever reads the file. Remove layout.',
  examples: () => ({
    bad: { archetype: 'cockpit', layout: 'queue' },
    finds: ['/layout'],
    good: { archetype: 'cockpit' },
  }),
  check({ data, degradations, definition }, report) {
    for (const { path, detail } of degradations('layout-ignored')) {
      report(
        path,
        `layout ${quote(detail)} is ignored, because archetype is ${quote(definition.archetype)}. Remove layout.`,
        () => layoutRemedies(data),
      );
    }
  },
};
