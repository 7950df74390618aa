import { scripts, styles } from '#screen-assets';
import type { Archetype } from '../definition.js';
import { tableStyles } from './blocks/table.js';
import type { RenderContext } from './context.js';

/** Styles that every page needs; `media` comes last and wins. */
const always = ['tokens', 'base', 'frame', 'blocks', 'list', 'dialogs'];

/** The styles of a page: those of the parts that it shows. */
export function pageStyle(context: RenderContext): string {
  const { archetype, ai, activity, banner, notifications, steps } = context.screen;
  const parts = [
    ...always,
    ...(hasCharts(context) ? ['chart'] : []),
    ...(ai ? ['chat'] : []),
    ...(banner ? ['banner'] : []),
    ...(notifications.length > 0 ? ['notices'] : []),
    ...(steps || archetype === 'wizard' ? ['stepper'] : []),
    ...(activity.length > 0 || archetype === 'timeline' ? ['feed'] : []),
    ...(archetype === 'inbox' || archetype === 'compare' ? ['split'] : []),
    archetype,
  ];
  const text = parts.map((part) => styles[part] ?? '').join('');
  return text + tableStyles(context) + (styles.media ?? '');
}

/** Archetypes whose own part of the page does something. */
const lively = new Set<Archetype>(['document', 'copilot', 'wizard', 'calendar', 'map']);

/** The script of a page, without the parts that this page has no use for. */
export function pageScript(context: RenderContext): {
  readonly text: string;
  readonly hash: string;
} {
  const { ai, archetype } = context.screen;
  const extras = ai !== undefined || lively.has(archetype);
  if (hasCharts(context)) return extras ? scripts.full : scripts.charts;
  return extras ? scripts.extras : scripts.plain;
}

function hasCharts({ screen: { archetype, chart, sections } }: RenderContext): boolean {
  return (
    chart !== undefined ||
    archetype === 'dashboard' ||
    archetype === 'analytics' ||
    (archetype === 'custom' && sections.some(({ shown }) => shown === 'chart'))
  );
}
