import { isObject, pointer } from '../../json/pointers.js';
import type { Remedies } from '../findings/finding.js';
import { removal, renaming, suggestRemoval, wordRemedies } from '../findings/remedies.js';
import { archetypeBlocks, archetypes } from '../normalise/archetype.js';
import { didYouMean, quote } from '../text/quote.js';
import type { Rule } from './rule.js';

export const unknownArchetype: Rule = {
  id: 'unknown-archetype',
  severity: 'warning',
  summary: 'The archetype is unknown, so the queue table is shown',
  documentation:
    'The contract allows any archetype ID. For an ID that the runtime does not recognize, the screen falls back to the queue table and does not show the data of the archetype. IDs are lowercase.',
  examples: () => ({
    bad: { archetype: 'kanban' },
    finds: ['/archetype'],
    good: { archetype: 'cockpit' },
  }),
  check({ data, degradations }, report) {
    for (const { path, detail } of degradations('archetype-unknown')) {
      const hint = didYouMean(detail, archetypes);
      report(path, `Unknown archetype ${quote(detail)}; the queue table is shown.${hint}`, () =>
        wordRemedies(data, path, detail, archetypes),
      );
    }
  },
};

export const missingArchetypeBlock: Rule = {
  id: 'missing-archetype-block',
  severity: 'warning',
  summary: 'The archetype has no data to show',
  documentation:
    'Most archetypes require data: compare requires compare.pairs and a table; inbox requires inbox and a table; custom requires sections; copilot requires artifact; document, wizard, analytics, calendar, map and timeline require the block of the same name. Without this data, the screen falls back to the queue table. A dashboard without its block shows the metrics, the chart and the activity, but no trends.',
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
    const requested = definition.archetype ?? definition.layout ?? 'queue';
    for (const { path, detail } of degradations('archetype-block-missing')) {
      report(
        path,
        `Archetype ${quote(requested)} requires a non-empty "${detail}" block. The queue table is shown instead.`,
      );
    }
    if (screen.archetype === 'dashboard' && screen.dashboard === undefined) {
      const path = definition.archetype === undefined ? '/layout' : '/archetype';
      report(
        path,
        'The definition has no "dashboard" block, so the dashboard shows metrics, chart and activity, but no trends.',
      );
    }
  },
};

/**
 * Each archetype with the block that only it shows. An archetype that requires no block is paired with its own name.
 */
const blockOwners = Object.entries(archetypeBlocks).map(
  ([owner, [block = owner]]) => [owner, block] as const,
);

export const idleBlock: Rule = {
  id: 'idle-block',
  severity: 'info',
  summary: 'A block of a different archetype is never shown',
  documentation:
    'Some blocks are shown by only one archetype. A definition can contain the blocks of several archetypes, which is useful while you try them out, but you still have to maintain the blocks that are not shown.',
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
    for (const [owner, block] of blockOwners) {
      if (!Object.hasOwn(definition, block) || screen.archetype === owner) continue;
      reportKey(
        `/${block}`,
        `Only archetype "${owner}" shows "${block}", but this screen is shown as "${screen.archetype}".`,
        suggestRemoval(`/${block}`, block),
      );
    }
  },
};

/** Returns the fix for `layout`: removes it if `archetype` is set, and renames it otherwise. */
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
    'layout was renamed to archetype. filterKeys is not needed, because the filters are derived from statuses. nav[].count is not needed, because the runtime counts the rows. Deprecated properties still work but may be removed in the future.',
  examples: () => ({
    bad: { layout: 'cockpit', filterKeys: ['new'], nav: [{ label: 'Queue', count: 4 }] },
    finds: ['/layout', '/filterKeys', '/nav/0/count'],
    good: { archetype: 'cockpit', nav: [{ label: 'Queue' }] },
  }),
  check({ data, definition }, _report, reportKey) {
    const { layout, filterKeys, nav = [] } = definition;
    if (layout !== undefined) {
      reportKey('/layout', 'layout is deprecated. Use archetype instead.', () =>
        layoutRemedies(data),
      );
    }
    if (filterKeys !== undefined) {
      reportKey(
        '/filterKeys',
        'filterKeys is deprecated. Remove it, because the filters are derived from statuses.',
        () => ({ fix: removal('/filterKeys', 'filterKeys') }),
      );
    }
    nav.forEach(({ count }, index) => {
      if (count === undefined) return;
      const path = pointer('nav', index, 'count');
      reportKey(
        path,
        'count is deprecated. Remove it, because the runtime counts the rows.',
        () => ({
          fix: removal(path, 'count'),
        }),
      );
    });
  },
};

export const layoutConflict: Rule = {
  id: 'layout-conflict',
  severity: 'warning',
  summary: 'archetype and layout differ',
  documentation:
    'layout is the old name of archetype and applies only if archetype is missing. If both are set and differ, layout is ignored and misleads readers of the file. Remove it.',
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
