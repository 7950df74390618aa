import { type Html, html } from '../../../base/html.js';
import type { RenderContext } from '../context.js';
import { scenarioButtons } from './scenario.js';

/** The details drawer; the page script fills it with the details of the row that is opened. */
export function drawer(context: RenderContext): Html {
  const { screen, words, sprite, at, ownLang, styles } = context;
  if (!screen.table) return html``;
  styles.add('drawer');
  return html`<dialog class="drawer" id="drawer" aria-labelledby="drawer-title"${at('/drawer')}>
<div class="drawer-head"><div><h2 id="drawer-title"></h2><p class="drawer-status"></p></div><form method="dialog"><button class="button icon-button quiet" aria-label="${words.close}"${ownLang}>${sprite.icon('close')}</button></form></div>
<div class="drawer-body" tabindex="0" role="region" aria-labelledby="drawer-title"></div>
<div class="drawer-foot">${scenarioButtons(context)}<div class="steps-between"${ownLang}><button type="button" class="button icon-button quiet" data-step="-1" aria-label="${words.previous}">${sprite.icon('chevron-left')}</button><button type="button" class="button icon-button quiet" data-step="1" aria-label="${words.next}">${sprite.icon('chevron-right')}</button></div></div></dialog>`;
}
