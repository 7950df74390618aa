import type { ScreenDefinition, SectionDefinition } from '#screen-definition';
import type { Degrade } from './degradation.js';
import type { ScreenTable } from './table.js';

/** Limits a value to a range. */
export function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), Math.max(low, high));
}

/** Returns the drawer. By default, it shows every column, with the first one as the title. */
export function normaliseDrawer({ drawer }: ScreenDefinition, table: ScreenTable | undefined) {
  const columns = table?.columns ?? [];
  return {
    ...drawer,
    titleKey: drawer?.titleKey ?? columns[0]?.key ?? '',
    /** The fields in the definition. */
    ownFields: drawer?.fields ?? [],
    fields: drawer?.fields ?? columns.map(({ key, label }) => ({ key, label })),
  };
}

/** Consecutive nav items under one heading (undefined for items without a group). */
export interface NavGroup {
  readonly heading: string | undefined;
  readonly items: readonly NavEntry[];
}

export interface NavEntry extends SectionDefinition {
  /** Index in `nav`. */
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

/** Returns the banner. `target` is the index of the nav item that the action opens, if this item exists. */
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

/** Returns the stages of the creation wizard. `current`, which counts from 1, is limited to the existing stages. */
export function normaliseSteps({ steps }: ScreenDefinition, degrade: Degrade) {
  const { items = [], current = 1 } = steps ?? {};
  if (items.length === 0) return undefined;
  const shown = clamp(Math.floor(current), 1, items.length);
  if (shown !== current) degrade('index-out-of-range', '/steps/current', String(current));
  return { items, current: shown };
}
