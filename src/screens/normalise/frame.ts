import type { ScreenDefinition, SectionDefinition } from '#screen-definition';
import type { Degrade } from './degradation.js';
import type { ScreenTable } from './table.js';

/** `value` within the bounds. */
export function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), Math.max(low, high));
}

/** The drawer; without one in the definition it shows every column, titled by the first. */
export function normaliseDrawer({ drawer }: ScreenDefinition, table: ScreenTable | undefined) {
  const columns = table?.columns ?? [];
  return {
    ...drawer,
    titleKey: drawer?.titleKey ?? columns[0]?.key ?? '',
    /** Those that the definition names; without any, the drawer shows the columns. */
    ownFields: drawer?.fields ?? [],
    fields: drawer?.fields ?? columns.map(({ key, label }) => ({ key, label })),
  };
}

/** Consecutive nav items under one heading (none for items without a group). */
export interface NavGroup {
  readonly heading: string | undefined;
  readonly items: readonly NavEntry[];
}

export interface NavEntry extends SectionDefinition {
  /** Place among the items; headings are not counted. */
  readonly index: number;
}

export function normaliseNav({ nav = [] }: ScreenDefinition): readonly NavGroup[] {
  const groups: { heading: string | undefined; items: NavEntry[] }[] = [];
  nav.forEach((item, index) => {
    const heading = item.group || undefined;
    const last = groups.at(-1);
    if (last && last.heading === heading) last.items.push({ ...item, index });
    else groups.push({ heading, items: [{ ...item, index }] });
  });
  return groups;
}

/** The banner; `target` is the index of the nav item that the action leads to, if it leads anywhere. */
export function normaliseBanner({ banner, nav = [] }: ScreenDefinition, degrade: Degrade) {
  if (banner === undefined || !(banner.text || banner.action)) return undefined;
  const { actionNav, action, text = '', tone = 'info' } = banner;
  const target = actionNav !== undefined && Object.hasOwn(nav, actionNav) ? actionNav : undefined;
  if (actionNav !== undefined && target === undefined) {
    degrade('index-out-of-range', '/banner/actionNav', String(actionNav));
  } else if (action !== undefined && target === undefined) {
    degrade('action-without-target', '/banner/action', action);
  }
  return { text, tone, action, target };
}

/** Stages of the creation wizard; `current` counts from 1 and lies within the items. */
export function normaliseSteps({ steps }: ScreenDefinition, degrade: Degrade) {
  const { items = [], current = 1 } = steps ?? {};
  if (items.length === 0) return undefined;
  const shown = clamp(Math.floor(current), 1, items.length);
  if (shown !== current) degrade('index-out-of-range', '/steps/current', String(current));
  return { items, current: shown };
}
