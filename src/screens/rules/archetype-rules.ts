import { isObject, pointer } from '../../json/pointers.js';
import type { Remedies } from '../findings/finding.js';
import { removal, renaming, suggestRemoval, wordRemedies } from '../findings/remedies.js';
import { archetypeBlocks, archetypes } from '../normalise/archetype.js';
import { didYouMean, quote } from '../text/quote.js';
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

export const missingArchetypeBlock: Rule = {
  id: 'missing-archetype-block',
  severity: 'warning',
  summary: 'The archetype has no data to show',
  documentation:
    'Most archetypes draw one block of their own: compare needs compare.pairs and a table, inbox needs inbox and a table, custom needs sections, copilot needs artifact, and document, wizard, analytics, calendar, map and timeline need the block of their name. Without it the screen falls back to the queue table. A dashboard without its block shows the metrics, the chart and the activity, but no trends.',
  examples: () => ({
    bad: { archetype: 'compare' },
    finds: ['/archetype'],
    good: {
      archetype: 'timeline',
      timeline: {
        events: [
          { time: '1 March', title: 'Claim filed' },
          { time: '4 March', title: 'Site visited' },
          { time: '9 March', title: 'Decision' },
        ],
      },
    },
  }),
  check({ degradations, screen, definition }, report) {
    const asked = definition.archetype ?? definition.layout ?? 'queue';
    for (const { path, detail } of degradations('archetype-block-missing')) {
      report(
        path,
        `Archetype ${quote(asked)} needs a filled block "${detail}"; without it the queue table is shown.`,
      );
    }
    if (screen.archetype === 'dashboard' && screen.dashboard === undefined) {
      const path = definition.archetype === undefined ? '/layout' : '/archetype';
      report(
        path,
        'Archetype "dashboard" has no block "dashboard"; no trends are shown, only metrics, chart and activity.',
      );
    }
  },
};

/** Archetypes with the block that they alone draw. A dashboard can do without its own, which is called like it. */
const owned = Object.entries(archetypeBlocks).map(
  ([owner, [block = owner]]) => [owner, block] as const,
);

export const idleBlock: Rule = {
  id: 'idle-block',
  severity: 'info',
  summary: 'A block of another archetype is never shown',
  documentation:
    'A block that belongs to one archetype is drawn only by that archetype. Keeping the blocks of several archetypes in one definition is allowed, and handy while trying them out, but everything that is not drawn still has to be kept right.',
  examples: () => {
    const events = [
      { date: '2026-03-02', title: 'Report' },
      { date: '2026-03-09', title: 'Payment' },
    ];
    return {
      bad: { archetype: 'queue', calendar: { events } },
      finds: ['/calendar'],
      good: { archetype: 'calendar', calendar: { events } },
    };
  },
  check({ definition, screen }, _report, reportKey) {
    for (const [owner, block] of owned) {
      if (!Object.hasOwn(definition, block) || screen.archetype === owner) continue;
      reportKey(
        `/${block}`,
        `"${block}" is shown by archetype "${owner}" only, and this screen is shown as "${screen.archetype}".`,
        suggestRemoval(`/${block}`, block),
      );
    }
  },
};

/** The runtime reads archetype where there is one, whatever layout says. */
function layoutRemedies(data: unknown): Remedies {
  if (!isObject(data)) return {};
  if (typeof data.archetype === 'string') return { fix: removal('/layout', 'layout') };
  if (Object.hasOwn(data, 'archetype')) return {};
  return { fix: renaming('/layout', 'layout', 'archetype') };
}

export const deprecatedProperty: Rule = {
  id: 'deprecated-property',
  severity: 'warning',
  summary: 'A deprecated property is used',
  documentation:
    'layout was renamed to archetype; filterKeys is not needed because the filters follow from statuses; nav[].count is not needed because the runtime counts by itself. Deprecated properties are still accepted but may be dropped.',
  examples: () => ({
    bad: { layout: 'cockpit', filterKeys: ['new'], nav: [{ label: 'Queue', count: 4 }] },
    finds: ['/layout', '/filterKeys', '/nav/0/count'],
    good: { archetype: 'cockpit', nav: [{ label: 'Queue' }] },
  }),
  check({ data, definition }, _report, reportKey) {
    const { layout, filterKeys, nav = [] } = definition;
    if (layout !== undefined) {
      reportKey('/layout', 'layout is deprecated; write archetype instead.', () =>
        layoutRemedies(data),
      );
    }
    if (filterKeys !== undefined) {
      reportKey(
        '/filterKeys',
        'filterKeys is deprecated; filters follow from statuses, so remove it.',
        () => ({ fix: removal('/filterKeys', 'filterKeys') }),
      );
    }
    nav.forEach(({ count }, index) => {
      if (count === undefined) return;
      const path = pointer('nav', index, 'count');
      reportKey(path, 'count is deprecated; the runtime counts by itself, so remove it.', () => ({
        fix: removal(path, 'count'),
      }));
    });
  },
};

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
