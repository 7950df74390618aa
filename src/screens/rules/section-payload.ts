import { pointer } from '../../json/pointers.js';
import type { Remedies } from '../check/fixes.js';
import { removal, replacement } from '../check/remedies.js';
import { quote } from '../text/quote.js';
import type { Rule } from './rule.js';

const needs: Readonly<Record<string, string>> = {
  cards: 'items',
  chart: 'chart with points',
  kpis: 'kpis at the root',
  table: 'a table with columns at the root',
  chat: 'ai at the root',
};

/** The payload is wanted, and then so is its type; or it is not. */
function otherType(
  { type }: { readonly type?: string },
  path: string,
  wanted: string,
  payload: string,
): Remedies {
  const change = type === undefined ? [] : [replacement(`${path}/type`, wanted)];
  return { suggestions: [...change, removal(`${path}/${payload}`, payload)] };
}

export const sectionPayload: Rule = {
  id: 'section-payload',
  severity: 'warning',
  summary: 'A section lacks what its type shows, or has what it does not',
  documentation:
    "A section shows what its type says: cards needs items, chart needs chart, kpis, table and chat show the screen's own kpis, table and ai, and text shows description, body and fields. Without its payload a section is shown as text; a payload of another type is not shown at all.",
  examples: () => ({
    bad: { archetype: 'custom', sections: [{ title: 'News', type: 'cards' }] },
    finds: ['/sections/0/type'],
    good: {
      archetype: 'custom',
      sections: [{ title: 'News', type: 'cards', items: [{ title: 'New printer' }] }],
    },
  }),
  check({ degradations, definition }, report, reportKey) {
    for (const { path, detail } of degradations('section-without-payload')) {
      report(
        path,
        `A section of type ${quote(detail)} needs ${needs[detail] ?? 'its payload'}; without it the section is shown as text.`,
      );
    }
    for (const [index, section] of (definition.sections ?? []).entries()) {
      const { type = 'text', items = [], chart, description, body, fields = [] } = section;
      const path = pointer('sections', index);
      if (type !== 'cards' && items.length > 0) {
        reportKey(
          `${path}/items`,
          `items are shown by type "cards" only, and this section has the type "${type}".`,
          () => otherType(section, path, 'cards', 'items'),
        );
      }
      if (type !== 'chart' && chart !== undefined) {
        reportKey(
          `${path}/chart`,
          `chart is shown by type "chart" only, and this section has the type "${type}".`,
          () => otherType(section, path, 'chart', 'chart'),
        );
      }
      if (
        type === 'text' &&
        !description &&
        !body &&
        fields.length === 0 &&
        items.length === 0 &&
        chart === undefined
      ) {
        report(
          path,
          'The section has a title and nothing else: give it description, body or fields.',
        );
      }
    }
  },
};
