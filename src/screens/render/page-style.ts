import { styles } from '#screen-assets';
import { tableStyles } from './blocks/table.js';
import type { RenderContext } from './context.js';

/** Styles that every page needs; `media` comes last and wins. */
const always = ['tokens', 'base', 'frame', 'blocks', 'list', 'dialogs'];

/** The styles of a page: those of the parts that it shows. */
export function pageStyle(context: RenderContext): string {
  const { archetype, ai, chart, sections } = context.screen;
  const charted =
    chart !== undefined ||
    archetype === 'dashboard' ||
    archetype === 'analytics' ||
    (archetype === 'custom' && sections.some(({ shown }) => shown === 'chart'));
  const parts = [
    ...always,
    ...(charted ? ['chart'] : []),
    ...(ai ? ['chat'] : []),
    ...(archetype === 'inbox' || archetype === 'compare' ? ['split'] : []),
    archetype,
  ];
  const text = parts.map((part) => styles[part] ?? '').join('');
  return text + tableStyles(context) + (styles.media ?? '');
}
