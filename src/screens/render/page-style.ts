import { styles } from '#screen-assets';
import type { RenderContext } from './context.js';
import { tableStyles } from './table-style.js';

/** What every page is made of. */
const common = ['base', 'labels', 'frame', 'dialogs'] as const;

/** What only some pages have, in the order of the cascade: each a file in assets/. */
const optional = [
  'nav',
  'user',
  'author',
  'columns',
  'prose',
  'fields',
  'form',
  'range',
  'metrics',
  'banner',
  'scenario',
  'variants',
  'list',
  'tabs',
  'segments',
  'sort',
  'pager',
  'attachments',
  'row-details',
  'drawer',
  'documents',
  'conclusion',
  'onboarding',
  'chart',
  'series',
  'bars',
  'line-chart',
  'donut',
  'chat',
  'notices',
  'stepper',
  'feed',
  'split',
  'analytics',
  'calendar',
  'copilot',
  'custom',
  'dashboard',
  'document',
  'map',
  'timeline',
  'wizard',
] as const;

/** A block's own styles. */
export type StylePart = (typeof optional)[number];

/** The styles of a page that has been drawn: those of the blocks in it. */
export function pageStyle(context: RenderContext): string {
  const used = [...common, ...optional.filter((part) => context.styles.has(part))];
  const layered = used.map((part) => styles[part]).join('') + tableStyles(context);
  const theme = context.themed ? styles.theme : '';
  // Tokens are only declared; what `media` says wins over every block, so it stands outside the layer.
  return `${styles.tokens}${theme}@layer page{${layered}}${styles.media}`;
}
