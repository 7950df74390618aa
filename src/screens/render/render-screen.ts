import { createHash } from 'node:crypto';
import { type Html, html, jsonIsland, trusted } from '../../base/html.js';
import { isolateDirection } from '../../base/text-direction.js';
import { normaliseScreen } from '../normalise/normalise.js';
import { badgeTemplates } from './blocks/badge.js';
import { chatAnswers, chatPanel } from './blocks/chat.js';
import { createDialog, createLabel } from './blocks/create.js';
import { drawer } from './blocks/drawer.js';
import { header } from './blocks/header.js';
import { pageData } from './blocks/island.js';
import { sideNavigation } from './blocks/navigation.js';
import { authorNotices } from './blocks/notices.js';
import { onboardingDialog } from './blocks/onboarding.js';
import { rowDetails } from './blocks/row-details.js';
import { confirmDialog, resultTemplates } from './blocks/scenario.js';
import { newRowTemplates } from './blocks/table.js';
import { views } from './blocks/views.js';
import { createContext, type RenderContext, type RenderOptions } from './context.js';
import { pageScript } from './page-script.js';
import { checkPageSize } from './page-size.js';
import { pageStyle } from './page-style.js';

/**
 * A definition as one self-contained page: no request leaves it, and nothing in the definition can
 * become markup, script or another address than http and https. The same input gives the same page.
 * Takes any parsed JSON; what does not hold is left out as `normaliseScreen` decides. Throws `too_large`
 * where the page would repeat more than a page can hold.
 */
export function renderScreen(definition: unknown, options: RenderOptions = {}): string {
  const screen = normaliseScreen(definition);
  checkPageSize(screen);
  const context = createContext(screen, options);
  const body = pageBody(context);
  const { product } = screen;
  const style = pageStyle(context.styles, screen.table, options.theme);
  const script = pageScript(context);
  const title = [product.name, product.purpose].flatMap((part) => part || []).map(isolateDirection);
  const theme = options.theme ? html` data-theme="${options.theme}"` : '';
  return html`<!doctype html>
<html lang="${context.locale}"${theme}><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${trusted(securityPolicy(style, script.hash))}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title.join(' – ') || 'msgsite'}</title><link rel="icon" href="data:,"><style>${trusted(style)}</style></head>
<body>${body}<script type="application/json" id="data">${jsonIsland(pageData(context))}</script><script>${trusted(script.text)}</script></body></html>
`.text;
}

/** Nothing but this page's own style and script, each named by its digest. */
function securityPolicy(style: string, scriptHash: string): string {
  const styleHash = createHash('sha256').update(style).digest('base64');
  return [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    `script-src 'sha256-${scriptHash}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
}

function pageBody(context: RenderContext): Html {
  const { screen, words, ownLang, contentLang, at, sprite, styles } = context;
  const { product } = screen;
  const navigation = sideNavigation(context);
  const head = html`<div class="page-head"${at('/product')}><div><h1${at('/product/name')}>${product.name}</h1>${product.purpose && html`<p class="purpose"${at('/product/purpose')}>${product.purpose}</p>`}</div><button type="button" class="button primary js-only" data-create${at('/product/createLabel')}>${sprite.icon('plus')}<span>${createLabel(context)}</span></button></div>`;
  const main = html`<main id="main" class="width-${screen.width}" tabindex="-1"${contentLang}>${authorNotices(context)}${head}<p class="paper" id="printed"${ownLang}></p>${views(context)}${rowDetails(context)}${chatAnswers(context)}</main>`;
  const dialogs = html`<div${contentLang}>${drawer(context)}${confirmDialog(context)}${createDialog(context)}${chatPanel(context)}${onboardingDialog(context)}</div>`;
  const templates = html`${badgeTemplates(context)}${resultTemplates(context)}${newRowTemplates(context)}`;
  const page = html`<a class="skip" href="#main">${words.skip}</a><div class="app${screen.nav.length > 0 ? ' with-nav' : ''}" data-archetype="${screen.archetype}">${navigation}<div class="frame">${header(context)}${main}</div></div>${dialogs}${templates}<div class="toast" id="toast" popover="manual"><p role="status"></p><button type="button" class="button" data-undo hidden${ownLang}>${words.undo}</button></div>${styles.has('chart') && html`<div class="tip" id="tip" popover="manual" role="tooltip"></div>`}<p class="vh" role="status" id="status"></p>`;
  return html`${sprite.symbols()}${page}`;
}
