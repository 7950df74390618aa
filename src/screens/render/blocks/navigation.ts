import { type Html, html } from '../../../base/html.js';
import type { NavEntry, NavGroup } from '../../normalise/frame.js';
import type { RenderContext } from '../context.js';
import { findIcon } from '../icons.js';

/** Returns the ID of the view that a nav item opens. */
export function viewId({ known }: RenderContext, index: number): string {
  return index === known.home ? 'home' : `view-${index}`;
}

/** Draws the side navigation, which is a column, a strip of icons or a menu, depending on the window's width. */
export function sideNavigation(context: RenderContext): Html {
  const { screen, words, at, ownLang, contentLang, styles } = context;
  if (screen.nav.length === 0) return html``;
  styles.add('nav');
  return html`<nav class="side" id="nav" popover aria-label="${words.sections}"${at('/nav')}${ownLang}><a class="brand" href="#home"${contentLang}><span class="initials brand-mark" aria-hidden="true">${initials(screen.product.name)}</span><span class="brand-name">${screen.product.name}</span></a>${screen.nav.map((group) => navGroup(context, group))}</nav>`;
}

/** Draws a group of items. Its heading is not clickable, and becomes a divider where labels are hidden. */
function navGroup(context: RenderContext, { heading, items }: NavGroup): Html {
  const { contentLang } = context;
  const first = items[0]?.index ?? 0;
  const links = items.map((item) => navItem(context, item));
  if (!heading) return html`<ul class="nav-group"${contentLang}>${links}</ul>`;
  return html`<p class="nav-heading" id="nav-group-${first}"${contentLang}><span>${heading}</span></p><ul class="nav-group"${contentLang} aria-labelledby="nav-group-${first}">${links}</ul>`;
}

function navItem(context: RenderContext, { label, icon, count, index, view }: NavEntry): Html {
  const { known, sprite, at } = context;
  const current = index === known.home ? html` aria-current="page"` : '';
  const fallback = view === 'documents' ? 'files' : view === 'registry' ? 'table' : 'list';
  const counter = count !== undefined && html`<span class="number">${count}</span>`;
  return html`<li><a class="nav-item" href="#${viewId(context, index)}" title="${label}"${current}${at('/nav', index)}>${sprite.icon(icon ?? fallback)}<span class="nav-label">${label}</span>${counter}${unknownIcon(context, icon)}</a></li>`;
}

/** Draws a notice in the preview about an unknown icon. In other pages, only a neutral icon appears. */
export function unknownIcon(context: RenderContext, icon?: string): Html {
  const { preview, words, say, locale, styles } = context;
  if (!preview || icon === undefined || findIcon(icon)) return html``;
  styles.add('author');
  return html`<span class="notice-mark" lang="${locale}">${say(words.notices.icon, { detail: icon })}</span>`;
}

/** Returns up to two initials. */
export function initials(name: string): string {
  const words = name
    .replace(/\p{Cf}/gu, '')
    .split(/[\s—–-]+/u)
    .filter((word) => /^[\p{L}\p{N}]/u.test(word));
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('');
}
