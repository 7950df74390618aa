import { type Html, html } from '../../../base/html.js';
import type { RenderContext } from '../context.js';
import { toneMark } from './badge.js';
import { viewId } from './navigation.js';

/** The system banner above the numbers; its action leads to a section. */
export function bannerBlock(context: RenderContext): Html {
  const { screen, at, styles } = context;
  const { banner } = screen;
  if (!banner) return html``;
  styles.add('banner');
  return html`<aside class="banner t-${banner.tone}"${at('/banner')}>${toneMark(context, banner.tone)}<p>${banner.text}</p>${action(context)}</aside>`;
}

function action(context: RenderContext): Html {
  const { screen, at } = context;
  const { action: label, target } = screen.banner ?? {};
  if (!label) return html``;
  if (target === undefined) return html`<span class="muted"${at('/banner/action')}>${label}</span>`;
  return html`<a class="button" href="#${viewId(context, target)}"${at('/banner/action')}>${label}</a>`;
}
