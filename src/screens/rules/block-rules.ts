import { nearest } from '../../base/nearest.js';
import { pointer } from '../../json/pointers.js';
import type { Remedies } from '../findings/finding.js';
import { removal, replacement, suggestRemoval, wordSuggestions } from '../findings/remedies.js';
import { quote } from '../text/quote.js';
import type { Rule } from './rule.js';

const requiredContent: Readonly<Record<string, string>> = {
  cards: 'items',
  chart: 'a chart with points',
  kpis: 'kpis at the root',
  table: 'a table with columns at the root',
  chat: 'ai at the root',
};

/** Suggests setting the type that shows the payload, or removing the payload. */
function otherType(
  { type }: { readonly type?: string },
  path: string,
  matchingType: string,
  payload: string,
): Remedies {
  const change = type === undefined ? [] : [replacement(`${path}/type`, matchingType)];
  return { suggestions: [...change, removal(`${path}/${payload}`, payload)] };
}

export const sectionPayload: Rule = {
  id: 'section-payload',
  severity: 'warning',
  summary: 'The content of a section does not match its type',
  documentation:
    "The type of a section determines what it shows: cards shows items; chart shows chart; kpis, table and chat show the screen's kpis, table and ai; text shows description, body and fields. A section without this content is shown as text. Content that belongs to a different type is not shown.",
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
        `A section of type ${quote(detail)} requires ${requiredContent[detail] ?? 'content'}. This section is shown as text instead.`,
      );
    }
    for (const [index, section] of (definition.sections ?? []).entries()) {
      const { type = 'text', items = [], chart, description, body, fields = [] } = section;
      const path = pointer('sections', index);
      if (type !== 'cards' && items.length > 0) {
        reportKey(
          `${path}/items`,
          `Only type "cards" shows items, but this section has the type "${type}".`,
          () => otherType(section, path, 'cards', 'items'),
        );
      }
      if (type !== 'chart' && chart !== undefined) {
        reportKey(
          `${path}/chart`,
          `Only type "chart" shows chart, but this section has the type "${type}".`,
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
        report(path, 'The section has only a title. Add a description, a body or fields.');
      }
    }
  },
};

export const aiAnswer: Rule = {
  id: 'ai-answer',
  severity: 'warning',
  summary: 'A suggested question has no answer',
  documentation:
    'A suggested question shows the answer whose key in ai.answers is exactly the text of the question. If there is no such key, it shows ai.fallback. Without either, the question has no answer.',
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
          const hint =
            near === undefined ? '' : ` The most similar question in answers is ${quote(near)}.`;
          return `${quote(suggestion)} has no answer, and there is no fallback.${hint}`;
        },
        () => wordSuggestions(data, path, suggestion, known),
      );
    }
  },
};

export const fragmentChange: Rule = {
  id: 'fragment-change',
  severity: 'warning',
  summary: 'A document fragment does not show its change',
  documentation:
    'If op is edit, the fragment shows the difference between was (the earlier text) and text. An edit without was shows no difference. With any other op, was is not shown.',
  examples: () => {
    const screen = (edit: object) => ({
      document: { title: 'Lease', fragments: [edit, { text: 'By the 10th.' }] },
    });
    return {
      bad: screen({ text: 'For one year.', op: 'edit' }),
      finds: ['/document/fragments/0/op'],
      good: screen({ text: 'For one year.', was: 'For two years.', op: 'edit' }),
    };
  },
  check({ definition }, report, reportKey) {
    for (const [index, { op, was }] of (definition.document?.fragments ?? []).entries()) {
      const path = pointer('document', 'fragments', index);
      if (op === 'edit' && was === undefined) {
        report(`${path}/op`, 'An edit without was (the earlier text) shows no change.');
      } else if (op !== 'edit' && was !== undefined) {
        reportKey(`${path}/was`, 'was (the earlier text) is shown only with op "edit".', () => ({
          suggestions: [
            ...(op === undefined ? [] : [replacement(`${path}/op`, 'edit')]),
            removal(`${path}/was`, 'was'),
          ],
        }));
      }
    }
  },
};

export const mapLine: Rule = {
  id: 'map-line',
  severity: 'warning',
  summary: 'A map line does not connect two points',
  documentation:
    'A line is a pair of zero-based indexes into map.points. A line to a missing point, or from a point to itself, is not drawn.',
  examples: () => {
    const points = [
      { label: 'Depot', x: 10, y: 10 },
      { label: 'Shop', x: 60, y: 40 },
    ];
    return {
      bad: { map: { points, lines: [[0, 2]] } },
      finds: ['/map/lines/0'],
      good: { map: { points, lines: [[0, 1]] } },
    };
  },
  check({ degradations, definition }, report) {
    const { points = [], lines = [] } = definition.map ?? {};
    for (const { path, detail } of degradations('index-out-of-range', '/map')) {
      report(
        path,
        `There is no point ${detail}. Point indexes range from 0 to ${points.length - 1}.`,
      );
    }
    for (const [index, [from, to]] of lines.entries()) {
      if (from === undefined || from !== to) continue;
      const path = pointer('map', 'lines', index);
      report(path, `The line connects point ${from} to itself.`, suggestRemoval(path, 'the line'));
    }
  },
};

export const timelineCurrent: Rule = {
  id: 'timeline-current',
  severity: 'warning',
  summary: 'Several events of the timeline are current',
  documentation:
    'A timeline has one current event. If several events are marked as current, only the first one is shown as current. Remove current from the others.',
  examples: () => {
    const screen = (filed: object) => ({
      timeline: {
        events: [
          { time: '1 March', title: 'Filed', ...filed },
          { time: '4 March', title: 'Visited', current: true },
          { time: '9 March', title: 'Decided' },
        ],
      },
    });
    return {
      bad: screen({ current: true }),
      finds: ['/timeline/events/1/current'],
      good: screen({}),
    };
  },
  check({ definition, screen }, report) {
    const first = screen.timeline?.current;
    for (const [index, { current }] of (definition.timeline?.events ?? []).entries()) {
      if (current !== true || index === first) continue;
      const path = pointer('timeline', 'events', index, 'current');
      report(
        path,
        `Event ${first} is already marked as current. Only the first current event is used.`,
        suggestRemoval(path, 'current'),
      );
    }
  },
};
