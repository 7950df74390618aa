import { styles } from '#screen-assets';
import type { ScreenTable } from '../normalise/table.js';
import { pageOfRows, tableStyles } from './table-style.js';

/** What every page is made of. */
const common = ['base', 'labels', 'frame', 'dialogs', 'form'] as const;

/** What only some pages have, in the order of the cascade: each a file in assets/. */
const optional = [
  'nav',
  'user',
  'author',
  'columns',
  'prose',
  'fields',
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
  'drawer',
  'documents',
  'conclusion',
  'onboarding',
  'chart',
  'series',
  'bars',
  'line-chart',
  'donut',
  'aligned',
  'chat',
  'notices',
  'stepper',
  'feed',
  'split',
  'panes',
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

/** What has styles of its own on paper as well, or (a broad table) there alone: files `print-…` in assets/. */
const onPaper = ['drawer', 'panes', 'calendar', 'wizard', 'broad'] as const;

/** A block's own styles. */
export type StylePart = (typeof optional)[number] | (typeof onPaper)[number];

/** The styles of a page that has been drawn: those of the blocks in it. */
export function pageStyle(
  parts: ReadonlySet<StylePart>,
  table: ScreenTable | undefined,
  theme: 'light' | 'dark' | undefined,
): string {
  const used = [...common, ...optional.filter((part) => parts.has(part))];
  const layered =
    used.map((part) => styles[part]).join('') +
    tableStyles(table?.columns ?? []) +
    pageOfRows(table);
  const printed = onPaper.filter((part) => parts.has(part)).map((part) => styles[`print-${part}`]);
  // Tokens are only declared; what `media` and `print` say wins over every block, so they stand outside the layer.
  return `${styles.tokens}${theme ? styles.theme : ''}@layer page{${layered}}${styles.media}${styles.print}${printed.join('')}`;
}
