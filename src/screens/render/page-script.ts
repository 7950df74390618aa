import { type ChartScript, type PageScript, scripts } from '#screen-assets';
import type { Archetype } from '../normalise/archetype.js';
import type { RenderContext } from './context.js';

/** Archetypes whose own part of the page does something. */
const lively = new Set<Archetype>([
  'document',
  'copilot',
  'wizard',
  'calendar',
  'map',
  'inbox',
  'compare',
]);

/** The script of a page that has been drawn, without the parts that it has no use for. */
export function pageScript(context: RenderContext): PageScript {
  const { ai, archetype } = context.screen;
  const extras = ai !== undefined || lively.has(archetype);
  return scripts[`${chartScript(context)}${extras ? '+extras' : ''}`];
}

/** What the script does about charts: nothing, hints beside bars, or counting rows as well. */
function chartScript({ screen, styles }: RenderContext): ChartScript {
  if (!styles.has('chart')) return 'plain';
  const { source } = screen.chart ?? {};
  if (source === undefined || source.kind === 'bars' || !screen.table) return 'tips';
  return source.kind;
}
