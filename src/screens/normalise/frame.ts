import type {
  DrawerDefinition,
  DrawerFieldDefinition,
  NavDefinition,
  ScreenDefinition,
  Tone,
} from '../definition/definition.js';
import { pointer } from '../definition/values.js';
import { clamp } from './clamp.js';
import type { Degrade } from './degradation.js';
import type { CheckKey, ScreenTable } from './table.js';

export interface ScreenDrawer extends DrawerDefinition {
  readonly fields: readonly DrawerFieldDefinition[];
}

/** The drawer; without one in the definition it shows every column, titled by the first. */
export function normaliseDrawer(
  definition: ScreenDefinition,
  table: ScreenTable | undefined,
  checkKey: CheckKey,
): ScreenDrawer {
  const { drawer } = definition;
  const columns = table?.columns ?? [];
  if (drawer) {
    checkKey(drawer.titleKey, '/drawer/titleKey');
    for (const [index, { key }] of (drawer.fields ?? []).entries()) {
      checkKey(key, pointer('drawer', 'fields', index, 'key'));
    }
  }
  return {
    ...drawer,
    titleKey: drawer?.titleKey ?? columns[0]?.key ?? '',
    fields: drawer?.fields ?? columns.map(({ key, label }) => ({ key, label })),
  };
}

/** Consecutive nav items under one heading (none for items without a group). */
export interface NavGroup {
  readonly heading: string | undefined;
  readonly items: readonly NavEntry[];
}

export interface NavEntry extends NavDefinition {
  /** Place among the items; headings are not counted. */
  readonly index: number;
}

export function normaliseNav(nav: readonly NavDefinition[] = []): readonly NavGroup[] {
  const groups: { heading: string | undefined; items: NavEntry[] }[] = [];
  for (const [index, item] of nav.entries()) {
    const heading = item.group || undefined;
    const last = groups.at(-1);
    if (last && last.heading === heading) last.items.push({ ...item, index });
    else groups.push({ heading, items: [{ ...item, index }] });
  }
  return groups;
}

export interface ScreenBanner {
  readonly text: string;
  readonly tone: Tone;
  readonly action: string | undefined;
  /** Index of the nav item that the action leads to; undefined where it leads nowhere. */
  readonly target: number | undefined;
}

export function normaliseBanner(
  { banner, nav = [] }: ScreenDefinition,
  degrade: Degrade,
): ScreenBanner | undefined {
  if (banner === undefined || !(banner.text || banner.action)) return undefined;
  const { actionNav, action } = banner;
  const target = actionNav !== undefined && Object.hasOwn(nav, actionNav) ? actionNav : undefined;
  if (actionNav !== undefined && target === undefined) {
    degrade('index-out-of-range', '/banner/actionNav', String(actionNav));
  } else if (action !== undefined && target === undefined) {
    degrade('action-without-target', '/banner/action', action);
  }
  return { text: banner.text ?? '', tone: banner.tone ?? 'info', action, target };
}

/** Stages of the creation wizard; `current` counts from 1 and lies within the items. */
export interface ScreenSteps {
  readonly items: readonly string[];
  readonly current: number;
}

export function normaliseSteps(
  { steps }: ScreenDefinition,
  degrade: Degrade,
): ScreenSteps | undefined {
  const items = steps?.items ?? [];
  if (items.length === 0) return undefined;
  const current = steps?.current ?? 1;
  const shown = clamp(Math.floor(current), 1, items.length);
  if (shown !== current) degrade('index-out-of-range', '/steps/current', String(current));
  return { items, current: shown };
}
