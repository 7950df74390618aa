import { once } from '../../base/single-flight.js';
import { pointer } from '../../json/pointers.js';
import { plural, type Remedies } from '../findings/finding.js';
import { removal, replacement, suggestRemoval, wordRemedies } from '../findings/remedies.js';
import { didYouMean, quote } from '../text/quote.js';
import type { Rule } from './rule.js';

export const navDocuments: Rule = {
  id: 'nav-documents',
  severity: 'warning',
  summary: 'A documents section is empty',
  documentation:
    'A nav section with the view documents lists the documents in the _docs of all rows. docType limits the list to one type. The section is empty if no row has documents, or if no document has this type. docType has no effect without the view documents.',
  examples: () => {
    const screen = (docType: string) => ({
      nav: [{ label: 'Claims', view: 'documents', docType }],
      table: {
        columns: [{ key: 'id', label: 'Number' }],
        rows: [{ id: 'A-1', _docs: [{ label: 'Claim A-1', type: 'claim' }] }],
      },
    });
    return { bad: screen('claims'), finds: ['/nav/0/docType'], good: screen('claim') };
  },
  check({ data, definition, screen }, report) {
    const sections = (definition.nav ?? []).filter(({ view, docType }) => view ?? docType);
    if (sections.length === 0) return;
    const docs = (screen.table?.rows ?? []).flatMap((row) => row.docs);
    const types = new Set(docs.flatMap(({ type }) => (type === undefined ? [] : [type])));
    for (const [index, { view, docType }] of (definition.nav ?? []).entries()) {
      const path = pointer('nav', index);
      if (view !== 'documents') {
        if (docType === undefined) continue;
        report(
          `${path}/docType`,
          'docType has no effect without view "documents".',
          suggestRemoval(`${path}/docType`, 'docType'),
        );
      } else if (docs.length === 0) {
        report(`${path}/view`, 'The section is empty, because no row has documents (_docs).');
      } else if (docType !== undefined && !types.has(docType)) {
        report(
          `${path}/docType`,
          () => `No document has the type ${quote(docType)}.${didYouMean(docType, types)}`,
          () => wordRemedies(data, `${path}/docType`, docType, types),
        );
      }
    }
  },
};

export const navGroupSplit: Rule = {
  id: 'nav-group-split',
  severity: 'warning',
  summary: 'A group of sections is split',
  documentation:
    'Adjacent sections of the same group share one heading. If there are other sections between them, the heading is shown more than once. Move the sections of a group together.',
  examples: () => {
    const queue = { label: 'Queue', group: 'Work' };
    const all = { label: 'All', group: 'Work' };
    const templates = { label: 'Templates', group: 'Reference' };
    return {
      bad: { nav: [queue, templates, all] },
      finds: ['/nav/2/group'],
      good: { nav: [queue, all, templates] },
    };
  },
  about: () => '/nav/*/group',
  check({ screen }, report) {
    const seen = new Set<string>();
    for (const { heading, items } of screen.nav) {
      if (heading === undefined) continue;
      if (seen.has(heading)) {
        report(
          pointer('nav', items[0]?.index ?? 0, 'group'),
          `The heading ${quote(heading)} is shown more than once, because other sections split the group. Move the sections of the group together.`,
        );
      }
      seen.add(heading);
    }
  },
};

function describe(sections: number): string {
  if (sections === 0) return 'there is no nav';
  return `nav has ${plural(sections, 'section')}, numbered from 0`;
}

export const bannerAction: Rule = {
  id: 'banner-action',
  severity: 'warning',
  summary: "The banner's button has no target",
  documentation:
    'banner.actionNav is the zero-based index of the nav section that the button opens. Group headings are not counted. The button requires a label (action) and an existing section. Otherwise, the banner is shown as plain text.',
  examples: () => {
    const screen = (actionNav: number) => ({
      nav: [{ label: 'Queue' }, { label: 'All' }],
      banner: { text: 'Two requests are late.', action: 'Open all', actionNav },
    });
    return { bad: screen(2), finds: ['/banner/actionNav'], good: screen(1) };
  },
  check({ degradations, definition, screen }, report) {
    const sections = definition.nav?.length ?? 0;
    for (const { path, detail } of degradations('index-out-of-range', '/banner')) {
      report(path, `actionNav is ${detail}, but ${describe(sections)}.`);
    }
    for (const { path } of degradations('action-without-target')) {
      report(path, 'The button has no target. Set actionNav to the index of a nav section.');
    }
    if (screen.banner?.target !== undefined && screen.banner.action === undefined) {
      report(
        '/banner/actionNav',
        'actionNav has no effect, because the banner has no button label (action).',
        suggestRemoval('/banner/actionNav', 'actionNav'),
      );
    }
  },
};

export const currentStep: Rule = {
  id: 'current-step',
  severity: 'warning',
  summary: 'The current step does not exist',
  documentation:
    'wizard.current is the index of a step, counted from 0. steps.current is the number of a stage, counted from 1. If the step or stage does not exist, the nearest one is shown as current.',
  examples: () => {
    const steps = [
      { title: 'Item', fields: [{ label: 'Name' }] },
      { title: 'Check', fields: [{ label: 'Comment' }] },
    ];
    return {
      bad: { wizard: { current: 2, steps } },
      finds: ['/wizard/current'],
      good: { wizard: { current: 1, steps } },
    };
  },
  check({ degradations, definition }, report) {
    for (const { path, detail } of degradations('index-out-of-range', '/wizard')) {
      const last = (definition.wizard?.steps.length ?? 0) - 1;
      report(path, `current is ${detail}, but the steps are numbered from 0 to ${last}.`, () => ({
        suggestions: last >= 0 ? [replacement(path, last)] : [],
      }));
    }
    for (const { path, detail } of degradations('index-out-of-range', '/steps')) {
      report(
        path,
        `current is ${detail}, but the stages are numbered from 1 to ${definition.steps?.items?.length ?? 0}.`,
      );
    }
    const { steps } = definition;
    if (steps?.current !== undefined && (steps.items ?? []).length === 0) {
      report(
        '/steps/current',
        'current has no effect, because steps has no items.',
        suggestRemoval('/steps/current', 'current'),
      );
    }
  },
};

// Matches lowercase text. Some Latin and Cyrillic letters look the same, and people use both.
const shortcut =
  /⌘|(?<![a-z0-9\u0400-\u052f])(?:ctrl|cmd|command|control|контрол|контрл)(?![a-z\u0400-\u052f])/;

/**
 * Matches a shortcut at the end of a text, with or without brackets: `(Ctrl+K)`, `⌘K / Ctrl + K`. All repetitions are
 * limited, because a definition can contain any text.
 */
const shortcutAtEnd = once(
  () =>
    /[\s\u2013\u2014,;:|·-]{0,8}[([]?(?:\s{0,2}(?:\/|или|or)?\s{0,2}(?:⌘|ctrl|cmd|command|control)\s{0,2}[+-]?\s{0,2}[kк](?![\p{L}\d])){1,3}\s{0,2}[)\]]?\s{0,8}$/iu,
);

/** Returns a fix that removes a shortcut at the end of the text. */
function shortcutRemedies(placeholder: string): Remedies {
  const rest = placeholder.replace(shortcutAtEnd(), '');
  if (rest === placeholder || shortcut.test(rest.toLowerCase())) return {};
  const path = '/search/placeholder';
  return { fix: rest === '' ? removal(path, 'placeholder') : replacement(path, rest) };
}

export const searchShortcut: Rule = {
  id: 'search-shortcut',
  severity: 'warning',
  summary: 'The search placeholder mentions the shortcut',
  documentation:
    "A badge already shows the shortcut (Ctrl+K or Cmd+K, depending on the person's keyboard), unless it is turned off. A shortcut in the placeholder is redundant or wrong.",
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
      'The placeholder mentions the shortcut. Remove the shortcut, because a badge already shows it.',
      () => shortcutRemedies(placeholder),
    );
  },
};
