import { type Html, html } from '../../../base/html.js';
import type { NavEntry } from '../../normalise/frame.js';
import { homeBody } from '../archetypes/layouts.js';
import type { RenderContext } from '../context.js';
import { toneMark } from './badge.js';
import { documentsView } from './documents.js';
import { viewId } from './navigation.js';
import { conclusionBlock } from './prose.js';
import { listPosition } from './summary-chart.js';
import { tableBlock } from './table.js';

/** Draws the home view and all other sections of the navigation. */
export function views(context: RenderContext): Html {
  const { known } = context;
  const others = known.entries.filter(({ index }) => index !== known.home);
  return html`${nothingFound(context)}${homeView(context)}${others.map((item) => otherView(context, item))}`;
}

/** Draws the text that the page script shows if a search has no results in a view without the list. */
function nothingFound({ words, ownLang }: RenderContext): Html {
  return html`<div class="card empty" id="nothing-found" hidden${ownLang}><p>${words.noMatches}</p><button type="button" class="button" data-reset>${words.reset}</button></div>`;
}

/**
 * Draws the banner, the archetype, the list and the conclusion. The list is omitted if the archetype or the registry
 * contains it.
 */
function homeView(context: RenderContext): Html {
  const list = listPosition(context.screen) === 'home' ? tableBlock(context) : '';
  const body = html`${bannerBlock(context)}${homeBody(context)}${list}${conclusionBlock(context)}`;
  return html`<div class="view on" id="home">${body.text === '' ? emptyCard(context) : body}</div>`;
}

function emptyCard({ words, ownLang }: RenderContext): Html {
  return html`<div class="card empty"${ownLang}><p>${words.empty}</p></div>`;
}

function otherView(context: RenderContext, item: NavEntry): Html {
  const title = `view-title-${item.index}`;
  return html`<div class="view" id="${viewId(context, item.index)}"${item.view === undefined && html` data-bare`}><h2 class="view-title" id="${title}" tabindex="-1">${item.label}</h2>${viewBody(context, item)}</div>`;
}

function viewBody(context: RenderContext, item: NavEntry): Html {
  const { screen, words, say, ownLang } = context;
  if (item.view === 'documents') return documentsView(context, item);
  if (item.view === 'registry') return registry(context, item);
  return html`<div class="card empty"${ownLang}><p>${words.noSection}</p><p><a class="button" href="#home">${say(words.backHome, { name: screen.product.name })}</a></p></div>`;
}

/**
 * Draws a registry. A page contains only one list. If the home view does not contain it, it is in the first registry.
 * Otherwise, the page script moves it between the views.
 */
function registry(context: RenderContext, item: NavEntry): Html {
  const here = context.known.registry === item.index && listPosition(context.screen) === 'registry';
  if (here) return html`<div class="registry" data-registry>${tableBlock(context)}</div>`;
  if (!context.screen.table) return emptyCard(context);
  const { words, ownLang } = context;
  const elsewhere = html`<p class="no-js"${ownLang}><a class="button" href="#list">${words.table}</a></p>`;
  return html`<div class="registry" data-registry></div>${elsewhere}`;
}

/** Draws the banner above the metrics. Its action links to a section. */
function bannerBlock(context: RenderContext): Html {
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
