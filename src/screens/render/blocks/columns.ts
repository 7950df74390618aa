import { type Html, html } from '../../../base/html.js';
import type { RenderContext } from '../context.js';

/** Columns next to each other: the wide one first. With one of them empty the other takes it all. */
export function columns(
  { styles }: RenderContext,
  main: Html,
  side: Html,
  className = 'columns-2',
): Html {
  if (side.text === '') return main;
  if (main.text === '') return side;
  styles.add('columns');
  return html`<div class="${className}"><div class="stack">${main}</div><div class="stack">${side}</div></div>`;
}
